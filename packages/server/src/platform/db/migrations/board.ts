import type { Migration } from '../migrate.ts'

/** The boards of conferences, which outlive their sessions. */
export const boards: Migration = async db => {
  await db.schema
    .createTable('boards')
    .addColumn('tag', 'text', column => column.primaryKey())
    .addColumn('session_id', 'integer', column => column.notNull())
    .addColumn('shown_page_id', 'text')
    .addColumn('rights', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('board_pages')
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('page_id', 'text', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('width', 'integer', column => column.notNull())
    .addColumn('height', 'integer', column => column.notNull())
    .addColumn('background', 'text', column => column.notNull())
    .addColumn('owner_id', 'integer')
    .addColumn('copy_of', 'text')
    .addPrimaryKeyConstraint('board_pages_key', ['tag', 'page_id'])
    .execute()
  await db.schema
    .createTable('board_elements')
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('page_id', 'text', column => column.notNull())
    .addColumn('element_id', 'text', column => column.notNull())
    .addColumn('version', 'integer', column => column.notNull())
    .addColumn('author_id', 'integer')
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('data', 'text', column => column.notNull())
    .addColumn('z', 'integer', column => column.notNull())
    .addColumn('change', 'text', column => column.notNull())
    .addColumn('deleted_at_ms', 'bigint')
    .addPrimaryKeyConstraint('board_elements_key', ['tag', 'page_id', 'element_id'])
    .execute()
  for (const [table, column] of [
    ['board_pages', 'owner_id'],
    ['board_elements', 'author_id'],
  ] as const)
    await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute()
}
