import type { Migration } from '../migrate.ts'

/** Planned times of meetings, and the links of personal calendars. */
export const calendars: Migration = async db => {
  for (const column of ['starts_at_ms', 'ends_at_ms', 'changed_at_ms'])
    await db.schema.alterTable('conferences').addColumn(column, 'bigint').execute()
  await db.schema
    .alterTable('conferences')
    .addColumn('revision', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('calendar_links')
    .addColumn('user_id', 'integer', column => column.primaryKey().notNull().references('users.id'))
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .execute()
}
