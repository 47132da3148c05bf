import { Observable } from '@lectern/common'
import type { ApiResponse } from '../api/api.ts'

export type IdentityState =
  | { is: 'unknown' } // not asked yet
  | { is: 'known'; userId: number }
  | { is: 'refused'; code: string } // for good: asking again would not help

/** Who the visitor is to the server. */
export abstract class Identity extends Observable<IdentityState> {
  /** The name for an account that has none yet. */
  displayName = ''

  constructor() {
    super({ is: 'unknown' })
  }

  /**
   * The token for the next sign-in to the control channel, as its client wants it: null when there is none
   * for good, a rejection when there is none right now.
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

  /** The server has said on another way that the account was deleted. */
  abstract forget(): void

  /** Tokens, or the code of a refusal that is final. Rejects while nobody can say. */
  protected abstract token(refused: string | undefined): Promise<Tokens | string>
}

/** A sign-in. */
export interface Tokens {
  userId: number
  /** Both empty where the server has not said so. */
  login: string
  displayName: string
  accessToken: string
  refreshToken: string
  /** On this machine's clock. */
  expiresAt: number
}

/** No answer that would end a sign-in: the connection failed, or the server has trouble. */
export class TemporarilyUnavailable extends Error {
  override name = 'NotNow'
}

/** Before it expires, so that it does not do so on its way. */
const REFRESH_EARLY_MS = 60_000

export const isFresh = ({ expiresAt }: Tokens) => Date.now() < expiresAt - REFRESH_EARLY_MS

/** What the server has said to a sign-in: tokens, or the code of its refusal. */
export function readSignIn(answer: ApiResponse): Tokens | string {
  if (answer.is === 'unreachable') throw new TemporarilyUnavailable('unreachable')
  if (answer.is === 'refused') {
    const { status, code } = answer
    // Without a code of ours it is not our server that answers.
    if (code === null || status >= 500 || status === 408 || status === 429)
      throw new TemporarilyUnavailable(code ?? 'failing')
    return code
  }
  const tokens = readTokens(answer.body)
  if (!tokens) throw new TemporarilyUnavailable('unreachable')
  return tokens
}

function readTokens(body: unknown): Tokens | null {
  if (typeof body !== 'object' || body === null) return null
  const fields = body as Record<string, unknown>
  const { access_token, refresh_token, expires_in } = fields
  // A guest's answer holds the user, a participant's only the id.
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
