import type { ElementContent } from '@lectern/protocol/control'
import type { Kysely, Selectable } from 'kysely'
import type { StoredElement } from '../sessions/ports.ts'
import type { MainSchema } from './schema.ts'
import type { BoardElementsTable } from './tables/board.ts'

export const toElement = (row: Selectable<BoardElementsTable>): StoredElement => ({
  elementId: row.element_id,
  version: row.version,
  authorId: row.author_id,
  z: row.z,
  content: { kind: row.kind, data: JSON.parse(row.data) } as ElementContent,
  change: row.change,
})

export const elementColumns = (tag: string, pageId: string, element: StoredElement) => ({
  tag,
  page_id: pageId,
  element_id: element.elementId,
  version: element.version,
  author_id: element.authorId,
  kind: element.content.kind,
  data: JSON.stringify(element.content.data),
  z: element.z,
  change: element.change,
  deleted_at_ms: null,
})

/** All that is stored of the board of a conference. */
export async function deleteBoard(db: Kysely<MainSchema>, tag: string): Promise<void> {
  for (const table of ['board_elements', 'board_pages', 'boards'] as const)
    await db.deleteFrom(table).where('tag', '=', tag).execute()
}
