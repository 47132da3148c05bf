import { singleFlight } from '@lectern/common'
import { type Capability, Refusal } from '@lectern/protocol'
import type { Accounts } from '../../accounts/accounts.ts'
import type { AuthSessions, Tokens } from '../../accounts/auth-sessions.ts'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../platform/clock.ts'

interface WorkerAccountParts {
  accounts: Accounts
  sessions: AuthSessions
  clock: Clock
}

/** A token that expires sooner is renewed, because it is still to be sent. */
const RENEWAL_MARGIN_MS = 60_000

/** The account of an embedded worker: it needs no set-up and stores no secret. */
export class WorkerAccount {
  readonly #parts: WorkerAccountParts
  /** Finds the account again: it may have been deleted, and is then restored. */
  readonly #findUser: () => Promise<User>
  #tokens: Tokens | null = null
  #validUntilMs = 0
  readonly #getToken = singleFlight(() => this.#validToken())

  private constructor(parts: WorkerAccountParts, findUser: () => Promise<User>) {
    this.#parts = parts
    this.#findUser = findUser
  }

  static async open(
    parts: WorkerAccountParts,
    login: string,
    capability: Capability,
  ): Promise<WorkerAccount> {
    const findUser = () => parts.accounts.findOrAddWorker(login, capability)
    await findUser()
    return new WorkerAccount(parts, findUser)
  }

  /** A token that is valid for a while; with `refused`, a new one. Concurrent calls share a renewal. */
  accessToken = (refused: boolean): Promise<string> => {
    if (refused) this.#validUntilMs = 0
    return this.#getToken()
  }

  /** Signs out. */
  async close(): Promise<void> {
    if (this.#tokens) await this.#parts.sessions.close(this.#tokens.refresh_token)
  }

  async #validToken(): Promise<string> {
    const now = this.#parts.clock()
    const isFresh = now < this.#validUntilMs - RENEWAL_MARGIN_MS
    if (this.#tokens && isFresh && (await this.#isAccepted(this.#tokens))) return this.#tokens.access_token
    this.#tokens = await this.#renew(this.#tokens)
    this.#validUntilMs = now + this.#tokens.expires_in * 1000
    return this.#tokens.access_token
  }

  /** False after a sign-out: a worker that is started again would be refused, and end again. */
  async #isAccepted({ access_token }: Tokens): Promise<boolean> {
    try {
      await this.#parts.sessions.identify(access_token)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  /** Signs in again when the session was ended, or the account was deleted. */
  async #renew(tokens: Tokens | null): Promise<Tokens> {
    const { sessions } = this.#parts
    if (!tokens) return sessions.open(await this.#findUser())
    try {
      return (await sessions.refresh(tokens.refresh_token)).tokens
    } catch (error) {
      const isSignedOut = error instanceof Refusal && /^(session_ended|account_deleted)$/.test(error.code)
      if (isSignedOut) return sessions.open(await this.#findUser())
      throw error
    }
  }
}
