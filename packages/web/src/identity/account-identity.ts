import type { Account } from './account.ts'
import { Identity, type Tokens } from './identity.ts'

/** The owner of an account, in a conference. A later sign-in with another account is another identity. */
export class AccountIdentity extends Identity {
  readonly #account: Account
  readonly userId: number

  constructor(account: Account, userId: number) {
    super()
    this.#account = account
    this.userId = userId
  }

  discard(): void {
    const state = this.#account.get()
    if (state.is === 'in' && state.user.userId === this.userId) this.#account.invalidate()
  }

  protected override async token(refused: string | undefined): Promise<Tokens | string> {
    const answer = await this.#account.tokens(refused)
    return typeof answer === 'string' || answer.userId === this.userId ? answer : 'session_ended'
  }
}
