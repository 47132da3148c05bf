import type { Migration } from '../migrate.ts'

/** Messages can be edited and deleted. */
export const changesOfMessages: Migration = async db => {
  await db.schema.alterTable('chat_messages').addColumn('edited_at_ms', 'bigint').execute()
  await db.schema.alterTable('chat_messages').addColumn('deleted_at_ms', 'bigint').execute()
}
