/** The limits of boards (docs/board.md). Clients use them too, so that nothing is drawn that would be refused. */
export const BOARD_PAGES_MAX = 200
/**
 * Limits of one page: elements that are not deleted, and their characters as JSON. A snapshot of this size is never cut
 * off as too slow (W7).
 */
export const PAGE_ELEMENTS_MAX = 5_000
export const PAGE_BYTES_MAX = 3_145_728
/** The data of one element as JSON. A command and an event that carry it fit into a frame. */
export const ELEMENT_BYTES_MAX = 245_760
export const STROKE_POINTS_MAX = 20_000
/** The numbers of one point: x and y in tenths of a unit, and the pressure. */
export const POINT_NUMBERS = 3
/** Elements of one command that deletes, restores or moves. */
export const BOARD_BATCH_MAX = 200
export const BOARD_INDEX_BYTES_MAX = 32_768
/** A version is at most this much above the present one, so that nobody uses up the numbers of an element. */
export const VERSION_STEP_MAX = 1_000
export const VERSION_MAX = 2_147_483_647
/** Pages that one connection watches. */
export const WATCHED_PAGES_MAX = 40
/** People who may draw by name. */
export const DRAWERS_MAX = 200
export const PAGE_WIDTH = 1_600
export const PAGE_HEIGHT = 900
/** A coordinate in units, either way; pages are much smaller. */
export const COORDINATE_MAX = 100_000
export const BOARD_TEXT_MAX = 4_000
/** The numbers of the points in one board.ink, which fit into a signal. */
export const INK_NUMBERS_MAX = 150
/** The page of a deck that has no other. It is stored with its first element. */
export const FIRST_PAGE_ID = 'page0001'
