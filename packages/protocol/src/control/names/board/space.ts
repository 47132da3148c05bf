import type { BoardIndex } from './board.ts'
import { BOARD_INDEX_BYTES_MAX, BOARD_PAGES_MAX } from './limits.ts'

/** A page of slides in the index as JSON, at most. */
const SLIDE_BYTES = 160

/** Rule BOARD-13. */
export const hasSpaceFor = (index: BoardIndex): boolean =>
  index.pages.length <= BOARD_PAGES_MAX && JSON.stringify(index).length <= BOARD_INDEX_BYTES_MAX

/** The number of pages of slides for which the deck has space; the server adds at least as many. */
export function spaceForSlides(index: BoardIndex): number {
  const bytes = BOARD_INDEX_BYTES_MAX - JSON.stringify(index).length
  return Math.max(0, Math.min(BOARD_PAGES_MAX - index.pages.length, Math.floor(bytes / SLIDE_BYTES)))
}
