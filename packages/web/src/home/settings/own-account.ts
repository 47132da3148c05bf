import { Observable } from '@lectern/common'
import type { ApiResponse } from '../../api/api.ts'
import type { Account } from '../../identity/account.ts'

export interface Profile {
  login: string
  displayName: string
  hasPassword: boolean
  email: string | null
  /** Whether missed calls are also sent by mail; null: they cannot be. */
  missedCallMails: boolean | null
}

export type ProfileState = { is: 'loading' } | { is: 'unknown' } | { is: 'known'; profile: Profile }

/** Why a password was not changed. */
export type PasswordProblem =
  | { is: 'wrong' | 'busy' | 'unanswered' | 'failing' }
  | { is: 'limited'; until: number }

const PATH = '/api/v1.0/me'
const DEFAULT_RATE_LIMIT_MS = 30_000 // when the server gives no delay

/** The account as its owner sees and changes it. */
export class OwnAccount extends Observable<ProfileState> {
  readonly #account: Pick<Account, 'request' | 'setDisplayName'>

  constructor(account: Pick<Account, 'request' | 'setDisplayName'>) {
    super({ is: 'loading' })
    this.#account = account
  }

  readonly load = async (): Promise<void> => {
    if (this.get().is === 'unknown') this.set({ is: 'loading' })
    this.#show(await this.#account.request({ method: 'GET', path: PATH }))
  }

  /** Resolves with the name that was stored, without what nobody can see of the typed one; null: it was not stored. */
  readonly rename = async (displayName: string): Promise<string | null> => {
    const body = { display_name: displayName }
    const answer = await this.#account.request({ method: 'PATCH', path: PATH, body })
    const profile = answer.is === 'ok' ? readProfile(answer.body) : null
    if (!profile) return null
    this.set({ is: 'known', profile })
    await this.#account.setDisplayName(profile.displayName)
    return profile.displayName
  }

  /** Resolves with the success. */
  readonly setMissedCallMails = async (isOn: boolean): Promise<boolean> => {
    const body = { missed_call_mails: isOn }
    const answer = await this.#account.request({ method: 'PATCH', path: PATH, body })
    this.#show(answer)
    return answer.is === 'ok'
  }

  /** Null: success. */
  readonly changePassword = async (current: string, next: string): Promise<PasswordProblem | null> => {
    const body = { current, new: next }
    return problemOf(await this.#account.request({ method: 'POST', path: `${PATH}/password`, body }))
  }

  #show(answer: ApiResponse): void {
    const profile = answer.is === 'ok' ? readProfile(answer.body) : null
    if (profile) this.set({ is: 'known', profile })
    else if (this.get().is !== 'known') this.set({ is: 'unknown' })
  }
}

function readProfile(body: unknown): Profile | null {
  const { login, display_name, has_password, email, missed_call_mails } = (body ?? {}) as Record<
    string,
    unknown
  >
  if (typeof login !== 'string' || typeof display_name !== 'string') return null
  return {
    login,
    displayName: display_name,
    hasPassword: has_password === true,
    email: typeof email === 'string' ? email : null,
    missedCallMails: typeof missed_call_mails === 'boolean' ? missed_call_mails : null,
  }
}

function problemOf(answer: ApiResponse): PasswordProblem | null {
  if (answer.is === 'ok') return null
  if (answer.is === 'unreachable') return { is: 'unanswered' }
  const { status, code, retryAfterMs } = answer
  if (status === 429) return { is: 'limited', until: Date.now() + (retryAfterMs ?? DEFAULT_RATE_LIMIT_MS) }
  if (code === 'wrong_password') return { is: 'wrong' }
  return { is: code === 'temporarily_unavailable' ? 'busy' : 'failing' }
}
