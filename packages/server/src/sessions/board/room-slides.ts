import { hasSpace } from './deck.ts'
import type { DeckPage, RoomSlides, StoredDeck } from './ports.ts'
import { isPrivate } from './rights.ts'
import { slidePage } from './slides.ts'

const fileOf = ({ background }: DeckPage) => ('file_id' in background ? background.file_id : undefined)

/** The pages that show slides which are about to be replaced. */
export const formerPages = ({ pages, slides: former }: StoredDeck, slides: RoomSlides): DeckPage[] =>
  former && former.fileId !== slides.fileId ? pages.filter(page => fileOf(page) === former.fileId) : []

/**
 * The deck with the pages of the room's slides that are done and that it never had (rule BOARD-17). Pages of former slides
 * go, except those with drawings; a deck that nobody has used yet begins with the slides. Not more than fit.
 */
export function withRoomSlides(
  deck: StoredDeck,
  slides: RoomSlides,
  {
    isUnused,
    drawn,
    digest,
  }: { isUnused: boolean; drawn: ReadonlySet<string>; digest: (text: string) => string },
): StoredDeck {
  const { fileId } = slides
  const known = deck.slides?.fileId === fileId ? deck.slides.pageCount : 0
  const added = slides.pages
    .slice(known)
    .map((size, index) => slidePage(fileId, known + index + 1, size, digest))
  if (added.length === 0) return deck
  const gone = new Set(formerPages(deck, slides).filter(({ pageId }) => !drawn.has(pageId)))
  const first = deck.pages.findIndex(page => gone.has(page))
  const last = deck.pages.findLastIndex(page => fileOf(page) === fileId && !isPrivate(page))
  const at = last >= 0 ? last + 1 : first >= 0 ? first : deck.pages.length
  const before = isUnused ? [] : deck.pages.slice(0, at).filter(page => !gone.has(page))
  const after = isUnused ? [] : deck.pages.slice(at).filter(page => !gone.has(page))
  for (let count = added.length; count > 0; count--) {
    const pages = [...before, ...added.slice(0, count), ...after]
    const isShown = pages.some(({ pageId }) => pageId === deck.shownPageId)
    const shownPageId = deck.shownPageId === null || isShown ? deck.shownPageId : (added[0]?.pageId ?? null)
    const next = { ...deck, pages, shownPageId, slides: { fileId, pageCount: known + count } }
    if (hasSpace(next)) return next
  }
  return deck
}
