import { Observable } from '@lectern/common'
import type { ApiResponse } from '../../api/api.ts'
import type { Account } from '../../identity/account.ts'

/** `url`: known only after it was created on this page. */
export type CalendarLinkState =
  | { is: 'loading' | 'unknown' | 'none' }
  | { is: 'known'; createdAt: number; url: string | null }

const PATH = '/api/v1.0/me/calendar'

/** The secret link of the user's calendar. The actions resolve with their success. */
export class CalendarLink extends Observable<CalendarLinkState> {
  readonly #request: Account['request']

  constructor({ request }: Pick<Account, 'request'>) {
    super({ is: 'loading' })
    this.#request = request
  }

  readonly load = async (): Promise<void> => {
    const answer = await this.#request({ method: 'GET', path: PATH })
    const createdAt = fieldOf(answer, 'created_at_ms')
    this.set(
      typeof createdAt === 'number'
        ? { is: 'known', createdAt, url: null }
        : { is: answer.is === 'ok' ? 'none' : 'unknown' },
    )
  }

  /** Replaces the earlier link. */
  readonly create = async (): Promise<boolean> => {
    const answer = await this.#request({ method: 'POST', path: PATH })
    const [createdAt, url] = [fieldOf(answer, 'created_at_ms'), fieldOf(answer, 'url')]
    if (typeof createdAt !== 'number' || typeof url !== 'string') return false
    this.set({ is: 'known', createdAt, url })
    return true
  }

  readonly revoke = async (): Promise<boolean> => {
    const answer = await this.#request({ method: 'DELETE', path: PATH })
    if (answer.is === 'ok') this.set({ is: 'none' })
    return answer.is === 'ok'
  }
}

const fieldOf = (answer: ApiResponse, name: string): unknown =>
  answer.is === 'ok' ? ((answer.body ?? {}) as Record<string, unknown>)[name] : undefined
