import { KeyedMutex } from '@lectern/common'
import type { CommandBody, CommandData, PageEvent, VersionOfElement } from '@lectern/protocol/control'
import type { ConferenceSessions, RuntimeParts } from '../conference-sessions.ts'
import type { ParticipantRef } from '../participants/membership.ts'
import { isModerator } from '../policy.ts'
import { assertHeld, assertOrRefuse, ConferenceRefusal } from '../refusals.ts'
import { emit, type Participant, type Session } from '../session.ts'
import { changesOf, type DeckChange, type DeckCommand, deckCommands, requirePage } from './deck.ts'
import { takeSlides } from './open-board.ts'
import { PageContent, type PageEdit, type PageEditor } from './page.ts'
import type { BoardFile, BoardParts, DeckPage, SessionBoard, StoredDeck } from './ports.ts'
import { isPrivate, mayChangeAll, mayDraw, mayKeepWatching, mayWatch, pageOf } from './rights.ts'
import { assertShowable, fileIn, withSlides } from './slides.ts'
import { BoardWriter, type OpenPage } from './writer.ts'

/** A page that nobody watches stays in memory for this long. */
const IDLE_MS = 10_000
const PAUSE_MS = 50
const VERSIONS_PER_INCARNATION = 2 ** 32

/** What a participant is about to change. */
interface Workplace {
  page: OpenPage
  deckPage: DeckPage
  self: Participant
}

/** An edit, and when it is stored; null: it has no effect. */
interface Accepted<E> {
  edit: E
  stored: Promise<void> | null
}

/**
 * The boards of the sessions that this server runs. Pages are read when somebody watches or changes them, and leave the
 * memory when nobody does. Changes of elements do not wait for the mutex of the conference: they are ordered by the writer.
 */
export class Boards {
  readonly #parts: RuntimeParts
  readonly #board: BoardParts
  readonly #conferences: Pick<ConferenceSessions, 'change'>
  readonly #writer: BoardWriter
  readonly #open = new Map<string, OpenPage>()
  readonly #loading = new Map<string, Promise<OpenPage>>()
  /** Of sessions: the last page of documents that are being converted. */
  readonly #slides = new WeakMap<Session, Map<string, number>>()
  readonly #turns = new KeyedMutex()
  #versions = 0

  constructor(parts: RuntimeParts, board: BoardParts, conferences: Pick<ConferenceSessions, 'change'>) {
    this.#parts = parts
    this.#board = board
    this.#conferences = conferences
    this.#writer = new BoardWriter({ ...board, publish: (page, event) => this.#publish(page, event) })
  }

  /** Pages in memory. */
  get size(): number {
    return this.#open.size
  }

  /** Opens the page for somebody who may watch it. `isObserver`: such as the recorder. */
  async open(
    { sessionId, participantId }: ParticipantRef,
    pageId: string,
    isObserver: boolean,
  ): Promise<void> {
    const session = this.#sessionOf(sessionId)
    const board = boardOf(session)
    const deckPage = requirePage(board.deck, pageId)
    const self = session.participants.get(participantId)
    assertOrRefuse(self || isObserver, 'not_inside')
    const refusal = isPrivate(deckPage) ? 'page_private' : 'looking_around_not_permitted'
    assertOrRefuse(!self || mayWatch(board.deck, deckPage, self), refusal)
    await this.#load(session, pageId)
  }

