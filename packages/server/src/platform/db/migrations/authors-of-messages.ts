import type { Migration } from '../migrate.ts'

/** Messages know whether a moderator wrote them: their senders are not taken for people of the same name later. */
export const authorsOfMessages: Migration = async db => {
  await db.schema
    .alterTable('chat_messages')
    .addColumn('by_moderator', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
