import { type PageEvent, type PageState, pageStream } from '@lectern/protocol/control'
import type { PageRef, PageSink } from '../sessions/board/ports.ts'
import { pageEpoch } from './epochs.ts'
import { type Signal, Stream, type StreamEncoder, type Window } from './stream.ts'

/** Thirty people who draw fill the window of a session in seconds. */
const PAGE_WINDOW: Window = { events: 4_000, characters: 2_097_152 }

/** The streams of the pages that this server has open (rule BOARD-3). */
export class PageStreams implements PageSink {
  readonly #encoder: StreamEncoder
  readonly #sessions = new Map<
    number,
    { incarnation: number; openings: number; pages: Map<string, Stream> }
  >()

  constructor(encoder: StreamEncoder) {
    this.#encoder = encoder
  }

  get size(): number {
    return [...this.#sessions.values()].reduce((sum, { pages }) => sum + pages.size, 0)
  }

  open({ sessionId, incarnation, pageId }: PageRef, state: () => PageState | null): void {
    const known = this.#sessions.get(sessionId)
    const session =
      known?.incarnation === incarnation
        ? known
        : { incarnation, openings: 0, pages: new Map<string, Stream>() }
    this.#sessions.set(sessionId, session)
    const stream: Stream = new Stream({
      id: pageStream(String(sessionId), pageId),
      epoch: pageEpoch(incarnation, ++session.openings),
      subject: { kind: 'board_page', id: `${sessionId}.${pageId}` },
      encoder: this.#encoder,
      state: () => (session.pages.get(pageId) === stream ? state() : null),
      window: PAGE_WINDOW,
    })
    session.pages.set(pageId, stream)
  }

  /** Undefined while the page is not open. */
  find(sessionId: number, pageId: string): Stream | undefined {
    return this.#sessions.get(sessionId)?.pages.get(pageId)
  }

  publish({ sessionId, pageId }: PageRef, { name, body }: PageEvent, version: number): void {
    this.find(sessionId, pageId)?.publish({ name, body, version: String(version) })
  }

  watchersOf({ sessionId, pageId }: Pick<PageRef, 'sessionId' | 'pageId'>): string[] {
    return [...(this.find(sessionId, pageId)?.subscribers.keys() ?? [])]
  }

  detach({ sessionId, pageId }: Pick<PageRef, 'sessionId' | 'pageId'>, key: string): void {
    this.find(sessionId, pageId)?.detach(key)
  }

  /** A participant, or an observer, leaves the session. */
  detachFromAll(sessionId: number, key: string): void {
    for (const stream of this.#sessions.get(sessionId)?.pages.values() ?? []) stream.detach(key)
  }

  close({ sessionId, pageId }: Pick<PageRef, 'sessionId' | 'pageId'>): void {
    const stream = this.find(sessionId, pageId)
    if (!stream) return
    for (const key of [...stream.subscribers.keys()]) stream.detach(key)
    this.#sessions.get(sessionId)?.pages.delete(pageId)
  }

  closeAll(sessionId: number): void {
    for (const pageId of [...(this.#sessions.get(sessionId)?.pages.keys() ?? [])])
      this.close({ sessionId, pageId })
    this.#sessions.delete(sessionId)
  }

  /** Lossy, to all who watch the page except the sender. */
  signal({ sessionId, pageId }: Pick<PageRef, 'sessionId' | 'pageId'>, signal: Signal): void {
    this.find(sessionId, pageId)?.signal(signal, signal.sourceId)
  }
}
