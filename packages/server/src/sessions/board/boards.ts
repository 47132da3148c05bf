import { KeyedMutex } from '@lectern/common'
import type { CommandBody, CommandData, VersionOfElement } from '@lectern/protocol/control'
import type { ConferenceSessions, RuntimeParts } from '../conference-sessions.ts'
import type { ParticipantRef } from '../participants/membership.ts'
import { assertOrRefuse, ConferenceRefusal } from '../refusals.ts'
import type { Participant } from '../session.ts'
import { requirePage } from './deck.ts'
import { OpenPages } from './open-pages.ts'
import type { PageContent, PageEdit, PageEditor } from './page.ts'
import type { BoardParts, DeckPage } from './ports.ts'
import { isPrivate, mayChangeAll, mayDraw, mayWatch } from './rights.ts'
import { boardOf, SessionDecks, sessionOf } from './session-decks.ts'
import { assertFileShowable } from './slides.ts'
import { BoardWriter, type OpenPage } from './writer.ts'

const PAUSE_MS = 50

/** The page that a participant is about to change. */
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
 * The boards of the sessions that this server runs. Changes of elements do not wait for the mutex of the conference: they are
 * ordered by the writer.
 */
export class Boards {
  readonly #parts: RuntimeParts
  readonly #board: BoardParts
  readonly #writer: BoardWriter
  readonly #turns = new KeyedMutex()
  readonly pages: OpenPages
  readonly decks: SessionDecks

  constructor(parts: RuntimeParts, board: BoardParts, conferences: Pick<ConferenceSessions, 'change'>) {
    this.#parts = parts
    this.#board = board
    this.pages = new OpenPages(parts, board)
    this.#writer = new BoardWriter({ ...board, publish: (page, event) => this.pages.publish(page, event) })
    this.decks = new SessionDecks({
      ...{ session: parts, board, conferences },
      ...{ pages: this.pages, writer: this.#writer },
    })
  }

  /** Opens the page for somebody who may watch it. `isObserver`: such as the recorder. */
  async open(
    { sessionId, participantId }: ParticipantRef,
    pageId: string,
    isObserver: boolean,
  ): Promise<void> {
    const session = sessionOf(this.#parts, sessionId)
    const board = boardOf(session)
    const deckPage = requirePage(board.deck, pageId)
    const self = session.participants.get(participantId)
    assertOrRefuse(self || isObserver, 'not_inside')
    const refusal = isPrivate(deckPage) ? 'page_private' : 'looking_around_not_permitted'
    assertOrRefuse(!self || mayWatch(board.deck, deckPage, self), refusal)
    await this.pages.load(session, pageId)
  }

  async put(ref: ParticipantRef, body: CommandBody<'board.put'>): Promise<void> {
    const { page_id, element_id: _, version: __, ...rest } = body
    const cost = () => JSON.stringify(rest).length
    await this.#inTurn(ref, page_id, async () => {
      await assertFileShowable(this.#board, sessionOf(this.#parts, ref.sessionId), body)
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
      if (page.content.isStoring(elements)) await this.#writer.settle(page)
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

  /** Pauses for somebody who has too much to receive. */
  pause(): Promise<void> {
    return this.#board.delay(PAUSE_MS)
  }

  /** The page, for a participant who may draw on it. */
  async #enter({ sessionId, participantId }: ParticipantRef, pageId: string): Promise<Workplace> {
    const session = sessionOf(this.#parts, sessionId)
    const page = await this.pages.load(session, pageId)
    await this.decks.store(session)
    const self = session.participants.get(participantId)
    assertOrRefuse(self, 'not_inside')
    const { deck } = boardOf(session)
    const deckPage = requirePage(deck, pageId)
    assertOrRefuse(mayDraw(deck, deckPage, self), 'drawing_not_permitted')
    assertOrRefuse(this.pages.find(session, pageId) === page, 'temporarily_unavailable')
    return { page, deckPage, self }
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
    // Changes of an earlier command may still be on their way.
    const isWritten = edit.changes.length > 0 || page.pending > 0
    return { edit, stored: isWritten ? this.#writer.write(page, edit) : null }
  }
}

const bytesOf = (elements: VersionOfElement[]) => 50 * elements.length
