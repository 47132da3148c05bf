import type { Api } from '../api/api.ts'
import { Identity, isFresh, readSignIn, type Tokens } from './identity.ts'
import { StoredSignIn, type StoredSignInOptions } from './stored-sign-in.ts'

/**
 * The guest account of this browser profile, shared by its tabs (rule PERSON-3): created on first use, kept
 * through every failure, and removed only when the server reports that the account was deleted.
 */
export class GuestIdentity extends Identity {
  readonly #api: Api
  readonly #signIn: StoredSignIn

  constructor(options: StoredSignInOptions) {
    super()
    this.#api = options.api
    this.#signIn = new StoredSignIn(options)
  }

  discard(): void {
    this.#signIn.discard()
  }

  protected override async token(refused: string | undefined): Promise<Tokens | string> {
    const answer = await this.#signIn.runExclusive(() => this.#freshTokens(refused))
    return typeof answer === 'string' ? answer : this.#signIn.markIssued(answer)
  }

  async #freshTokens(refused: string | undefined): Promise<Tokens | string> {
    const saved = this.#signIn.get()
    if (!saved) return this.#register()
    if (isFresh(saved) && !this.#signIn.isRejected(saved, refused)) return saved
    const answer = await this.#signIn.refresh(saved)
    if (answer !== 'account_deleted') return answer
    // A guest deleted during a visit stays signed out for that visit; the next visit creates a new guest.
    const isDuringVisit = this.#signIn.wasIssued
    this.#signIn.discard()
    return isDuringVisit ? answer : this.#register()
  }

  async #register(): Promise<Tokens | string> {
    const body = this.displayName ? { display_name: this.displayName } : {}
    const answer = readSignIn(await this.#api.post('/api/v1.0/auth/guest', body))
    // Without locks another tab may have been faster: its guest is used by all tabs.
    return this.#signIn.get() ?? (typeof answer === 'string' ? answer : this.#signIn.save(answer))
  }
}
