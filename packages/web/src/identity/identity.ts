import { Observable } from '@lectern/common'
import type { ApiResponse } from '../api/api.ts'

export type IdentityState =
  | { is: 'unknown' } // not requested yet
  | { is: 'known'; userId: number }
  | { is: 'refused'; code: string } // final: a retry would not help

/** The identity with which the user joins. */
export abstract class Identity extends Observable<IdentityState> {
  /** The name for an account that has none yet. */
  displayName = ''

  constructor() {
    super({ is: 'unknown' })
  }

  /**
   * Returns the token for the next login on the control channel; null when there is none for good. Rejects when
   * there is none at present.
   */
  readonly accessToken = async (refused?: string): Promise<string | null> => {
    const answer = await this.token(refused)
    if (typeof answer === 'string') {
      this.set({ is: 'refused', code: answer })
      return null
    }
    this.set({ is: 'known', userId: answer.userId })
    return answer.accessToken
  }

  /** The server has reported elsewhere that the account was deleted. */
  abstract discard(): void

  /** Tokens, or the code of a final refusal. Rejects when neither can be obtained now. */
  protected abstract token(refused: string | undefined): Promise<Tokens | string>
}

/** The tokens of a sign-in. */
export interface Tokens {
  userId: number
  /** Both empty when the server has not reported them. */
  login: string
  displayName: string
  accessToken: string
  refreshToken: string
  /** On this machine's clock. */
  expiresAt: number
}

/** A failure that does not end a sign-in: the connection failed, or the server has problems. */
export class TemporarilyUnavailable extends Error {
  override name = 'NotNow'
}

/** Tokens are refreshed early, so that none expires in transit. */
const REFRESH_EARLY_MS = 60_000

export const isFresh = ({ expiresAt }: Tokens) => Date.now() < expiresAt - REFRESH_EARLY_MS

/** The result of a sign-in request: tokens, or the code of a refusal. */
export function readSignIn(answer: ApiResponse): Tokens | string {
  if (answer.is === 'unreachable') throw new TemporarilyUnavailable('unreachable')
  if (answer.is === 'refused') {
    const { status, code } = answer
    // Without an error code, a proxy has answered instead of the server.
    if (code === null || status >= 500 || status === 408 || status === 429)
      throw new TemporarilyUnavailable(code ?? 'failing')
    return code
  }
  const tokens = readTokens(answer.body)
  if (!tokens) throw new TemporarilyUnavailable('unreachable')
  return tokens
}

/** Null: the body contains no tokens. */
export function readTokens(body: unknown): Tokens | null {
  if (typeof body !== 'object' || body === null) return null
  const fields = body as Record<string, unknown>
  const { access_token, refresh_token, expires_in } = fields
  // A guest's response contains the user, a participant's only the id.
  const user = 'user' in fields ? (fields.user as Record<string, unknown> | null) : fields
  const userId = user?.user_id
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') return null
  if (typeof expires_in !== 'number' || typeof userId !== 'number') return null
  return {
    userId,
    login: stringOrEmpty(user?.login),
    displayName: stringOrEmpty(user?.display_name),
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: Date.now() + expires_in * 1000,
  }
}

export const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
