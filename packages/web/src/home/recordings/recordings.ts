import { Observable } from '@lectern/common'
import type { OwnRecordingListResponse, OwnRecordingView, UnfinishedRecordingView } from '@lectern/protocol'
import type { ApiResponse } from '../../api/api.ts'
import type { Account } from '../../identity/account.ts'

/** `stale`: the last refresh failed; the list may be out of date. */
export type RecordingsState =
  | { is: 'loading' }
  | { is: 'unknown' } // the first request failed
  | {
      is: 'known'
      list: readonly OwnRecordingView[]
      unfinished: readonly UnfinishedRecordingView[]
      /** The cursor of the next page; null: all are listed. */
      next: string | null
      stale: boolean
    }

export const RECORDINGS_PATH = '/api/v1.0/me/recordings'

/** The recordings of the signed-in user's conferences, page by page. */
export class Recordings extends Observable<RecordingsState> {
  readonly #request: Account['request']

  constructor({ request }: Pick<Account, 'request'>) {
    super({ is: 'loading' })
    this.#request = request
  }

  /** Loads the first page; pages that were loaded before remain below it. */
  readonly load = async (): Promise<void> => {
    if (this.get().is === 'unknown') this.set({ is: 'loading' })
    const page = readPage(await this.#request({ method: 'GET', path: RECORDINGS_PATH }))
    const state = this.get()
    if (!page) return this.set(state.is === 'known' ? { ...state, stale: true } : { is: 'unknown' })
    const { recordings, unfinished, next } = page
    const older = state.is === 'known' && next !== null ? olderThan(state.list, recordings) : null
    this.set({
      is: 'known',
      list: [...recordings, ...(older ?? [])],
      unfinished,
      next: state.is === 'known' && older?.length ? state.next : next,
      stale: false,
    })
  }

  readonly loadMore = async (): Promise<void> => {
    const state = this.get()
    if (state.is !== 'known' || state.next === null) return
    const page = readPage(
      await this.#request({ method: 'GET', path: `${RECORDINGS_PATH}?before=${state.next}` }),
    )
    const now = this.get()
    if (now.is !== 'known') return
    if (!page) return this.set({ ...now, stale: true })
    if (now.next !== state.next) return // another call was faster
    this.set({ ...now, list: [...now.list, ...page.recordings], next: page.next, stale: false })
  }
}

/** The recordings after the last of these; null when it is unknown, because they were all added since. */
function olderThan(
  list: readonly OwnRecordingView[],
  newest: readonly OwnRecordingView[],
): readonly OwnRecordingView[] | null {
  const last = newest.at(-1)
  const index = list.findIndex(each => each.recording_id === last?.recording_id)
  return index < 0 ? null : list.slice(index + 1)
}

function readPage(answer: ApiResponse): OwnRecordingListResponse | null {
  if (answer.is !== 'ok') return null
  const page = answer.body as Partial<OwnRecordingListResponse> | null
  return Array.isArray(page?.recordings) && Array.isArray(page.unfinished)
    ? (page as OwnRecordingListResponse)
    : null
}
