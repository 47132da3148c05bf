import type { Api } from '../api/api.ts'
import type { StoredValue } from '../stored-value.ts'
import { readSignIn, stringOrEmpty, type Tokens } from './identity.ts'
import type { RunExclusive } from './run-exclusive.ts'

/** A sign-in as the browser's storage holds it. */
export interface SavedSignIn extends Tokens {
  /** For the next refresh. It is saved with the token, so that every try and every tab sends the same. */
  requestId: string
}

export interface StoredSignInOptions {
  api: Api
  storage: StoredValue
  runExclusive: RunExclusive
}

/** A sign-in that this browser profile remembers. Its tabs share it, and none of them spends its tokens twice. */
export class StoredSignIn {
  readonly runExclusive: RunExclusive
  readonly #api: Api
  readonly #storage: StoredValue
  /** The token that was handed out last; a refusal speaks of this one. */
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

  /** Notes what goes out to be used. */
  markIssued(tokens: Tokens): Tokens {
    this.#issued = tokens.accessToken
    return tokens
  }

  forget(): void {
    this.#storage.remove()
    this.#issued = null
  }

  /** Whether this very token was refused; another tab may have a newer one already. */
  isRejected(saved: SavedSignIn, refused: string | undefined): boolean {
    return refused !== undefined && saved.accessToken === this.#issued
  }

  /** A lost answer is asked for again with the same `requestId`, by this or by another tab. */
  async refresh(saved: SavedSignIn): Promise<Tokens | string> {
    const body = { refresh_token: saved.refreshToken, request_id: saved.requestId }
    const answer = readSignIn(await this.#api.post('/api/v1.0/auth/refresh', body))
    const now = this.get()
    if (now !== null && now.refreshToken !== saved.refreshToken) return now // overtaken
    return typeof answer === 'string' ? answer : this.save(answer)
  }
}

/** Null for nothing and for what we have not written. */
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

/** Not `randomUUID`, which is missing on pages that are not secure. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
