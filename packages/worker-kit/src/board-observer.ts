import { type ControlClient, WatchedPage } from '@lectern/control-client'
import { type BoardIndex, POINT_NUMBERS } from '@lectern/protocol/control/client'
import { nowMs } from './clock.ts'
import type { BoardListener } from './ports.ts'

/** The server permits 40 pages to one connection. */
const PAGES_MAX = 32

interface Ink {
  element_id: string
  first_index: number
  points: number[]
}

/** Follows the pages of a board that were shown last. Others are not watched: nobody sees them. */
export class BoardObserver {
  readonly #client: ControlClient
  readonly #sessionId: string
  readonly #listener: BoardListener
  /** The one that was shown last comes last. */
  readonly #pages = new Map<string, { page: WatchedPage; close: () => void }>()
  readonly #stop: () => void
  /** Pages that another observer has followed. */
  #former: readonly string[]
  #index: BoardIndex | undefined

  constructor(
    client: ControlClient,
    sessionId: string,
    listener: BoardListener,
    former: readonly string[] = [],
  ) {
    this.#former = former
    this.#client = client
    this.#sessionId = sessionId
    this.#listener = listener
    const view = client.session(sessionId)
    this.#stop = view.subscribe(() => this.#update(view.get()?.board))
    this.#update(view.get()?.board)
  }

  /** The ids of the pages that are followed. What is drawn on them while they are not shown counts, too. */
  get pageIds(): string[] {
    return [...this.#pages.keys()]
  }

  close(): void {
    this.#stop()
    for (const pageId of [...this.#pages.keys()]) this.#leave(pageId)
  }

  #update(index: BoardIndex | undefined): void {
    if (!index || index === this.#index) return
    this.#index = index
    this.#listener.changed(index, nowMs())
    const present = new Set(index.pages.map(({ page_id }) => page_id))
    for (const pageId of [...this.#pages.keys()]) if (!present.has(pageId)) this.#leave(pageId)
    for (const pageId of this.#former) if (present.has(pageId)) this.#follow(pageId)
    this.#former = []
    if (index.shown_page_id !== null) this.#follow(index.shown_page_id)
  }

  #follow(pageId: string): void {
    const known = this.#pages.get(pageId)
    if (known) {
      this.#pages.delete(pageId)
      this.#pages.set(pageId, known)
      return
    }
    const [oldest] = this.#pages.keys()
    if (oldest !== undefined && this.#pages.size >= PAGES_MAX) this.#leave(oldest)
    const page = new WatchedPage(this.#client, this.#sessionId, pageId)
    const stops = [
      page.on(change => {
        if (change.is === 'replaced') this.#listener.opened(pageId, [...page.elements.values()], nowMs())
      }),
      this.#client.onEvent(({ stream_id, name, body }) => {
        if (stream_id === page.streamId) this.#listener.happened(pageId, name, body, nowMs())
      }),
      this.#client.onSignal(({ streamId, name, body }) => {
        if (streamId !== page.streamId || name !== 'board.ink') return
        const { element_id, first_index, points } = body as unknown as Ink
        this.#listener.inked?.(pageId, element_id, first_index + points.length / POINT_NUMBERS, nowMs())
      }),
    ]
    const close = () => {
      for (const stop of stops) stop()
      page.close()
    }
    this.#pages.set(pageId, { page, close })
  }

  #leave(pageId: string): void {
    this.#pages.get(pageId)?.close()
    this.#pages.delete(pageId)
  }
}
