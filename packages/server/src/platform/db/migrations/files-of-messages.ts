import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Messages have files, and files belong to chats. */
export const filesOfMessages: Migration = async db => {
  await db.schema.alterTable('chat_messages').addColumn('file', 'text').execute()
  await db.schema.alterTable('conference_files').addColumn('chat_id', 'text').execute()
  await db.schema.alterTable('conference_files').addColumn('command_id', 'text').execute()
  await db.schema
    .createIndex('conference_files_chat')
    .on('conference_files')
    .columns(['chat_id', 'created_at_ms'])
    .where(sql<boolean>`chat_id IS NOT NULL`)
    .execute()
}
