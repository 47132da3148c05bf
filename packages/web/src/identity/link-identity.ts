import type { Api } from '../api/api.ts'
import { Identity, isFresh, readSignIn, type Tokens } from './identity.ts'

/**
 * The holder of a personal link. The link itself authenticates the account (rule LINK-4), so nothing is stored:
 * each sign-in leads to the same account.
 */
export class LinkIdentity extends Identity {
  readonly #api: Api
  readonly #linkToken: string
  #tokens: Tokens | null = null

  constructor(api: Api, linkToken: string) {
    super()
    this.#api = api
    this.#linkToken = linkToken
  }

  discard(): void {
    this.#tokens = null
  }

  protected async token(refused: string | undefined): Promise<Tokens | string> {
    if (this.#tokens && refused === undefined && isFresh(this.#tokens)) return this.#tokens
    const body = this.displayName ? { display_name: this.displayName } : {}
    const answer = readSignIn(await this.#api.post(`/api/v1/integration/join/${this.#linkToken}`, body))
    this.#tokens = typeof answer === 'string' ? null : answer
    return answer
  }
}
