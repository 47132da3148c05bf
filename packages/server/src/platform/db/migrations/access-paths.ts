import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Indexes by which the data of a person, a room or a conversation is found without reading that of all others. */
export const accessPaths: Migration = async db => {
  for (const [table, column] of [
    ['chat_messages', 'user_id'],
    ['session_participants', 'user_id'],
    ['conversation_invitations', 'user_id'],
    ['mutes', 'chat_id'],
    ['conversations', 'tag'],
    ['blobs', 'owner_id'],
    ['blobs', 'scope'],
  ] as const)
    await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
  await db.schema
    .createIndex('conference_sessions_with_removed')
    .on('conference_sessions')
    .column('id')
    .where(sql.ref('removed'), '<>', sql.lit('[]'))
    .execute()
  // The former index had ended sessions only.
  await db.schema
    .createIndex('conference_sessions_by_tag')
    .on('conference_sessions')
    .columns(['tag', 'id'])
    .execute()
  await db.schema.dropIndex('conference_sessions_ended').execute()
}

/** The size of all files of an owner is read from the index: partners have hundreds of thousands. */
export const sizesOfBlobs: Migration = async db => {
  await db.schema.createIndex('blobs_by_owner').on('blobs').columns(['owner_id', 'state', 'size']).execute()
  await db.schema.dropIndex('blobs_by_owner_id').execute()
}

export const subjectsOfWebhooks: Migration = async db => {
  await db.schema
    .createIndex('webhook_deliveries_by_subject')
    .on('webhook_deliveries')
    .column('subject')
    .execute()
}
