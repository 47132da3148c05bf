import { conferenceChat } from '@lectern/protocol/control'
import { type Kysely, sql } from 'kysely'
import type { ConversationStore } from '../../messaging/ports.ts'
import { chatLock } from '../chat-rows.ts'
import type { MainSchema } from '../schema.ts'
import { withLocks } from '../transaction.ts'

type Members = Pick<ConversationStore, 'isMember' | 'membersAmong' | 'addMember' | 'removeMember' | 'members'>

/** Stands for the last message of a conversation without messages. */
export const NO_MESSAGE = 0

/** The conversation of a new conference, with its owner. */
export async function addConferenceConversation(
  db: Kysely<MainSchema>,
  tag: string,
  ownerId: number,
): Promise<void> {
  const chat_id = conferenceChat(tag)
  await db.insertInto('conversations').values({ chat_id, tag, last_message_id: NO_MESSAGE }).execute()
  await sql`
    INSERT INTO conversation_members (chat_id, user_id, other_id, read_id)
    SELECT ${chat_id}, id, NULL, ${NO_MESSAGE} FROM users WHERE id = ${ownerId}`.execute(db)
}

/** The members of the conversations of conferences. The owner is one without having a row. */
export const conferenceMembers = (db: Kysely<MainSchema>): Members => ({
  isMember: async (tag, userId) => {
    const { rows } = await sql`
      SELECT 1 FROM conferences c
      LEFT JOIN conversation_members m ON m.chat_id = ${conferenceChat(tag)} AND m.user_id = ${userId}
      WHERE c.tag = ${tag} AND c.removed = 0 AND (m.user_id IS NOT NULL OR c.owner_id = ${userId})
    `.execute(db)
    return rows.length > 0
  },
  membersAmong: async (tag, userIds) => {
    if (userIds.length === 0) return []
    const { rows } = await sql<{ id: number }>`
      SELECT u.id FROM users u JOIN conferences c ON c.tag = ${tag} AND c.removed = 0
      LEFT JOIN conversation_members m ON m.chat_id = ${conferenceChat(tag)} AND m.user_id = u.id
      WHERE u.id IN (${sql.join([...userIds])}) AND (m.user_id IS NOT NULL OR c.owner_id = u.id)
    `.execute(db)
    return rows.map(({ id }) => id)
  },
  addMember: async (tag, userId, limit) => {
    const chatId = conferenceChat(tag)
    const insert = sql`
      INSERT INTO conversation_members (chat_id, user_id, other_id, read_id)
      SELECT ${chatId}, ${userId}, NULL,
        coalesce((SELECT last_message_id FROM conversations WHERE chat_id = ${chatId}), 0)
      WHERE (SELECT count(*) FROM conversation_members WHERE chat_id = ${chatId}) < ${limit}
        AND EXISTS (SELECT 1 FROM conferences WHERE tag = ${tag} AND removed = 0)
      ON CONFLICT (chat_id, user_id) DO NOTHING
      RETURNING user_id`
    // Also of messages: what is sent before somebody is added counts as read, and nothing else.
    const { rows } = await withLocks(db, [chatLock(chatId)], connection => insert.execute(connection))
    if (rows.length > 0) return 'added'
    const known = await db
      .selectFrom('conversation_members')
      .select('user_id')
      .where('chat_id', '=', chatId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return known ? 'known' : 'full'
  },
  removeMember: async (tag, userId) => {
    const { numDeletedRows } = await db
      .deleteFrom('conversation_members')
      .where('chat_id', '=', conferenceChat(tag))
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return numDeletedRows === 1n
  },
  members: async tag => {
    const { rows } = await sql<{ user_id: number; display_name: string }>`
      SELECT u.id AS user_id, u.display_name FROM users u WHERE u.deleted_at IS NULL AND (
        u.id IN (SELECT user_id FROM conversation_members WHERE chat_id = ${conferenceChat(tag)})
        OR u.id = (SELECT owner_id FROM conferences WHERE tag = ${tag} AND removed = 0))
      ORDER BY u.display_name, u.id`.execute(db)
    return rows.map(row => ({ userId: row.user_id, displayName: row.display_name }))
  },
})
