import { Emitter, type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal } from '@lectern/control-client'
import {
  applyPageEvent,
  type BoardIndex,
  type CommandBody,
  type CommandName,
  type PageElements,
  type PageState,
  pageElements,
  pageStream,
  type SignalBody,
} from '@lectern/protocol/control/client'
import type { CurrentSession } from '../current-session.ts'
import type { Membership } from '../membership.ts'
import { type Control, type ParticipantRef, sessionTarget } from '../ports.ts'

type BoardCommand = Extract<CommandName, `board.${string}`>
type BoardSignal = 'board.ink' | 'board.pointer'

/** Elements of a page have changed; without ids: any of them. */
export interface PageChange {
  pageId: string
  ids: readonly string[] | null
}

/** What somebody else draws, or where they point, on a page. */
export type PageSignal = { pageId: string; sourceId: string; ttlMs: number } & {
  [N in BoardSignal]: { name: N; body: SignalBody<N> }
}[BoardSignal]

interface WatchedPage {
  watchers: number
  /** Null: they have not arrived. */
  elements: PageElements | null
}

/** Signals wait no longer than this for a connection. */
const TTL_MS = 2_000

/** The deck of the conference as the server has it: its index, and the content of the pages that are watched. */
export class BoardLink extends Observable<BoardIndex | null> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #pages = new Map<string, WatchedPage>()
  readonly #pageChanged = new Emitter<PageChange>()
  readonly #signalled = new Emitter<PageSignal>()
  readonly #rejoined = new Emitter<void>()
  #participant: ParticipantRef | null = null

  constructor(control: Control, membership: Membership, session: CurrentSession, lifetime: Lifetime) {
    super(null)
    this.#control = control
    this.#membership = membership
    lifetime.defer(session.subscribe(() => this.set(session.get()?.board ?? null)))
    lifetime.defer(membership.subscribe(() => this.#onMembership()))
    lifetime.defer(
      control.onSnapshot(({ streamId, state }) => {
        const page = this.#pageOf(streamId)
        if (page) this.#replace(page, pageElements(state as unknown as PageState))
      }),
    )
    lifetime.defer(
      control.onEvent(({ stream_id, name, body }) => {
        const pageId = this.#pageOf(stream_id)
        const elements = pageId === null ? null : this.#pages.get(pageId)?.elements
        if (pageId === null || !elements) return
        this.#pageChanged.emit({ pageId, ids: applyPageEvent(elements, name, body) })
      }),
    )
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
  }

  readonly onPage = this.#pageChanged.on
  readonly onSignal = this.#signalled.on
  /** The connection is new to the server: what it has not answered is unknown to it. */
  readonly onRejoin = this.#rejoined.on

  /** The elements as the server has them; null: they have not arrived. */
  readonly page = (pageId: string): PageElements | null => this.#pages.get(pageId)?.elements ?? null

  /** Follows a page until the returned function is called. */
  readonly watch = (pageId: string): (() => void) => {
    const page = this.#pages.get(pageId) ?? { watchers: 0, elements: null }
    this.#pages.set(pageId, page)
    if (page.watchers++ === 0) this.#send('board.watch', pageId)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      if (--page.watchers > 0) return
      this.#pages.delete(pageId)
      this.#send('board.unwatch', pageId)
    }
  }

  /** Rejects with a ControlFailure. */
  readonly command = <N extends BoardCommand>(name: N, body: CommandBody<N>) => {
    const participant = this.#joined
    if (!participant) return Promise.reject(new Error('not in the session'))
    return this.#control.command(name, sessionTarget(participant), body)
  }

  readonly signal = <N extends BoardSignal>(name: N, pageId: string, body: SignalBody<N>): void => {
    const participant = this.#joined
    if (!participant) return
    const { sessionId, participantId } = participant
    this.#control.sendSignal({
      streamId: pageStream(sessionId, pageId),
      sourceId: participantId,
      name,
      body,
      ttlMs: TTL_MS,
    })
  }

  get #joined(): ParticipantRef | null {
    const state = this.#membership.get()
    return state.is === 'joined' ? state.participant : null
  }

  /** Null: not the stream of a page that is watched. */
  #pageOf(streamId: string): string | null {
    const prefix = pageStream(this.#participant?.sessionId ?? '', '')
    const pageId = streamId.startsWith(prefix) ? streamId.slice(prefix.length) : ''
    return this.#pages.has(pageId) ? pageId : null
  }

  #replace(pageId: string, elements: PageElements): void {
    const page = this.#pages.get(pageId)
    if (!page) return
    page.elements = elements
    this.#pageChanged.emit({ pageId, ids: null })
  }

  /** Streams of pages belong to a connection. */
  #onMembership(): void {
    const participant = this.#joined
    if (!participant || participant === this.#participant) return
    const isFirst = this.#participant === null
    this.#participant = participant
    for (const pageId of this.#pages.keys()) this.#send('board.watch', pageId)
    if (!isFirst) this.#rejoined.emit()
  }

  /** A page that cannot be watched stays as it is: it has been removed, or the next connection watches it. */
  #send(name: 'board.watch' | 'board.unwatch', pageId: string): void {
    this.#participant ??= this.#joined
    void this.command(name, { page_id: pageId }).catch(() => {})
  }

  #onSignal({ name, streamId, sourceId, body, ttlMs }: IncomingSignal): void {
    if (name !== 'board.ink' && name !== 'board.pointer') return
    const pageId = this.#pageOf(streamId)
    if (pageId !== null) this.#signalled.emit({ pageId, sourceId, ttlMs, name, body } as PageSignal)
  }
}
