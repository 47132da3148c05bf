import { Emitter, type Lifetime, Observable } from '@lectern/common'
import { changeBoard, type IncomingSignal, WatchedPage } from '@lectern/control-client'
import {
  type BoardElement,
  type BoardIndex,
  type CommandBody,
  type CommandData,
  type CommandName,
  type commandData,
  type JsonObject,
  pageStream,
  type SignalBody,
} from '@lectern/protocol/control/client'
import type { CurrentSession } from '../current-session.ts'
import type { Membership } from '../membership.ts'
import { type Control, type ParticipantRef, sessionTarget } from '../ports.ts'

type BoardCommand = Exclude<
  Extract<CommandName, `board.${string}`>,
  ElementCommand | 'board.watch' | 'board.unwatch'
>
type ElementCommand = Parameters<typeof changeBoard>[2]
type DataOf<N extends ElementCommand | BoardCommand> = N extends keyof typeof commandData
  ? CommandData<N>
  : JsonObject
type BoardSignal = 'board.ink' | 'board.pointer'

/** Elements of a page have changed; without ids: any of them. */
export interface PageUpdate {
  pageId: string
  ids: readonly string[] | null
}

/** A drawing or pointer of somebody else, on a page. */
export type PageSignal = { pageId: string; sourceId: string; ttlMs: number } & {
  [N in BoardSignal]: { name: N; body: SignalBody<N> }
}[BoardSignal]

interface Watched {
  watchers: number
  page: WatchedPage
  /** The server does not let this person watch it: they may not, or watch too many. */
  isRefused: boolean
}

/** Signals wait no longer than this for a connection. */
const TTL_MS = 2_000

/** The deck of the conference as the server has it: its index, and the content of the pages that are watched. */
export class BoardLink extends Observable<BoardIndex | null> {
  readonly #control: Control
  readonly #membership: Membership
  readonly #pages = new Map<string, Watched>()
  readonly #pageChanged = new Emitter<PageUpdate>()
  readonly #signalled = new Emitter<PageSignal>()
  readonly #arriving = new Emitter<readonly BoardElement[]>()
  #sessionId: string | null = null
  #participantId: string | null = null

  constructor(control: Control, membership: Membership, session: CurrentSession, lifetime: Lifetime) {
    super(null)
    this.#control = control
    this.#membership = membership
    lifetime.defer(session.subscribe(() => this.#onSession(session.get()?.board ?? null)))
    lifetime.defer(membership.subscribe(() => this.#onMembership()))
    lifetime.defer(control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(control.onSnapshotPart(({ streamId, state }) => this.#onPart(streamId, state)))
    lifetime.defer(() => {
      for (const { page } of this.#pages.values()) page.close()
    })
  }

  readonly onPage = this.#pageChanged.on
  readonly onSignal = this.#signalled.on
  /** Elements of a page whose others have not all arrived. */
  readonly onArriving = this.#arriving.on

  /** The elements as the server has them; null: they have not arrived. */
  readonly page = (pageId: string): ReadonlyMap<string, BoardElement> | null => {
    const page = this.#pages.get(pageId)?.page
    return page?.isComplete ? page.elements : null
  }

  /** Follows a page until the returned function is called. */
  readonly watch = (pageId: string): (() => void) => {
    const watched = this.#pages.get(pageId) ?? {
      watchers: 0,
      page: this.#open(pageId),
      isRefused: false,
    }
    this.#pages.set(pageId, watched)
    watched.watchers++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      if (--watched.watchers > 0) return
      this.#pages.delete(pageId)
      watched.page.close()
      this.#renewRefused()
    }
  }

  /** About pages. Rejects with a ControlFailure. */
  readonly command = <N extends BoardCommand>(name: N, body: CommandBody<N>): Promise<DataOf<N>> =>
    this.#control.command(name, sessionTarget(this.#participant()), body)

  /** About elements: sent until the server has stored or refused it. Rejects with a ControlFailure. */
  readonly change = <N extends ElementCommand>(name: N, body: CommandBody<N>): Promise<DataOf<N>> =>
    changeBoard(this.#control, this.#participant().sessionId, name, body)

  readonly signal = <N extends BoardSignal>(name: N, pageId: string, body: SignalBody<N>): void => {
    const state = this.#membership.get()
    if (state.is !== 'joined') return
    const { sessionId, participantId } = state.participant
    this.#control.sendSignal({
      streamId: pageStream(sessionId, pageId),
      sourceId: participantId,
      name,
      body,
      ttlMs: TTL_MS,
    })
  }

  /** While the connection restarts, the session is the same. */
  #participant(): ParticipantRef {
    const state = this.#membership.get()
    return state.is === 'joined' ? state.participant : { sessionId: this.#sessionId ?? '', participantId: '' }
  }

  #onSession(index: BoardIndex | null): void {
    if (index === this.get()) return
    this.set(index)
    this.#renewRefused()
  }

  #open(pageId: string): WatchedPage {
    const page = new WatchedPage(this.#control, this.#participant().sessionId, pageId)
    page.on(change => {
      // A page that cannot be watched stays as it is until something has changed.
      if (change.is === 'failed') this.#refuse(pageId, page)
      else this.#pageChanged.emit({ pageId, ids: change.is === 'changed' ? change.elementIds : null })
    })
    return page
  }

  #refuse(pageId: string, page: WatchedPage): void {
    const watched = this.#pages.get(pageId)
    if (watched?.page === page) watched.isRefused = true
  }

  /** There is space for another page, or somebody has other rights. */
  #renewRefused(): void {
    const present = new Set(this.get()?.pages.map(({ page_id }) => page_id))
    for (const [pageId, watched] of this.#pages) {
      if (!watched.isRefused || !present.has(pageId)) continue
      watched.isRefused = false
      watched.page.renew()
    }
  }

  /** Another session has streams of its own. In the same one, whoever was not inside for a moment watches nothing. */
  #onMembership(): void {
    const state = this.#membership.get()
    if (state.is !== 'joined') return
    const { sessionId, participantId } = state.participant
    const [isSameSession, isSame] = [sessionId === this.#sessionId, participantId === this.#participantId]
    this.#sessionId = sessionId
    this.#participantId = participantId
    if (isSameSession && !isSame) for (const { page } of this.#pages.values()) page.renew()
    if (isSameSession) return
    for (const [pageId, watched] of this.#pages) {
      watched.page.close()
      watched.page = this.#open(pageId)
    }
  }

  #onPart(id: string, { elements = [] }: JsonObject): void {
    const isWatched = [...this.#pages.values()].some(({ page }) => page.streamId === id)
    if (isWatched) this.#arriving.emit(elements as unknown as BoardElement[])
  }

  #onSignal({ name, streamId, sourceId, body, ttlMs }: IncomingSignal): void {
    if (name !== 'board.ink' && name !== 'board.pointer') return
    for (const [pageId, { page }] of this.#pages)
      if (page.streamId === streamId)
        this.#signalled.emit({ pageId, sourceId, ttlMs, name, body } as PageSignal)
  }
}
