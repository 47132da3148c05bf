import { Observable } from '@lectern/common'
import type { ApiResponse } from '../../api/api.ts'
import type { Account } from '../../identity/account.ts'

export interface SignIn {
  id: string
  /** Null: unknown, like `platform`. */
  browser: string | null
  platform: string | null
  createdAt: number
  usedAt: number
  isCurrent: boolean
}

/** `stale`: the last refresh failed. `total` may exceed the list. */
export type SignInsState =
  | { is: 'loading' }
  | { is: 'unknown' } // the first request failed
  | { is: 'known'; list: readonly SignIn[]; total: number; stale: boolean }

const PATH = '/api/v1.0/me/sign-ins'

/** The active sign-ins of the account, the current one first. The actions resolve with their success. */
export class SignIns extends Observable<SignInsState> {
  readonly #request: Account['request']
  /** Incremented by every change: responses to earlier requests are outdated. */
  #changes = 0

  constructor({ request }: Pick<Account, 'request'>) {
    super({ is: 'loading' })
    this.#request = request
  }

  readonly load = async (): Promise<void> => {
    if (this.get().is === 'unknown') this.set({ is: 'loading' })
    const before = this.#changes
    const answer = await this.#request({ method: 'GET', path: PATH })
    if (before !== this.#changes) return
    const known = readSignIns(answer)
    const state = this.get()
    if (known) this.set({ is: 'known', ...known, stale: false })
    else this.set(state.is === 'known' ? { ...state, stale: true } : { is: 'unknown' })
  }

  readonly end = async (id: string): Promise<boolean> => {
    const path = `${PATH}/${encodeURIComponent(id)}`
    const answer = await this.#request({ method: 'DELETE', path })
    const hasEnded = answer.is === 'ok' || (answer.is === 'refused' && answer.code === 'sign_in_not_found')
    if (hasEnded) this.#keep(each => each.id !== id, 1)
    return hasEnded
  }

  readonly endOthers = async (): Promise<boolean> => {
    const answer = await this.#request({ method: 'DELETE', path: PATH })
    if (answer.is === 'ok') this.#keep(each => each.isCurrent, Number.POSITIVE_INFINITY)
    return answer.is === 'ok'
  }

  #keep(isKept: (signIn: SignIn) => boolean, ended: number): void {
    this.#changes++
    const state = this.get()
    if (state.is !== 'known') return
    const list = state.list.filter(isKept)
    this.set({ ...state, list, total: Math.max(list.length, state.total - ended) })
  }
}

function readSignIns(answer: ApiResponse): { list: SignIn[]; total: number } | null {
  if (answer.is !== 'ok') return null
  const { sign_ins, total } = (answer.body ?? {}) as Record<string, unknown>
  if (!Array.isArray(sign_ins) || typeof total !== 'number') return null
  const list = sign_ins.flatMap(each => readSignIn(each) ?? [])
  return { list: list.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent)), total }
}

function readSignIn(value: unknown): SignIn | null {
  const { id, browser, platform, created_at_ms, used_at_ms, is_current } = (value ?? {}) as Record<
    string,
    unknown
  >
  if (typeof id !== 'string' || typeof created_at_ms !== 'number' || typeof used_at_ms !== 'number')
    return null
  const textOrNull = (each: unknown) => (typeof each === 'string' ? each : null)
  return {
    id,
    browser: textOrNull(browser),
    platform: textOrNull(platform),
    createdAt: created_at_ms,
    usedAt: used_at_ms,
    isCurrent: is_current === true,
  }
}