  async put(ref: ParticipantRef, body: CommandBody<'board.put'>): Promise<void> {
    const { page_id, element_id: _, version: __, ...rest } = body
    const cost = () => JSON.stringify(rest).length
    await this.#inTurn(ref, page_id, async () => {
      await this.#assertShowable(this.#sessionOf(ref.sessionId), body)
      return this.#accept(ref, page_id, cost, ['put', rest], (page, editor) => page.put(editor, body))
    })
  }

  async delete(
    ref: ParticipantRef,
    { page_id, elements }: CommandBody<'board.delete'>,
  ): Promise<CommandData<'board.delete'>> {
    const { skipped } = await this.#inTurn(ref, page_id, () =>
      this.#accept(
        ref,
        page_id,
        () => bytesOf(elements),
        ['delete'],
        (page, editor) => page.delete(editor, elements, this.#parts.clock()),
      ),
    )
    return { skipped }
  }

  /** Costs what is stored anew: all of each element. */
  async move(ref: ParticipantRef, body: CommandBody<'board.move'>): Promise<CommandData<'board.move'>> {
    const { page_id, dx, dy, elements } = body
    const { skipped } = await this.#inTurn(ref, page_id, () =>
      this.#accept(
        ref,
        page_id,
        page => bytesOf(elements) + page.sizeOf(elements),
        ['move', dx, dy],
        (page, editor) => page.move(editor, body),
      ),
    )
    return { skipped }
  }

  async restore(
    ref: ParticipantRef,
    { page_id, elements }: CommandBody<'board.restore'>,
  ): Promise<CommandData<'board.restore'>> {
    const { skipped } = await this.#inTurn(ref, page_id, async () => {
      const { page } = await this.#enter(ref, page_id)
      if (page.content.isStoring(elements)) await this.#settled(page)
      const ids = elements.map(({ element_id }) => element_id)
      const stored = await this.#board.store.readDeleted(page.session.tag, page_id, ids)
      const contents = new Map(stored.map(each => [each.elementId, each]))
      const cost = () => stored.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0)
      return this.#accept(ref, page_id, cost, ['restore'], (page, editor) =>
        page.restore(editor, elements, contents),
      )
    })
    return { skipped }
  }

  async clear(
    ref: ParticipantRef,
    commandId: string,
    { page_id }: CommandBody<'board.page_clear'>,
  ): Promise<CommandData<'board.page_clear'>> {
    const { cleared } = await this.#inTurn(ref, page_id, () =>
      this.#accept(
        ref,
        page_id,
        () => 0,
        ['clear', commandId],
        (page, editor) => page.clear(editor, this.#parts.clock()),
      ),
    )
    return {
      element_ids: cleared.map(({ element_id }) => element_id),
      versions: cleared.map(({ version }) => version),
    }
  }

  /** A command about pages, of a moderator. */
  async changeDeck<N extends DeckCommand>(
    { sessionId, participantId }: ParticipantRef,
    name: N,
    body: CommandBody<N>,
  ): Promise<void> {
    const session = this.#sessionOf(sessionId)
    // TypeScript cannot see that the name and the body come from the same command.
    const run = deckCommands[name] as unknown as (
      board: SessionBoard,
      body: CommandBody<N>,
      session: Session,
      digest: (text: string) => string,
    ) => DeckChange
    if (name === 'board.page_add') await this.#assertShowable(session, body as CommandBody<'board.page_add'>)
    await this.#conferences.change(session, async () => {
      const self = session.participants.get(participantId)
      assertOrRefuse(self, 'not_inside')
      assertOrRefuse(isModerator(self), 'not_moderator')
      const board = boardOf(session)
      const change = run(board, body, session, this.#board.digest)
      // All copies of a command are of one page.
      const [copy] = change.copies ?? []
      const source = copy && this.#open.get(keyOf(session, copy.from))
      if (source) await this.#settled(source)
      await this.#saveDeck(session, board, change)
    })
  }

  /** The pages of slides that are done become pages of the board, each once: a moderator may remove it again (rule BOARD-16). */
  async addSlides(file: BoardFile, isConverted: boolean): Promise<void> {
    const session = this.#parts.registry.getByTag(file.conferenceTag)
    if (!session) return
    await this.#conferences.change(session, async () => {
      const { board } = session
      if (!board) return
      const slides = this.#slides.get(session) ?? new Map<string, number>()
      this.#slides.set(session, slides)
      const last = slides.get(file.fileId) ?? 0
      await this.#saveDeck(session, board, { deck: withSlides(board.deck, file, last, this.#board.digest) })
      if (isConverted) slides.delete(file.fileId)
      else slides.set(file.fileId, Math.max(last, ...file.pages.map(({ pageNumber }) => pageNumber)))
    })
  }

  /** Takes pages of the room's slides that are done since; nothing where the session runs elsewhere (rule BOARD-17). */
  async takeSlides(tag: string): Promise<void> {
    const session = this.#parts.registry.getByTag(tag)
    if (!session?.board) return
    await this.#conferences.change(session, async () => {
      const board = boardOf(session)
      for (const page of this.#open.values()) if (page.session === session) await this.#settled(page)
      await this.#saveDeck(session, board, { deck: await takeSlides(this.#board, tag, board.deck, false) })
    })
  }

  /** Closes what nobody needs, and what somebody may not watch any more. MUST be called about every second. */
  async sweep(): Promise<void> {
    const broken: OpenPage[] = []
    for (const [key, page] of this.#open) {
      const { session, ref } = page
      const deckPage = session.board && pageOf(session.board.deck, ref.pageId)
      if (!deckPage || !this.#parts.registry.has(session)) {
        this.#close(key, page)
        continue
      }
      for (const watcher of this.#board.pages.watchersOf(ref))
        if (!mayKeepWatching(session, deckPage, watcher)) this.#board.pages.detach(ref, watcher)
      if (this.#isIdle(page) && this.#parts.monotonicMs() - page.usedAtMs >= IDLE_MS) this.#close(key, page)
      else if (page.isBroken) broken.push(page)
    }
    const onFailure = this.#parts.onFailure('a page of a board was not read again')
    await Promise.all(broken.map(({ session, ref }) => this.#load(session, ref.pageId).catch(onFailure)))
  }

  /** For somebody who has too much to receive. */
  pause(): Promise<void> {
    return this.#board.delay(PAUSE_MS)
  }

  /** The session runs here no longer. */
  closeSession(sessionId: number): void {
    for (const [key, page] of this.#open) if (page.ref.sessionId === sessionId) this.#close(key, page)
  }

  #sessionOf(sessionId: number): Session {
    const session = this.#parts.registry.find(sessionId)
    assertOrRefuse(session, 'not_inside')
    return session
  }

  /** The page, for a participant who may draw on it. */
  async #enter({ sessionId, participantId }: ParticipantRef, pageId: string): Promise<Workplace> {
    const session = this.#sessionOf(sessionId)
    const page = await this.#load(session, pageId)
    if (!boardOf(session).isStored) await this.#storeDeck(session)
    const self = session.participants.get(participantId)
    assertOrRefuse(self, 'not_inside')
    const { deck } = boardOf(session)
    const deckPage = requirePage(deck, pageId)
    assertOrRefuse(mayDraw(deck, deckPage, self), 'drawing_not_permitted')
    assertOrRefuse(this.#open.get(keyOf(session, pageId)) === page, 'temporarily_unavailable')
    return { page, deckPage, self }
  }

  async #assertShowable({ tag }: Session, body: Parameters<typeof fileIn>[0]): Promise<void> {
    const shown = fileIn(body)
    if (shown) assertShowable(await this.#board.findFile(shown.fileId), tag, shown.pageNumber)
  }

  /**
   * Commands of a participant about a page are accepted in the order in which they have arrived, whatever each reads before: a
   * client that was away sends a stroke and its removal together. Waits until the edit is stored.
   */
  async #inTurn<E extends PageEdit>(
    { sessionId, participantId }: ParticipantRef,
    pageId: string,
    accept: () => Promise<Accepted<E>>,
  ): Promise<E> {
    const { edit, stored } = await this.#turns.run(`${sessionId} ${participantId} ${pageId}`, accept)
    await stored
    return edit
  }

  /** `cost`: characters that the change makes the server store. */
  async #accept<E extends PageEdit>(
    ref: ParticipantRef,
    pageId: string,
    cost: (content: PageContent) => number,
    change: unknown[],
    run: (content: PageContent, editor: PageEditor) => E,
  ): Promise<Accepted<E>> {
    const { page, deckPage, self } = await this.#enter(ref, pageId)
    const { userId } = self
    const receivers = this.#board.pages.watchersOf(page.ref).length
    const bytes = cost(page.content)
    const waitMs = this.#board.limiter.take({ userId, sessionId: ref.sessionId, receivers, bytes })
    if (waitMs > 0) throw new ConferenceRefusal('too_much_drawing', waitMs)
    const editor = {
      userId,
      mayChangeAll: mayChangeAll(deckPage, self),
      change: this.#board.digest(JSON.stringify([userId, ...change])),
    }
    const edit = run(page.content, editor)
    page.usedAtMs = this.#parts.monotonicMs()
    // What an earlier command has done may still be on its way.
    const isWritten = edit.changes.length > 0 || page.pending > 0
    return { edit, stored: isWritten ? this.#writer.write(page, edit) : null }
  }

  /** Whatever was accepted so far is stored. */
  async #settled(page: OpenPage): Promise<void> {
    if (page.pending > 0) await this.#writer.write(page, { changes: [], events: [], entries: [], size: 0 })
  }

  async #storeDeck(session: Session): Promise<void> {
    await this.#conferences.change(session, async () => {
      const board = boardOf(session)
      if (!board.isStored) await this.#saveDeck(session, board, { deck: board.deck })
    })
  }

  async #saveDeck(session: Session, board: SessionBoard, { deck, copies = [] }: DeckChange): Promise<void> {
    const changes = changesOf(board.deck, deck)
    const isChanged = Object.keys(changes).length > 0
    if (!isChanged && board.isStored) return
    assertHeld(await this.#board.store.save(session.lease, session.tag, deck, copies))
    session.board = { deck, isStored: true }
    this.#closeRemoved(session, board.deck, deck)
    if (isChanged) emit(this.#parts, session, 'board.changed', changes)
  }

  /** At once: a page that is added again under the same id is empty. */
  #closeRemoved(session: Session, before: StoredDeck, after: StoredDeck): void {
    for (const { pageId } of before.pages) {
      const key = keyOf(session, pageId)
      const page = this.#open.get(key)
      if (page && !pageOf(after, pageId)) this.#close(key, page)
    }
  }

  #load(session: Session, pageId: string): Promise<OpenPage> {
    const key = keyOf(session, pageId)
    const open = this.#open.get(key)
    if (open && open.session === session && !open.isBroken) return Promise.resolve(open)
    const known = this.#loading.get(key)
    if (known) return known
    const loading = (open?.session === session ? this.#reload(open) : this.#read(session, pageId)).finally(
      () => this.#loading.delete(key),
    )
    this.#loading.set(key, loading)
    return loading
  }

  async #read(session: Session, pageId: string): Promise<OpenPage> {
    this.#makeRoom()
    const key = keyOf(session, pageId)
    const former = this.#open.get(key)
    if (former) this.#close(key, former)
    const ref = { sessionId: session.id, incarnation: session.lease.incarnation, pageId }
    const content = new PageContent(pageId, await this.#board.store.readPage(session.tag, pageId))
    assertOrRefuse(this.#parts.registry.has(session), 'not_inside')
    const page = { ref, session, content, isBroken: false, pending: 0, usedAtMs: this.#parts.monotonicMs() }
    this.#open.set(key, page)
    this.#board.pages.open(ref, () => page.content.state())
    return page
  }

  /** After a write whose effect is unknown: who watches gets what is stored. */
  async #reload(page: OpenPage): Promise<OpenPage> {
    const { session, ref } = page
    const content = new PageContent(ref.pageId, await this.#board.store.readPage(session.tag, ref.pageId))
    assertOrRefuse(this.#open.get(keyOf(session, ref.pageId)) === page, 'temporarily_unavailable')
    const events = page.content.differenceTo(content)
    page.content = content
    page.isBroken = false
    for (const event of events) this.#publish(page, event)
    return page
  }

  #publish({ ref }: OpenPage, event: PageEvent): void {
    const version = ref.incarnation * VERSIONS_PER_INCARNATION + ++this.#versions
    this.#board.pages.publish(ref, event, version)
  }

  #makeRoom(): void {
    const bytes = () => [...this.#open.values()].reduce((sum, { content }) => sum + content.bytes, 0)
    if (bytes() <= this.#board.maxOpenBytes) return
    for (const [key, page] of this.#open) if (this.#isIdle(page)) this.#close(key, page)
    assertOrRefuse(bytes() <= this.#board.maxOpenBytes, 'board_busy')
  }

  #isIdle({ ref, pending }: OpenPage): boolean {
    return pending === 0 && this.#board.pages.watchersOf(ref).length === 0
  }

  #close(key: string, page: OpenPage): void {
    page.isBroken = true // what still waits to be stored is refused
    this.#open.delete(key)
    this.#board.pages.close(page.ref)
  }
}

function boardOf({ board }: Session): SessionBoard {
  if (!board) throw new ConferenceRefusal('board_off')
  return board
}

const keyOf = ({ id }: Session, pageId: string) => `${id} ${pageId}`

const bytesOf = (elements: VersionOfElement[]) => 50 * elements.length
