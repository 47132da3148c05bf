import { Observable } from '@lectern/common'
import type { SignInMethods, SsoStartResponse } from '@lectern/protocol'
import type { Api, ApiResponse } from '../api/api.ts'
import type { Account } from '../identity/account.ts'
import type { StoredValue } from '../stored-value.ts'

/** Why a sign-in at the identity provider did not work. `storage`: the browser blocks session storage. */
export type SsoProblem =
  | 'expired'
  | 'cancelled'
  | 'no-account'
  | 'deleted'
  | 'disabled'
  | 'taken'
  | 'provider'
  | 'limited'
  | 'unreachable'
  | 'storage'
  | 'failing'

/** The sign-in that this tab has started at the provider. */
interface Started {
  ticket: string
  /** The path of ours at which the user continues. */
  returnTo: string
  /** `link`: the user was signed in and links the identity to the account. */
  purpose: 'sign-in' | 'link'
}

export type SsoReturn =
  | { is: 'completing' }
  | { is: 'done'; returnTo: string }
  | { is: 'failed'; problem: SsoProblem; returnTo: string; purpose: Started['purpose'] }

const PROBLEMS: Record<string, SsoProblem> = {
  sign_in_expired: 'expired',
  sign_in_cancelled: 'cancelled',
  sign_up_not_allowed: 'no-account',
  account_deleted: 'deleted',
  account_disabled: 'disabled',
  identity_taken: 'taken',
  identity_provider_unavailable: 'provider',
  rate_limited: 'limited',
}

interface SingleSignOnOptions {
  api: Api
  account: Pick<Account, 'request' | 'signInBy'>
  /** In the session storage of the tab. */
  storage: StoredValue
  location: Pick<Location, 'assign'>
}

/** Sign-in at the identity provider of the server (docs/single-sign-on.md). Null: not known yet which ways exist. */
export class SingleSignOn extends Observable<SignInMethods | null> {
  readonly #parts: SingleSignOnOptions
  #loading: Promise<void> | null = null

  constructor(parts: SingleSignOnOptions) {
    super(null)
    this.#parts = parts
  }

  /** Requests how people sign in, once. Where that fails, a password is asked for. */
  readonly load = (): Promise<void> => {
    this.#loading ??= this.#load()
    return this.#loading
  }

  /** Leaves for the provider. Resolves with the reason if that is impossible. */
  readonly start = async (
    returnTo: string,
    purpose: Started['purpose'] = 'sign-in',
  ): Promise<SsoProblem | null> => {
    const { api, account, storage, location } = this.#parts
    const answer =
      purpose === 'link'
        ? await account.request({ method: 'POST', path: '/api/v1.0/me/identities/start', body: {} })
        : await api.post('/api/v1.0/auth/sso/start', {})
    if (answer.is !== 'ok') return problemOf(answer)
    const { authorization_url, ticket } = answer.body as SsoStartResponse
    // Leaving the page clears its memory, so the ticket must be stored.
    if (!storage.set(JSON.stringify({ ticket, returnTo, purpose } satisfies Started))) return 'storage'
    location.assign(authorization_url)
    return null
  }

  /** Completes what this tab has started, with the query that the provider returned. */
  complete(query: string): Observable<SsoReturn> {
    const state = new Completion()
    const { storage } = this.#parts
    const started = readStarted(storage.get())
    storage.remove()
    void this.#complete(query, started).then(problem => {
      const { returnTo = '/', purpose = 'sign-in' } = started ?? {}
      state.end(problem ? { is: 'failed', problem, returnTo, purpose } : { is: 'done', returnTo })
    })
    return state
  }

  async #complete(query: string, started: Started | null): Promise<SsoProblem | null> {
    if (!started) return 'expired'
    const { account } = this.#parts
    const body = { query, ticket: started.ticket }
    if (started.purpose === 'link')
      return problemOf(await account.request({ method: 'POST', path: '/api/v1.0/me/identities', body }))
    return problemOf(await account.signInBy('/api/v1.0/auth/sso/complete', body))
  }

  async #load(): Promise<void> {
    const answer = await this.#parts.api.get('/api/v1.0/server_info')
    const info = answer.is === 'ok' ? (answer.body as { sign_in?: SignInMethods } | null) : null
    if (info?.sign_in) return this.set(info.sign_in)
    this.#loading = null // the next page tries again
    this.set({ password: true, password_reset: false, sso: false, sso_name: '' })
  }
}

class Completion extends Observable<SsoReturn> {
  constructor() {
    super({ is: 'completing' })
  }
  end(state: SsoReturn): void {
    this.set(state)
  }
}

function problemOf(answer: ApiResponse): SsoProblem | null {
  if (answer.is === 'ok') return null
  if (answer.is === 'unreachable') return 'unreachable'
  return PROBLEMS[answer.code ?? ''] ?? 'failing'
}

/** Reads a stored state, which may be of another version, or foreign: only a path of ours is followed. */
function readStarted(text: string | null): Started | null {
  try {
    const { ticket, returnTo, purpose } = JSON.parse(text ?? '') as Partial<Started>
    if (typeof ticket !== 'string' || typeof returnTo !== 'string' || !/^\/(?![/\\])/.test(returnTo))
      return null
    return { ticket, returnTo, purpose: purpose === 'link' ? 'link' : 'sign-in' }
  } catch {
    return null
  }
}
