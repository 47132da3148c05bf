import type { Migration } from '../migrate.ts'

/** Permissions and the spotlight of sessions. */
export const moderation: Migration = async db => {
  await db.schema
    .alterTable('conference_sessions')
    .addColumn('moderation', 'text', column => column.notNull().defaultTo('{}'))
    .execute()
}
