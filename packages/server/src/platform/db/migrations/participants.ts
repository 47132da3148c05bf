import type { Migration } from '../migrate.ts'

/** The participants of sessions, for the server that takes a session over. */
export const sessionParticipants: Migration = async db => {
  await db.schema
    .createTable('session_participants')
    .addColumn('participant_id', 'text', column => column.primaryKey())
    .addColumn('session_id', 'integer', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('connection_id', 'text', column => column.notNull())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('joined_at_ms', 'bigint', column => column.notNull())
    .execute()
  for (const column of ['session_id', 'connection_id'])
    await db.schema
      .createIndex(`session_participants_${column}`)
      .on('session_participants')
      .column(column)
      .execute()
}
