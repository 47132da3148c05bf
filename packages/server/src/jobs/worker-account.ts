import { singleFlight } from '@lectern/common'
import { type Capability, Refusal } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import type { User } from '../accounts/ports.ts'
import type { Sessions, Tokens } from '../accounts/sessions.ts'
import type { Clock } from '../clock.ts'

interface WorkerAccountParts {
  accounts: Accounts
  sessions: Sessions
  clock: Clock
}

/** A token that ends sooner is replaced: it has to get to the server yet. */
const SPARE_MS = 60_000

/** The account of a worker that the server starts itself: nobody has to set it up, and no secret is stored. */
export class WorkerAccount {
  readonly #parts: WorkerAccountParts
  readonly #user: User
  #tokens: Tokens | null = null
  #goodUntilMs = 0
  readonly #getToken = singleFlight(() => this.#fresh())

  private constructor(parts: WorkerAccountParts, user: User) {
    this.#parts = parts
    this.#user = user
  }

  static async open(
    parts: WorkerAccountParts,
    login: string,
    capability: Capability,
  ): Promise<WorkerAccount> {
    return new WorkerAccount(parts, await parts.accounts.findOrAddWorker(login, capability))
  }

  /** One that is good for a while; `refused`: another one than before. Many may ask at once. */
  accessToken = (refused: boolean): Promise<string> => {
    if (refused) this.#goodUntilMs = 0
    return this.#getToken()
  }

  /** Ends the sign-in. */
  async close(): Promise<void> {
    if (this.#tokens) await this.#parts.sessions.close(this.#tokens.refresh_token)
  }

  async #fresh(): Promise<string> {
    const now = this.#parts.clock()
    if (this.#tokens && now < this.#goodUntilMs - SPARE_MS) return this.#tokens.access_token
    this.#tokens = await this.#next(this.#tokens)
    this.#goodUntilMs = now + this.#tokens.expires_in * 1000
    return this.#tokens.access_token
  }

  /** Whatever has ended the sign-in, the server may sign its own worker in again. */
  async #next(tokens: Tokens | null): Promise<Tokens> {
    const { sessions } = this.#parts
    if (!tokens) return sessions.open(this.#user)
    try {
      return (await sessions.refresh(tokens.refresh_token)).tokens
    } catch (error) {
      if (error instanceof Refusal && error.code === 'session_ended') return sessions.open(this.#user)
      throw error
    }
  }
}
