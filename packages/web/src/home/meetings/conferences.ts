import { Observable } from '@lectern/common'
import type { ConferenceRequest, OrdinaryEntry } from '@lectern/protocol'
import type { ApiResponse } from '../../api/api.ts'
import type { Account } from '../../identity/account.ts'
import { type OwnConference, readOwn, readOwnList } from './own-conference.ts'

/** `stale`: the last refresh failed; the list may be out of date. */
export type ConferencesState =
  | { is: 'loading' }
  | { is: 'unknown' } // the first request failed
  | { is: 'known'; list: readonly OwnConference[]; stale: boolean }

const PATH = '/api/v1.0/conferences'
const pathOf = (tag: string) => `${PATH}/${encodeURIComponent(tag)}`

/** The conferences of the signed-in user. The actions resolve with their success. */
export class Conferences extends Observable<ConferencesState> {
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
    const list = answer.is === 'ok' ? readOwnList(answer.body) : null
    const state = this.get()
    if (list) this.set({ is: 'known', list, stale: false })
    else this.set(state.is === 'known' ? { ...state, stale: true } : { is: 'unknown' })
  }

  readonly create = async (title: string, entry: OrdinaryEntry): Promise<OwnConference | null> => {
    const body = { ...(title && { title }), entry }
    const made = ownOf(await this.#request({ method: 'POST', path: PATH, body }))
    if (made) this.#change(list => [made, ...list.filter(({ tag }) => tag !== made.tag)])
    return made
  }

  readonly rename = (tag: string, title: string): Promise<boolean> => this.#update(tag, { title })

  readonly setEntry = (tag: string, entry: OrdinaryEntry): Promise<boolean> => this.#update(tag, { entry })

  /** Without a start it is not planned any more. */
  readonly plan = (tag: string, starts_at: string | null, ends_at: string | null): Promise<boolean> =>
    this.#update(tag, { starts_at, ends_at })

  /** Permanent, and for all participants. */
  readonly remove = async (tag: string): Promise<boolean> => {
    const answer = await this.#request({ method: 'DELETE', path: pathOf(tag) })
    // Another tab may have deleted it.
    const isDeleted =
      answer.is === 'ok' || (answer.is === 'refused' && answer.code === 'conference_not_found')
    if (isDeleted) this.#change(list => list.filter(each => each.tag !== tag))
    return isDeleted
  }

  async #update(tag: string, body: ConferenceRequest): Promise<boolean> {
    const updated = ownOf(await this.#request({ method: 'PATCH', path: pathOf(tag), body }))
    if (updated) this.#change(list => list.map(each => (each.tag === tag ? updated : each)))
    return updated !== null
  }

  #change(to: (list: readonly OwnConference[]) => readonly OwnConference[]): void {
    this.#changes++
    const state = this.get()
    if (state.is === 'known') this.set({ ...state, list: to(state.list) })
  }
}

const ownOf = (answer: ApiResponse) => (answer.is === 'ok' ? readOwn(answer.body) : null)
