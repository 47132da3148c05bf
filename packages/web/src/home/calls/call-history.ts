import { coalesced, Observable } from '@lectern/common'
import type { CallInfo } from '@lectern/protocol/control/client'
import type { AccountConnection } from '../../account-connection/account-connection.ts'
import { whenVisible } from '../when-visible.ts'

export type CallHistoryState =
  | { is: 'loading' }
  | { is: 'failed' }
  /** Newest first. */
  | { is: 'loaded'; calls: readonly CallInfo[]; hasMore: boolean; isLoadingMore: boolean }

const PAGE = 30

type Connection = Pick<AccountConnection, 'command' | 'get' | 'onEvent' | 'onSnapshot' | 'self'>

/** The calls of the account: loaded in pages, kept up to date by events while it is open. */
export class CallHistory extends Observable<CallHistoryState> {
  readonly #connection: Connection
  #viewers = 0

  constructor(connection: Connection) {
    super({ is: 'loading' })
    this.#connection = connection
  }

  /** Loads the newest calls, and follows events until the returned function is called. */
  readonly open = (): (() => void) => {
    const stopEvents = this.#connection.onEvent(({ name, body }) => {
      if (name === 'call.changed') this.#put((body as unknown as { call: CallInfo }).call)
      if (name === 'call.unseen') whenVisible(this.#markSeen)
    })
    // Events may have been missed.
    const stopSnapshots = this.#connection.onSnapshot(() => void this.reload())
    this.#viewers++
    void this.reload()
    return () => {
      this.#viewers--
      stopEvents()
      stopSnapshots()
    }
  }

  /** Loads the newest calls; older ones that follow them remain. */
  readonly reload: () => Promise<void> = coalesced(async () => {
    if (this.get().is === 'failed') this.set({ is: 'loading' })
    await this.#load(null)
  })

  readonly loadMore = async (): Promise<void> => {
    const state = this.get()
    const oldest = state.is === 'loaded' ? state.calls.at(-1) : undefined
    if (state.is !== 'loaded' || state.isLoadingMore || !oldest) return
    this.set({ ...state, isLoadingMore: true })
    await this.#load(oldest.call_id)
  }

  async #load(before: string | null): Promise<void> {
    const { command, self } = this.#connection
    try {
      const body = { limit: PAGE, ...(before !== null && { before }) }
      const { calls, has_more } = await command('call.list', self, body)
      const known = this.get()
      const loaded = known.is === 'loaded' ? known.calls : []
      if (before !== null) {
        // Otherwise what it followed was replaced meanwhile.
        if (loaded.at(-1)?.call_id === before) this.#show([...loaded, ...calls], has_more)
      } else {
        const older = olderThan(calls.at(-1), loaded)
        this.#show([...calls, ...older], known.is === 'loaded' && older.length > 0 ? known.hasMore : has_more)
      }
      whenVisible(this.#markSeen)
    } catch {
      const known = this.get()
      this.set(known.is === 'loaded' ? { ...known, isLoadingMore: false } : { is: 'failed' })
    }
  }

  #show(calls: readonly CallInfo[], hasMore: boolean): void {
    this.set({ is: 'loaded', calls, hasMore, isLoadingMore: false })
  }

  #put(call: CallInfo): void {
    const state = this.get()
    if (state.is !== 'loaded') return
    const known = state.calls.find(each => each.call_id === call.call_id)
    if (known && known.revision >= call.revision) return
    const calls = [...state.calls.filter(each => each !== known), call]
    calls.sort((a, b) => Number(b.call_id) - Number(a.call_id))
    this.set({ ...state, calls })
  }

  /** Somebody who sees the list has seen the missed calls. */
  readonly #markSeen = (): void => {
    if (this.#viewers === 0) return
    const state = this.get()
    const newest = state.is === 'loaded' ? state.calls[0] : undefined
    if (!newest || !this.#connection.get().view?.missed_calls) return
    const { command, self } = this.#connection
    command('call.seen', self, { call_id: newest.call_id }).catch(() => {})
  }
}

/** The calls after this one; none when it is unknown, because all were added since. */
function olderThan(call: CallInfo | undefined, list: readonly CallInfo[]): readonly CallInfo[] {
  const index = list.findIndex(each => each.call_id === call?.call_id)
  return index < 0 ? [] : list.slice(index + 1)
}
