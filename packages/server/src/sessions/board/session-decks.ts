import type { CommandBody } from '@lectern/protocol/control'
import type { ConferenceSessions, RuntimeParts } from '../conference-sessions.ts'
import type { ParticipantRef } from '../participants/membership.ts'
import { isModerator } from '../policy.ts'
import { assertHeld, assertOrRefuse, ConferenceRefusal } from '../refusals.ts'
import { emit, type Session } from '../session.ts'
import { changesOf, type DeckChange, type DeckCommand, deckCommands } from './deck.ts'
import { takeSlides } from './open-board.ts'
import type { OpenPages } from './open-pages.ts'
import type { BoardFile, BoardParts, SessionBoard } from './ports.ts'
import { assertFileShowable, withSlides } from './slides.ts'
import type { BoardWriter } from './writer.ts'

interface SessionDecksParts {
  session: RuntimeParts
  board: BoardParts
  conferences: Pick<ConferenceSessions, 'change'>
  pages: OpenPages
  writer: BoardWriter
}

/** The indexes of the boards of this server's sessions, which change one after the other in each conference. */
export class SessionDecks {
  readonly #parts: SessionDecksParts
  /** By session, the last page of documents that are being converted. */
  readonly #slides = new WeakMap<Session, Map<string, number>>()

  constructor(parts: SessionDecksParts) {
    this.#parts = parts
  }

  /** A command about pages, of a moderator. */
  async change<N extends DeckCommand>(
    { sessionId, participantId }: ParticipantRef,
    name: N,
    body: CommandBody<N>,
  ): Promise<void> {
    const { board: parts, conferences, pages, writer } = this.#parts
    const session = sessionOf(this.#parts.session, sessionId)
    // TypeScript cannot see that the name and the body come from the same command.
    const run = deckCommands[name] as unknown as (
      board: SessionBoard,
      body: CommandBody<N>,
      session: Session,
      digest: (text: string) => string,
    ) => DeckChange
    if (name === 'board.page_add')
      await assertFileShowable(parts, session, body as CommandBody<'board.page_add'>)
    await conferences.change(session, async () => {
      const self = session.participants.get(participantId)
      assertOrRefuse(self, 'not_inside')
      assertOrRefuse(isModerator(self), 'not_moderator')
      const board = boardOf(session)
      const change = run(board, body, session, parts.digest)
      // All copies of a command are of one page.
      const [copy] = change.copies ?? []
      const source = copy && pages.find(session, copy.from)
      if (source) await writer.settle(source)
      await this.#save(session, board, change)
    })
  }

  /** The pages of slides that are done become pages of the board, each once: a moderator may remove it again (rule BOARD-16). */
  async addSlides(file: BoardFile, isConverted: boolean): Promise<void> {
    const { board: parts, conferences } = this.#parts
    const session = this.#parts.session.registry.getByTag(file.conferenceTag)
    if (!session) return
    await conferences.change(session, async () => {
      const { board } = session
      if (!board) return
      const slides = this.#slides.get(session) ?? new Map<string, number>()
      this.#slides.set(session, slides)
      const last = slides.get(file.fileId) ?? 0
      await this.#save(session, board, { deck: withSlides(board.deck, file, last, parts.digest) })
      if (isConverted) slides.delete(file.fileId)
      else slides.set(file.fileId, Math.max(last, ...file.pages.map(({ pageNumber }) => pageNumber)))
    })
  }

  /** Takes pages of the room's slides that are done since; nothing where the session runs elsewhere (rule BOARD-17). */
  async takeSlides(tag: string): Promise<void> {
    const { board: parts, conferences, pages, writer } = this.#parts
    const session = this.#parts.session.registry.getByTag(tag)
    if (!session?.board) return
    await conferences.change(session, async () => {
      const board = boardOf(session)
      for (const page of pages.of(session)) await writer.settle(page)
      await this.#save(session, board, { deck: await takeSlides(parts, tag, board.deck, false) })
    })
  }

  /** Stores the deck before its first element is stored. */
  async store(session: Session): Promise<void> {
    if (boardOf(session).isStored) return
    await this.#parts.conferences.change(session, async () => {
      const board = boardOf(session)
      if (!board.isStored) await this.#save(session, board, { deck: board.deck })
    })
  }

  async #save(session: Session, board: SessionBoard, { deck, copies = [] }: DeckChange): Promise<void> {
    const changes = changesOf(board.deck, deck)
    const isChanged = Object.keys(changes).length > 0
    if (!isChanged && board.isStored) return
    assertHeld(await this.#parts.board.store.save(session.lease, session.tag, deck, copies))
    session.board = { deck, isStored: true }
    this.#parts.pages.closeRemoved(session, board.deck, deck)
    if (isChanged) emit(this.#parts.session, session, 'board.changed', changes)
  }
}

export function boardOf({ board }: Session): SessionBoard {
  if (!board) throw new ConferenceRefusal('board_off')
  return board
}

export function sessionOf({ registry }: Pick<RuntimeParts, 'registry'>, sessionId: number): Session {
  const session = registry.find(sessionId)
  assertOrRefuse(session, 'not_inside')
  return session
}
