import { FIRST_PAGE_ID } from '@lectern/protocol/control'
import type { SessionParts } from '../ports.ts'
import type { Session } from '../session.ts'
import { EMPTY_PAGE } from './deck.ts'
import type { BoardParts, SessionBoard, StoredDeck } from './ports.ts'
import { formerPages, withRoomSlides } from './room-slides.ts'

/** Everybody draws by default, as everybody may send video (decision 143). */
const newDeck = (): StoredDeck => ({
  pages: [{ ...EMPTY_PAGE, pageId: FIRST_PAGE_ID }],
  shownPageId: null,
  rights: { mode: 'everybody' },
})

/** The board with which a session begins or continues; null: it has none. */
export async function openBoard(
  { board }: Pick<SessionParts, 'board'>,
  { tag, lease, conference }: Pick<Session, 'tag' | 'lease' | 'conference'>,
): Promise<SessionBoard | null> {
  if (!board) return null
  const mode = conference?.board ?? 'keep'
  if (!conference || mode === 'off') return null
  const stored = await board.store.open(lease, tag, mode)
  const deck = stored ?? newDeck()
  const withPages = await takeSlides(board, tag, deck, stored === null)
  const isSaved = withPages !== deck && (await board.store.save(lease, tag, withPages))
  return isSaved ? { deck: withPages, isStored: true } : { deck, isStored: stored !== null }
}

/** The deck with the slides of the room; itself if it has all of them. */
export async function takeSlides(
  { slidesOf, store, digest }: Pick<BoardParts, 'slidesOf' | 'store' | 'digest'>,
  tag: string,
  deck: StoredDeck,
  isUnused: boolean,
): Promise<StoredDeck> {
  const slides = await slidesOf(tag)
  if (!slides) return deck
  const former = formerPages(deck, slides).map(({ pageId }) => pageId)
  return withRoomSlides(deck, slides, { isUnused, drawn: await store.drawnPages(tag, former), digest })
}
