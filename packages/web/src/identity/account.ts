import { Observable } from '@lectern/common'
import type { Api, ApiRequest, ApiResponse } from '../api/api.ts'
import { isFresh, readTokens, type Tokens } from './identity.ts'
import { StoredSignIn, type StoredSignInOptions } from './stored-sign-in.ts'

/** `expired`: the server has ended the sign-in, without a sign-out. */
export type AccountState = { is: 'out'; expired: boolean } | { is: 'in'; user: User }

export interface User {
  userId: number
  login: string
  displayName: string
}

/** Why signing in failed. */
export type SignInProblem =
  | { is: 'wrong' | 'deleted' | 'disabled' | 'busy' | 'unconfigured' | 'unreachable' | 'failing' }
  | { is: 'limited'; until: number }

const FINAL_CODES = ['session_ended', 'account_deleted', 'unauthenticated']
const DEFAULT_RATE_LIMIT_MS = 30_000 // when the server gives no delay

/** The account that this browser profile is signed in with, if any. Its tabs share it. */
export class Account extends Observable<AccountState> {
  readonly #api: Api
  readonly #signIn: StoredSignIn

  constructor(options: StoredSignInOptions) {
    super({ is: 'out', expired: false })
    this.#api = options.api
    this.#signIn = new StoredSignIn(options)
    this.syncFromStorage()
  }

  /** Another tab may have signed in or out. */
  readonly syncFromStorage = (): void => {
    const saved = this.#signIn.get()
    if (saved) this.#setSignedIn(saved)
    else if (this.get().is === 'in') this.set({ is: 'out', expired: false })
  }

  /** Null: success. */
  readonly signIn = async (login: string, password: string): Promise<SignInProblem | null> =>
    problemOf(await this.signInBy('/api/v1.0/auth/login', { login, password }))

  /** Signs in by a request whose answer contains tokens. Another sign-in of this browser ends. */
  readonly signInBy = async (path: string, body: Record<string, unknown>): Promise<ApiResponse> => {
    const answer = await this.#api.post(path, body)
    if (answer.is !== 'ok') return answer
    const tokens = readTokens(answer.body)
    if (!tokens) return { is: 'refused', status: 502, code: null, retryAfterMs: null }
    const previous = this.#signIn.get()
    this.#setSignedIn(this.#signIn.save(tokens))
    if (previous) void this.#api.post('/api/v1.0/auth/logout', { refresh_token: previous.refreshToken })
    return answer
  }

  /** The server has stored another name. */
  readonly setDisplayName = (displayName: string): Promise<void> =>
    this.#signIn.runExclusive(async () => {
      const [saved, state] = [this.#signIn.get(), this.get()]
      // Another tab may have signed in somebody else.
      const isSame = state.is === 'in' && saved?.userId === state.user.userId
      if (saved && isSame) this.#setSignedIn(this.#signIn.rename(saved, displayName))
    })

  /** Takes effect at once, also while the server cannot be reached. */
  readonly signOut = async (): Promise<void> => {
    const saved = this.#signIn.get()
    this.#setSignedOut(false)
    if (saved) await this.#api.post('/api/v1.0/auth/logout', { refresh_token: saved.refreshToken })
  }

  /** The server has reported elsewhere that the sign-in has ended. */
  readonly invalidate = (): void => this.#setSignedOut(true)

  /** Tokens, or the code of a final refusal. Rejects with TemporarilyUnavailable otherwise. */
  readonly tokens = async (refused?: string): Promise<Tokens | string> => {
    const answer = await this.#signIn.runExclusive(() => this.#freshTokens(refused))
    if (typeof answer !== 'string') return this.#signIn.markIssued(answer)
    if (FINAL_CODES.includes(answer)) this.#setSignedOut(true)
    return answer
  }

  /** Sends a request with the access token. A rejected token is replaced once. */
  readonly request = async (question: Omit<ApiRequest, 'token'>): Promise<ApiResponse> => {
    const first = await this.#requestOnce(question)
    return first.is === 'refused' && first.status === 401
      ? this.#requestOnce(question, first.code ?? 'unauthenticated')
      : first
  }

  async #requestOnce(question: Omit<ApiRequest, 'token'>, refused?: string): Promise<ApiResponse> {
    try {
      const tokens = await this.tokens(refused)
      if (typeof tokens !== 'string')
        return await this.#api.request({ ...question, token: tokens.accessToken })
      return { is: 'refused', status: 401, code: tokens, retryAfterMs: null }
    } catch {
      return { is: 'unreachable' }
    }
  }

  async #freshTokens(refused: string | undefined): Promise<Tokens | string> {
    const saved = this.#signIn.get()
    if (!saved) return 'session_ended'
    if (isFresh(saved) && !this.#signIn.isRejected(saved, refused)) return saved
    return this.#signIn.refresh(saved, this.#dropTokens)
  }

  /** The user has signed out while the tokens were on their way. */
  readonly #dropTokens = ({ refreshToken }: Tokens): string => {
    void this.#api.post('/api/v1.0/auth/logout', { refresh_token: refreshToken })
    return 'session_ended'
  }

  #setSignedIn({ userId, login, displayName }: Tokens): void {
    const state = this.get()
    const user = { userId, login, displayName }
    const isSame = state.is === 'in' && JSON.stringify(state.user) === JSON.stringify(user)
    if (!isSame) this.set({ is: 'in', user })
  }

  #setSignedOut(expired: boolean): void {
    this.#signIn.discard()
    if (this.get().is === 'in') this.set({ is: 'out', expired })
  }
}

/** Null: success. */
function problemOf(answer: ApiResponse): SignInProblem | null {
  if (answer.is === 'ok') return null
  if (answer.is === 'unreachable') return { is: 'unreachable' }
  const { status, code, retryAfterMs } = answer
  if (status === 429) return { is: 'limited', until: Date.now() + (retryAfterMs ?? DEFAULT_RATE_LIMIT_MS) }
  if (code === 'account_deleted') return { is: 'deleted' }
  if (code === 'account_disabled') return { is: 'disabled' }
  if (code === 'temporarily_unavailable') return { is: 'busy' }
  if (code === 'not_configured') return { is: 'unconfigured' }
  // The server rejects malformed names and passwords without looking them up.
  return code === 'invalid_credentials' || code === 'invalid_argument' ? { is: 'wrong' } : { is: 'failing' }
}

/** The name that other participants see. */
export const nameOf = ({ displayName, login }: User): string => displayName || login
