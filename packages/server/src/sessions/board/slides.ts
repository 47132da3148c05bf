import { type CommandBody, PAGE_HEIGHT, PAGE_WIDTH } from '@lectern/protocol/control'
import { assertOrRefuse } from '../refusals.ts'
import type { Session } from '../session.ts'
import { hasSpace } from './deck.ts'
import type { BoardFile, BoardParts, DeckPage, StoredDeck } from './ports.ts'

/** Limits of the sides of a page, in units. */
const [LENGTH_MIN, LENGTH_MAX] = [100, 10_000]

/**
 * Adds the converted pages of a document that come after its page `last`: the first one after the shown page, each other one
 * after the page before it. Pages for which the deck has no space are left out (rules BOARD-13 and BOARD-16).
 */
export function withSlides(
  deck: StoredDeck,
  { fileId, pages }: BoardFile,
  last: number,
  digest: (text: string) => string,
): StoredDeck {
  let next = deck
  for (const page of pages.filter(({ pageNumber }) => pageNumber > Math.max(last, lastOf(deck, fileId)))) {
    const added = slidePage(fileId, page.pageNumber, page, digest)
    const before = next.pages.findLastIndex(each => numberIn(each, fileId) > 0)
    const shown = next.pages.findIndex(({ pageId }) => pageId === next.shownPageId)
    const at = before >= 0 ? before + 1 : shown >= 0 ? shown + 1 : next.pages.length
    const longer = { ...next, pages: next.pages.toSpliced(at, 0, added) }
    if (!hasSpace(longer)) break
    next = longer
  }
  return next
}

/** The number of the last page of a document that the deck has; 0: none. */
const lastOf = ({ pages }: StoredDeck, fileId: string): number =>
  Math.max(0, ...pages.map(page => numberIn(page, fileId)))

/** Copies of pages are not pages of the document. */
const numberIn = ({ background, copyOf }: DeckPage, fileId: string): number =>
  background.kind === 'document' && background.file_id === fileId && copyOf === undefined
    ? background.page_number
    : 0

/** A page of the deck that shows a page of slides, of which this is the size in pixels. */
export function slidePage(
  fileId: string,
  pageNumber: number,
  { width, height }: { width: number; height: number },
  digest: (text: string) => string,
): DeckPage {
  const background = { kind: 'document', file_id: fileId, page_number: pageNumber } as const
  return { pageId: digest(`${fileId} ${pageNumber}`), ...unitsOf(width, height), background }
}

/**
 * The size of a page in units: as wide as other pages, unless it would be too high then. Pages that cannot be shown
 * have no size.
 */
function unitsOf(width: number, height: number): Pick<DeckPage, 'width' | 'height'> {
  if (!(width > 0 && height > 0)) return { width: PAGE_WIDTH, height: PAGE_HEIGHT }
  const scale = Math.min(PAGE_WIDTH / width, LENGTH_MAX / height)
  const units = (length: number) => Math.max(LENGTH_MIN, Math.round(length * scale))
  return { width: units(width), height: units(height) }
}

/** Boards show pages of files of their own conference that are done. */
export async function assertFileShowable(
  { findFile }: Pick<BoardParts, 'findFile'>,
  { tag }: Pick<Session, 'tag'>,
  body: CommandBody<'board.put'> | CommandBody<'board.page_add'>,
): Promise<void> {
  const shown = fileIn(body)
  if (!shown) return
  const file = await findFile(shown.fileId)
  const isOwn = file?.conferenceTag === tag
  assertOrRefuse(isOwn && file.pages.some(each => each.pageNumber === shown.pageNumber), 'unknown_file')
}

/** The file that an image shows, or the background of a page; null: none. */
function fileIn(
  body: CommandBody<'board.put'> | CommandBody<'board.page_add'>,
): { fileId: string; pageNumber: number } | null {
  if ('kind' in body)
    return body.kind === 'image'
      ? { fileId: (body.data as { file_id: string }).file_id, pageNumber: 1 }
      : null
  const { background } = body
  if (!background || !('file_id' in background)) return null
  const pageNumber = background.kind === 'document' ? background.page_number : 1
  return { fileId: background.file_id, pageNumber }
}
