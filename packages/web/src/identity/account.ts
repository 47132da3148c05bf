import type { Answer, Api, Question } from '../api/api.ts'
import { Observable } from '../observable.ts'
import { isFresh, readSignIn, type Tokens } from './identity.ts'
import { KeptSignIn, type KeptSignInParts } from './kept-sign-in.ts'

/** `lost`: the server has ended the sign-in, which nobody here has asked for. */
export type AccountState = { is: 'out'; lost: boolean } | { is: 'in'; user: User }

export interface User {
  userId: number
  login: string
  displayName: string
}

/** Why somebody is not signed in now. */
export type SignInTrouble =
  | { is: 'wrong' | 'deleted' | 'unreachable' | 'failing' }
  | { is: 'limited'; until: number }

const OVER = ['session_ended', 'account_deleted', 'unauthenticated']
const LIMITED_MS = 30_000 // when the server does not say how long

/** The account that this browser profile is signed in with, if any; its tabs share it. */
export class Account extends Observable<AccountState> {
  readonly #api: Api
  readonly #signIn: KeptSignIn

  constructor(parts: KeptSignInParts) {
    super({ is: 'out', lost: false })
    this.#api = parts.api
    this.#signIn = new KeptSignIn(parts)
    this.look()
  }

  /** Another tab may have signed in or out. */
  readonly look = (): void => {
    const saved = this.#signIn.get()
    if (saved) this.#enter(saved)
    else if (this.get().is === 'in') this.set({ is: 'out', lost: false })
  }

  /** Null: it worked. */
  readonly signIn = async (login: string, password: string): Promise<SignInTrouble | null> => {
    const answer = await this.#api.post('/api/v1.0/auth/login', { login, password })
    const trouble = troubleOf(answer)
    if (trouble) return trouble
    const tokens = readSignIn(answer)
    if (typeof tokens === 'string') return { is: 'failing' }
    this.#enter(this.#signIn.save(tokens))
    return null
  }

  /** Here at once, also while the server is out of reach. */
  readonly signOut = async (): Promise<void> => {
    const saved = this.#signIn.get()
    this.#leave(false)
    if (saved) await this.#api.post('/api/v1.0/auth/logout', { refresh_token: saved.refreshToken })
  }

  /** The server has said on another way that the sign-in is over. */
  readonly drop = (): void => this.#leave(true)

  /** Tokens, or the code of a refusal that is final. Rejects with NotNow while nobody can say. */
  readonly tokens = async (refused?: string): Promise<Tokens | string> => {
    const answer = await this.#signIn.exclusively(() => this.#next(refused))
    if (typeof answer !== 'string') return this.#signIn.give(answer)
    if (OVER.includes(answer)) this.#leave(true)
    return answer
  }

  /** Asks in the name of the account; a token that has expired meanwhile is replaced by another, once. */
  readonly ask = async (question: Omit<Question, 'token'>): Promise<Answer> => {
    const first = await this.#askOnce(question)
    return first.is === 'refused' && first.status === 401
      ? this.#askOnce(question, first.code ?? 'unauthenticated')
      : first
  }

  async #askOnce(question: Omit<Question, 'token'>, refused?: string): Promise<Answer> {
    try {
      const tokens = await this.tokens(refused)
      if (typeof tokens !== 'string') return await this.#api.ask({ ...question, token: tokens.accessToken })
      return { is: 'refused', status: 401, code: tokens, retryAfterMs: null }
    } catch {
      return { is: 'unreachable' }
    }
  }

  async #next(refused: string | undefined): Promise<Tokens | string> {
    const saved = this.#signIn.get()
    if (!saved) return 'session_ended'
    return isFresh(saved) && !this.#signIn.isRefused(saved, refused) ? saved : this.#signIn.refresh(saved)
  }

  #enter({ userId, login, displayName }: Tokens): void {
    const state = this.get()
    const user = { userId, login, displayName }
    const isSame = state.is === 'in' && JSON.stringify(state.user) === JSON.stringify(user)
    if (!isSame) this.set({ is: 'in', user })
  }

  #leave(lost: boolean): void {
    this.#signIn.forget()
    if (this.get().is === 'in') this.set({ is: 'out', lost })
  }
}

function troubleOf(answer: Answer): SignInTrouble | null {
  if (answer.is === 'ok') return null
  if (answer.is === 'unreachable') return { is: 'unreachable' }
  const { status, code, retryAfterMs } = answer
  if (status === 429) return { is: 'limited', until: Date.now() + (retryAfterMs ?? LIMITED_MS) }
  if (code === 'account_deleted') return { is: 'deleted' }
  // What the server does not even take for a name or a password is none of anybody's.
  return code === 'invalid_credentials' || code === 'invalid_argument' ? { is: 'wrong' } : { is: 'failing' }
}

/** What others see of the account's owner. */
export const nameOf = ({ displayName, login }: User): string => displayName || login
