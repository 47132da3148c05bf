import type { Api } from '../api/api.ts'
import { randomId } from '../random-id.ts'
import type { StoredValue } from '../stored-value.ts'
import { readSignIn, stringOrEmpty, type Tokens } from './identity.ts'
import type { RunExclusive } from './run-exclusive.ts'

/** A sign-in as it is stored. */
export interface SavedSignIn extends Tokens {
  /** For the next refresh. Stored with the tokens, so that every attempt and every tab sends the same. */
  requestId: string
}

export interface StoredSignInOptions {
  api: Api
  storage: StoredValue
  runExclusive: RunExclusive
}

/** A sign-in stored in the browser profile. Its tabs share it, and never use a refresh token twice. */
export class StoredSignIn {
  readonly runExclusive: RunExclusive
  readonly #api: Api
  readonly #storage: StoredValue
  /** The access token that was returned last; a rejection refers to it. */
  #issued: string | null = null

  constructor({ api, storage, runExclusive }: StoredSignInOptions) {
    this.runExclusive = runExclusive
    this.#api = api
    this.#storage = storage
  }

  get wasIssued(): boolean {
    return this.#issued !== null
  }

  get(): SavedSignIn | null {
    return readSaved(this.#storage.get())
  }

  save(tokens: Tokens): Tokens {
    this.#storage.set(JSON.stringify({ ...tokens, requestId: randomId() }))
    return tokens
  }

  /** The tokens stay, and so does the request of their next refresh. */
  rename(saved: SavedSignIn, displayName: string): SavedSignIn {
    const renamed = { ...saved, displayName }
    this.#storage.set(JSON.stringify(renamed))
    return renamed
  }

  /** Remembers the token that is handed out. */
  markIssued(tokens: Tokens): Tokens {
    this.#issued = tokens.accessToken
    return tokens
  }

  discard(): void {
    this.#storage.remove()
    this.#issued = null
  }

  /** Whether the server rejected this token; another tab may have stored a newer one. */
  isRejected(saved: SavedSignIn, refused: string | undefined): boolean {
    return refused !== undefined && saved.accessToken === this.#issued
  }

  /**
   * A refresh whose response was lost is repeated with the same `requestId`, by this or another tab. `whenRemoved`: what is to
   * be done with the tokens if the sign-in was removed meanwhile.
   */
  async refresh(
    saved: SavedSignIn,
    whenRemoved = (tokens: Tokens): Tokens | string => this.save(tokens),
  ): Promise<Tokens | string> {
    const body = { refresh_token: saved.refreshToken, request_id: saved.requestId }
    const answer = readSignIn(await this.#api.post('/api/v1.0/auth/refresh', body))
    const now = this.get()
    if (now !== null && now.refreshToken !== saved.refreshToken) return now // another tab was faster
    if (typeof answer === 'string') return answer
    return now === null ? whenRemoved(answer) : this.save(answer)
  }
}

/** Null for missing and malformed values. */
function readSaved(text: string | null): SavedSignIn | null {
  try {
    const { userId, login, displayName, accessToken, refreshToken, expiresAt, requestId } = JSON.parse(
      text ?? '{}',
    )
    const isOurs =
      [userId, expiresAt].every(value => typeof value === 'number') &&
      [accessToken, refreshToken, requestId].every(value => typeof value === 'string')
    const user = { userId, login: stringOrEmpty(login), displayName: stringOrEmpty(displayName) }
    return isOurs ? { ...user, accessToken, refreshToken, expiresAt, requestId } : null
  } catch {
    return null
  }
}
