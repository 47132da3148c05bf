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

/** The calls of the account: loaded in pages, kept up to date by events. Its owner closes it. */
export class CallHistory extends Observable<CallHistoryState> {
  readonly #connection: Connection
  readonly #stop: (() => void)[]
  #isClosed = false

  constructor(connection: Connection) {
    super({ is: 'loading' })
    this.#connection = connection
    this.#stop = [
      connection.onEvent(({ name, body }) => {
        if (name === 'call.changed') this.#put((body as unknown as { call: CallInfo }).call)
        if (name === 'call.unseen') whenVisible(this.#markSeen)
      }),
      // Events may have been missed.
      connection.onSnapshot(() => void this.reload()),
    ]
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#stop) stop()
  }

  /** Loads the newest calls. */
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
      if (this.#isClosed) return
      const known = this.get()
      const earlier = before !== null && known.is === 'loaded' ? known.calls : []
      this.set({ is: 'loaded', calls: [...earlier, ...calls], hasMore: has_more, isLoadingMore: false })
      whenVisible(this.#markSeen)
    } catch {
      if (this.#isClosed) return
      const known = this.get()
      this.set(known.is === 'loaded' ? { ...known, isLoadingMore: false } : { is: 'failed' })
    }
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

  /** Whoever sees the list has seen the missed calls. */
  readonly #markSeen = (): void => {
    const state = this.get()
    const newest = state.is === 'loaded' ? state.calls[0] : undefined
    if (!newest || !this.#connection.get().view?.missed_calls) return
    const { command, self } = this.#connection
    command('call.seen', self, { call_id: newest.call_id }).catch(() => {})
  }
}
