import type { Migration } from '../migrate.ts'

/** Slides that were put for a room, whose pages its board takes. */
export const slidesOfBoards: Migration = async db => {
  for (const [column, type] of [
    ['slides_file_id', 'text'],
    ['slides_page_count', 'integer'],
  ] as const)
    await db.schema
      .alterTable('boards')
      .addColumn(column, type, each => (type === 'integer' ? each.notNull().defaultTo(0) : each))
      .execute()
}
