import { conferenceChat } from '@lectern/protocol/control'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { chatLock } from '../../sessions/stores/chat-rows.ts'

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
export const conferenceMembers = (db: Kysely<MainSchema>) => ({
  /** `invited`: the account has not agreed yet. Null: it is no member. */
  findMembership: async (tag: string, userId: number): Promise<'member' | 'invited' | null> => {
    const { rows } = await sql<{ is_invited: number | boolean }>`
      SELECT ${isInvited} AS is_invited FROM conferences c
      LEFT JOIN conversation_members m ON m.chat_id = ${conferenceChat(tag)} AND m.user_id = ${userId}
      WHERE c.tag = ${tag} AND c.removed = 0 AND (m.user_id IS NOT NULL OR c.owner_id = ${userId})
    `.execute(db)
    const [row] = rows
    return row ? (row.is_invited ? 'invited' : 'member') : null
  },
  /** Those of the accounts that are members, without invited ones. */
  membersAmong: async (tag: string, userIds: readonly number[]): Promise<number[]> => {
    if (userIds.length === 0) return []
    const { rows } = await sql<{ id: number }>`
      SELECT u.id FROM users u JOIN conferences c ON c.tag = ${tag} AND c.removed = 0
      LEFT JOIN conversation_members m ON m.chat_id = ${conferenceChat(tag)} AND m.user_id = u.id
      WHERE u.id IN (${sql.join([...userIds])}) AND (m.user_id IS NOT NULL OR c.owner_id = u.id)
        AND NOT ${isInvited}
    `.execute(db)
    return rows.map(({ id }) => id)
  },
  /**
   * Adds an account that wants to be a member; `added` also after an invitation. The newest message counts as read.
   * `full`: there are as many members as possible.
   */
  addMember: (tag: string, userId: number, limit: number): Promise<'added' | 'known' | 'full'> =>
    changeMember(db, tag, async transaction => {
      const { numDeletedRows } = await deleteInvitation(transaction, tag, userId).executeTakeFirst()
      const result = await insertMember(transaction, tag, userId, limit)
      return result === 'known' && numDeletedRows > 0n ? 'added' : result
    }),
  /** Invites an account, which becomes a member when it agrees. `declined`: it has left, or declined, before. */
  inviteMember: (
    tag: string,
    userId: number,
    limit: number,
  ): Promise<'added' | 'known' | 'full' | 'declined'> =>
    changeMember(db, tag, async transaction => {
      const invitation = { chat_id: conferenceChat(tag), user_id: userId }
      const declined = await transaction
        .selectFrom('conversation_invitations')
        .select('user_id')
        .where('chat_id', '=', invitation.chat_id)
        .where('user_id', '=', userId)
        .where('is_declined', '=', 1)
        .executeTakeFirst()
      if (declined) return 'declined'
      const result = await insertMember(transaction, tag, userId, limit)
      if (result === 'added')
        await transaction
          .insertInto('conversation_invitations')
          .values({ ...invitation, is_declined: 0 })
          .execute()
      return result
    }),
  /** `isDeclined`: by the account itself, which is not invited again, whatever the owner removes afterwards. */
  removeMember: (tag: string, userId: number, { isDeclined }: { isDeclined: boolean }): Promise<boolean> =>
    changeMember(db, tag, async transaction => {
      const invitation = deleteInvitation(transaction, tag, userId)
      await (isDeclined ? invitation : invitation.where('is_declined', '=', 0)).execute()
      const { numDeletedRows } = await transaction
        .deleteFrom('conversation_members')
        .where('chat_id', '=', conferenceChat(tag))
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (isDeclined)
        await transaction
          .insertInto('conversation_invitations')
          .values({ chat_id: conferenceChat(tag), user_id: userId, is_declined: 1 })
          .execute()
      return numDeletedRows === 1n
    }),
  members: async (tag: string): Promise<{ userId: number; displayName: string; isInvited: boolean }[]> => {
    const { rows } = await sql<{ user_id: number; display_name: string; is_invited: number | boolean }>`
      SELECT u.id AS user_id, u.display_name, ${isInvited} AS is_invited
      FROM users u
      LEFT JOIN conversation_members m ON m.chat_id = ${conferenceChat(tag)} AND m.user_id = u.id
      WHERE u.deleted_at IS NULL AND u.id IN (
        SELECT user_id FROM conversation_members WHERE chat_id = ${conferenceChat(tag)}
        UNION SELECT owner_id FROM conferences WHERE tag = ${tag} AND removed = 0)
      ORDER BY u.display_name, u.id`.execute(db)
    return rows.map(row => ({
      userId: row.user_id,
      displayName: row.display_name,
      isInvited: Boolean(row.is_invited),
    }))
  },
})

/** Whether the member of row `m` has not agreed to be one. */
export const isInvited = sql`
  EXISTS (SELECT 1 FROM conversation_invitations i WHERE i.chat_id = m.chat_id AND i.user_id = m.user_id)`

/** One after the other, and also of messages: what is sent before somebody is added counts as read, and nothing else. */
const changeMember = <Result>(
  db: Kysely<MainSchema>,
  tag: string,
  work: (db: Kysely<MainSchema>) => Promise<Result>,
): Promise<Result> => inTransaction(db, work, [chatLock(conferenceChat(tag))])

const deleteInvitation = (db: Kysely<MainSchema>, tag: string, userId: number) =>
  db
    .deleteFrom('conversation_invitations')
    .where('chat_id', '=', conferenceChat(tag))
    .where('user_id', '=', userId)

async function insertMember(
  db: Kysely<MainSchema>,
  tag: string,
  userId: number,
  limit: number,
): Promise<'added' | 'known' | 'full'> {
  const chatId = conferenceChat(tag)
  const { rows } = await sql`
    INSERT INTO conversation_members (chat_id, user_id, other_id, read_id)
    SELECT ${chatId}, ${userId}, NULL,
      coalesce((SELECT last_message_id FROM conversations WHERE chat_id = ${chatId}), 0)
    WHERE (SELECT count(*) FROM conversation_members WHERE chat_id = ${chatId}) < ${limit}
      AND EXISTS (SELECT 1 FROM conferences WHERE tag = ${tag} AND removed = 0)
    ON CONFLICT (chat_id, user_id) DO NOTHING
    RETURNING user_id`.execute(db)
  if (rows.length > 0) return 'added'
  const known = await db
    .selectFrom('conversation_members')
    .select('user_id')
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return known ? 'known' : 'full'
}
