import type { Generated } from 'kysely'

/** Tables of the boards of conferences. JSON is text. */
export interface BoardTables {
  boards: BoardsTable
  board_pages: BoardPagesTable
  board_elements: BoardElementsTable
}

export interface BoardsTable {
  tag: string
  /** The session that has changed it last. */
  session_id: number
  shown_page_id: string | null
  /** JSON: who may draw. */
  rights: string
  /** The slides of the room that the board has; null: none. */
  slides_file_id: string | null
  /** How many of their pages it has had. */
  slides_page_count: Generated<number>
}

interface BoardPagesTable {
  tag: string
  page_id: string
  position: number
  width: number
  height: number
  /** JSON */
  background: string
  /** Null: the page is everybody's. Of a deleted account: 0, which nobody has. */
  owner_id: number | null
  copy_of: string | null
}

export interface BoardElementsTable {
  tag: string
  page_id: string
  element_id: string
  version: number
  /** Null: the account was deleted. */
  author_id: number | null
  kind: string
  /** JSON */
  data: string
  z: number
  /** Identifies the change that made this version, so that its repetition is recognized. */
  change: string
  /** Null: it is on the page. */
  deleted_at_ms: number | null
}
