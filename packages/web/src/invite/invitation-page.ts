import { Observable } from '@lectern/common'
import type { Api, ApiResponse } from '../api/api.ts'
import type { Account } from '../identity/account.ts'

export interface Invitation {
  login: string
  displayName: string
  hasPassword: boolean
  expiresAt: number
}

/** Why an invitation cannot be shown. */
export type InvitationProblem =
  | 'invalid'
  | 'expired'
  | 'disabled'
  | 'passwordsOff'
  | 'unreachable'
  | 'limited'
  | 'failing'

const REPEATABLE = ['unreachable', 'limited', 'failing'] as const
type Repeatable = (typeof REPEATABLE)[number]

/** Whether opening the link again cannot help. */
export const isFinal = (problem: InvitationProblem): problem is Exclude<InvitationProblem, Repeatable> =>
  !REPEATABLE.includes(problem as Repeatable)

/** Why accepting failed, and may be repeated. */
export type AcceptFailure = 'busy' | 'unconfigured' | 'limited' | 'unreachable' | 'failing'

export type InvitationState =
  | { is: 'loading' }
  | { is: 'problem'; problem: InvitationProblem }
  | { is: 'open'; invitation: Invitation; failure: AcceptFailure | null; isAccepting: boolean }

interface Options {
  /** Part of the URL: a secret. */
  token: string
  api: Pick<Api, 'get'>
  account: Pick<Account, 'signInBy'>
  /** The account is signed in. */
  onAccepted: () => void
}

/** An invitation link: shows for whom it is, and sets the password. */
export class InvitationPage extends Observable<InvitationState> {
  readonly #options: Options
  readonly #path: string

  constructor(options: Options) {
    super({ is: 'loading' })
    this.#options = options
    // A valid token needs no escapes; a damaged one stays damaged.
    this.#path = `/api/v1.0/invitations/${encodeURIComponent(options.token)}`
  }

  readonly load = async (): Promise<void> => {
    this.set({ is: 'loading' })
    const answer = await this.#options.api.get(this.#path)
    const invitation = answer.is === 'ok' ? readInvitation(answer.body) : null
    if (invitation) this.set({ is: 'open', invitation, failure: null, isAccepting: false })
    else this.set({ is: 'problem', problem: problemOf(answer) })
  }

  readonly accept = async (password: string): Promise<void> => {
    const state = this.get()
    if (state.is !== 'open' || state.isAccepting) return
    this.set({ ...state, failure: null, isAccepting: true })
    const answer = await this.#options.account.signInBy(this.#path, { password })
    if (answer.is === 'ok') return this.#options.onAccepted()
    const problem = problemOf(answer)
    if (isFinal(problem)) this.set({ is: 'problem', problem })
    else this.set({ ...state, failure: failureOf(answer, problem), isAccepting: false })
  }
}

function readInvitation(body: unknown): Invitation | null {
  const { login, display_name, has_password, expires_at_ms } = (body ?? {}) as Record<string, unknown>
  if (typeof login !== 'string' || typeof display_name !== 'string' || typeof expires_at_ms !== 'number')
    return null
  return { login, displayName: display_name, hasPassword: has_password === true, expiresAt: expires_at_ms }
}

function problemOf(answer: ApiResponse): InvitationProblem {
  if (answer.is === 'ok') return 'failing'
  if (answer.is === 'unreachable') return 'unreachable'
  switch (answer.code) {
    case 'invitation_invalid':
    case 'invalid_argument': // a damaged token
    case 'not_found':
      return 'invalid'
    case 'invitation_expired':
      return 'expired'
    case 'account_disabled':
      return 'disabled'
    case 'password_sign_in_disabled':
      return 'passwordsOff'
    default:
      return answer.status === 429 ? 'limited' : 'failing'
  }
}

function failureOf(answer: ApiResponse, problem: Repeatable): AcceptFailure {
  const code = answer.is === 'refused' ? answer.code : null
  if (code === 'temporarily_unavailable') return 'busy'
  return code === 'not_configured' ? 'unconfigured' : problem
}
