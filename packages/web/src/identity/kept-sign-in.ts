import type { Api } from '../api/api.ts'
import type { Kept } from '../kept.ts'
import type { Exclusively } from './exclusively.ts'
import { readSignIn, readText, type Tokens } from './identity.ts'

/** A sign-in as the browser's storage holds it. */
export interface SavedSignIn extends Tokens {
  /** For the next refresh. It is saved with the token, so that every try and every tab sends the same. */
  requestId: string
}

export interface KeptSignInParts {
  api: Api
  kept: Kept
  exclusively: Exclusively
}

/** A sign-in that this browser profile remembers. Its tabs share it, and none of them spends its tokens twice. */
export class KeptSignIn {
  readonly exclusively: Exclusively
  readonly #api: Api
  readonly #kept: Kept
  /** The token that was handed out last; a refusal speaks of this one. */
  #given: string | null = null

  constructor({ api, kept, exclusively }: KeptSignInParts) {
    this.exclusively = exclusively
    this.#api = api
    this.#kept = kept
  }

  get wasGiven(): boolean {
    return this.#given !== null
  }

  get(): SavedSignIn | null {
    return readSaved(this.#kept.get())
  }

  save(tokens: Tokens): Tokens {
    this.#kept.set(JSON.stringify({ ...tokens, requestId: randomId() }))
    return tokens
  }

  /** Notes what goes out to be used. */
  give(tokens: Tokens): Tokens {
    this.#given = tokens.accessToken
    return tokens
  }

  forget(): void {
    this.#kept.forget()
    this.#given = null
  }

  /** Whether this very token was refused; another tab may have a newer one already. */
  isRefused(saved: SavedSignIn, refused: string | undefined): boolean {
    return refused !== undefined && saved.accessToken === this.#given
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
    const user = { userId, login: readText(login), displayName: readText(displayName) }
    return isOurs ? { ...user, accessToken, refreshToken, expiresAt, requestId } : null
  } catch {
    return null
  }
}

/** Not `randomUUID`, which is missing on pages that are not secure. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
