import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Messages can be edited and deleted. */
export const changesOfMessages: Migration = async db => {
  await db.schema.alterTable('chat_messages').addColumn('edited_at_ms', 'bigint').execute()
  await db.schema.alterTable('chat_messages').addColumn('deleted_at_ms', 'bigint').execute()
}

/** Conversations with members; the chats of the sessions of an ordinary conference become its conversation. */
export const conversations: Migration = async db => {
  await db.schema
    .createTable('conversations')
    .addColumn('chat_id', 'text', column => column.primaryKey())
    .addColumn('tag', 'text')
    .addColumn('last_message_id', 'integer', column => column.notNull())
    .execute()
  await db.schema
    .createTable('conversation_members')
    .addColumn('chat_id', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('other_id', 'integer')
    .addColumn('read_id', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('conversation_members_key', ['chat_id', 'user_id'])
    .execute()
  await db.schema
    .createIndex('conversation_members_user')
    .on('conversation_members')
    .column('user_id')
    .execute()
  await db.schema
    .createTable('mutes')
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('chat_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('mutes_key', ['user_id', 'chat_id'])
    .execute()
  await db.schema
    .createTable('contacts')
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('contact_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('sent', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('contacts_key', ['user_id', 'contact_id'])
    .execute()
  await db.schema.createIndex('contacts_contact').on('contacts').column('contact_id').execute()
  await moveSessionChats(db)
}

async function moveSessionChats(db: Kysely<unknown>): Promise<void> {
  // Two sessions of a conference may have used the same command id; it is unique within the conversation now.
  await sql`
    UPDATE chat_messages SET command_id = command_id || '~' || id WHERE id IN (
      SELECT id FROM (
        SELECT m.id, row_number() OVER (PARTITION BY s.tag, m.user_id, m.command_id ORDER BY m.id) AS place
        FROM conference_sessions s
        JOIN conferences c ON c.tag = s.tag
        JOIN chat_messages m ON m.chat_id = 'session:' || s.id
      ) AS places WHERE place > 1)`.execute(db)
  await sql`
    UPDATE chat_messages SET chat_id = 'conference:' || s.tag
    FROM conference_sessions s JOIN conferences c ON c.tag = s.tag
    WHERE chat_messages.chat_id = 'session:' || s.id`.execute(db)
  await sql`
    INSERT INTO conversations (chat_id, tag, last_message_id)
    SELECT 'conference:' || c.tag, c.tag, max(m.id)
    FROM conferences c JOIN chat_messages m ON m.chat_id = 'conference:' || c.tag
    WHERE c.removed = 0 GROUP BY c.tag`.execute(db)
  // Owners, and accounts that wrote. What is there counts as read.
  await sql`
    INSERT INTO conversation_members (chat_id, user_id, other_id, read_id)
    SELECT 'conference:' || c.tag, p.user_id, NULL, coalesce(v.last_message_id, 0)
    FROM conferences c
    JOIN (
      SELECT tag, owner_id AS user_id FROM conferences
      UNION SELECT v.tag, m.user_id FROM conversations v JOIN chat_messages m ON m.chat_id = v.chat_id
    ) AS p ON p.tag = c.tag
    JOIN users u ON u.id = p.user_id AND u.kind = 'ordinary'
      AND NOT (u.login LIKE 'person-%' AND u.password_hash IS NULL)
    LEFT JOIN conversations v ON v.tag = c.tag
    WHERE c.removed = 0`.execute(db)
}

/** Conferences have their conversations from the beginning on, also without messages. */
export const conversationsOfConferences: Migration = async db => {
  await sql`
    INSERT INTO conversations (chat_id, tag, last_message_id)
    SELECT 'conference:' || c.tag, c.tag, 0 FROM conferences c
    WHERE c.removed = 0 AND c.purpose = 'meeting'
      AND NOT EXISTS (SELECT 1 FROM conversations v WHERE v.chat_id = 'conference:' || c.tag)`.execute(db)
  await sql`
    INSERT INTO conversation_members (chat_id, user_id, other_id, read_id)
    SELECT 'conference:' || c.tag, c.owner_id, NULL, v.last_message_id
    FROM conferences c
    JOIN conversations v ON v.chat_id = 'conference:' || c.tag
    JOIN users u ON u.id = c.owner_id
    WHERE c.removed = 0 AND c.purpose = 'meeting' AND NOT EXISTS (
      SELECT 1 FROM conversation_members m WHERE m.chat_id = v.chat_id AND m.user_id = c.owner_id)`.execute(
    db,
  )
}

/** Members whom the owner has added and who have not agreed yet, and people who have left. */
export const invitationsToConversations: Migration = async db => {
  await db.schema
    .createTable('conversation_invitations')
    .addColumn('chat_id', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('is_declined', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('conversation_invitations_key', ['chat_id', 'user_id'])
    .execute()
}
