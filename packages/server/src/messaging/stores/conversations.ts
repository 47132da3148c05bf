import { UNREAD_MAX } from '@lectern/protocol/control'
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { prepared } from '../../platform/db/prepared.ts'
import type { ChatMessagesTable, MainSchema } from '../../platform/db/schema.ts'
import { withLocks } from '../../platform/db/transaction.ts'
import { toMessage } from '../../sessions/stores/chat-rows.ts'
import type { Chat, Recipient, StoredConversation } from '../ports.ts'
import { directChatOf } from './direct-chat.ts'
import { conferenceMembers, isInvited, NO_MESSAGE } from './members.ts'

/** The conversations of an account that exist, `m` with their members' rows. */
const existing = (userId: number) => sql`
  conversation_members m
  JOIN conversations v ON v.chat_id = m.chat_id
  LEFT JOIN conferences c ON c.tag = v.tag AND c.removed = 0
  WHERE m.user_id = ${userId} AND (v.tag IS NULL OR c.tag IS NOT NULL)`

/** Messages that count as unread for the member of row `m`. */
const unread = sql`
  chat_messages x
  WHERE x.chat_id = m.chat_id AND x.id > m.read_id AND x.user_id <> m.user_id AND x.deleted_at_ms IS NULL`

/** The columns of the last message are null where there is none. */
type Row = Selectable<ChatMessagesTable> & {
  conversation_id: string
  conference_created_at_ms: number | null
  tag: string | null
  other_id: number | null
  read_id: number
  title: string | null
  is_muted: number | boolean
  is_request: number | boolean
  unread: number
}

function toConversation(userId: number, row: Row): StoredConversation {
  const { conversation_id: id, tag, other_id } = row
  const lastMessage = row.id === null ? null : toMessage(row)
  const pair: [number, number] = [Math.min(userId, other_id ?? 0), Math.max(userId, other_id ?? 0)]
  const chat: Chat = tag === null ? { kind: 'direct', id, userIds: pair } : { kind: 'conference', id, tag }
  return {
    chat,
    title: row.title ?? '',
    lastMessage,
    activityAtMs: lastMessage?.sentAtMs ?? row.conference_created_at_ms ?? 0,
    unread: Number(row.unread),
    readId: row.read_id,
    isMuted: Boolean(row.is_muted),
    isRequest: Boolean(row.is_request),
  }
}

/** The conversations of accounts. Those of conferences that were removed do not exist. */
export type ConversationStore = ReturnType<typeof conversationStore>

export function conversationStore(db: Kysely<MainSchema>) {
  // Counters and texts are read only of those that the page has.
  const query = (userId: number, condition: RawBuilder<unknown>, limit: number) => sql<Row>`
      SELECT l.*, m.chat_id AS conversation_id, m.conference_created_at_ms, m.tag, m.other_id, m.read_id,
        coalesce(m.title, u.display_name) AS title,
        t.user_id IS NOT NULL AS is_muted,
        coalesce(k.state = 'incoming', FALSE) OR ${isInvited} AS is_request,
        (SELECT count(*) FROM (SELECT 1 FROM ${unread} LIMIT ${UNREAD_MAX}) AS counted) AS unread
      FROM (
        SELECT m.chat_id, m.user_id, m.other_id, m.read_id, v.tag, v.last_message_id, c.title,
          c.created_at_ms AS conference_created_at_ms
        FROM ${existing(userId)} ${condition}
        ORDER BY v.last_message_id DESC, m.chat_id LIMIT ${limit}
      ) AS m
      LEFT JOIN chat_messages l ON l.id = m.last_message_id
      LEFT JOIN users u ON u.id = m.other_id
      LEFT JOIN contacts k ON k.user_id = m.user_id AND k.contact_id = m.other_id
      LEFT JOIN mutes t ON t.user_id = m.user_id AND t.chat_id = m.chat_id
      ORDER BY m.last_message_id DESC, m.chat_id`
  const select = async (userId: number, condition: RawBuilder<unknown>, limit: number) => {
    const { rows } = await query(userId, condition, limit).execute(db)
    return rows.map(row => toConversation(userId, row))
  }
  // Each message has these read again for every account that it reaches and that is connected.
  const selectOne = prepared(db, (userId: number, chatId: string) =>
    query(userId, sql`AND m.chat_id = ${chatId}`, 1),
  )
  const countUnread = prepared(
    db,
    (userId: number) => sql<{ unread: number; muted: number }>`
      SELECT count(*) AS unread, count(*) FILTER (
        WHERE EXISTS (SELECT 1 FROM mutes t WHERE t.user_id = m.user_id AND t.chat_id = m.chat_id)
      ) AS muted
      FROM ${existing(userId)} AND v.last_message_id > m.read_id AND EXISTS (SELECT 1 FROM ${unread})`,
  )
  return {
    /** Newest message first, then those without messages, by their ids. Null: from the beginning. */
    page: (
      userId: number,
      from: { beforeMessage: number } | { afterEmpty: string } | null,
      limit: number,
    ): Promise<StoredConversation[]> => {
      if (from === null) return select(userId, sql``, limit)
      const condition =
        'beforeMessage' in from
          ? sql`AND v.last_message_id < ${from.beforeMessage}`
          : sql`AND v.last_message_id = ${NO_MESSAGE} AND m.chat_id > ${from.afterEmpty}`
      return select(userId, condition, limit)
    },
    /** The conversations among these of which the account is a member. */
    find: async (userId: number, chatIds: readonly string[]): Promise<StoredConversation[]> => {
      const [chatId] = chatIds
      if (chatId === undefined) return []
      if (chatIds.length === 1)
        return (await selectOne(userId, chatId)).map(row => toConversation(userId, row))
      return select(userId, sql`AND m.chat_id IN (${sql.join([...chatIds])})`, chatIds.length)
    },
    /** How many have unread messages, and how many of them are not muted. */
    countUnread: async (userId: number): Promise<{ all: number; unmuted: number }> => {
      const [row] = await countUnread(userId)
      const all = Number(row?.unread ?? 0)
      return { all, unmuted: all - Number(row?.muted ?? 0) }
    },
    /** All members, or one; for direct conversations with what the sender is to them. */
    recipients: async (chat: Chat, senderId: number, memberId?: number): Promise<Recipient[]> => {
      const isMember = memberId === undefined ? sql`` : sql`AND m.user_id = ${memberId}`
      const withSender = directChatOf(sql`m.user_id`, sql`CAST(${senderId} AS BIGINT)`)
      const { rows } = await sql<{ user_id: number; read_id: number; is_muted: number; is_request: number }>`
        SELECT m.user_id, m.read_id,
          EXISTS (
            SELECT 1 FROM mutes t
            WHERE t.user_id = m.user_id AND t.chat_id IN (m.chat_id, ${withSender})
          ) OR coalesce(k.state = 'blocked', FALSE) OR ${isInvited} AS is_muted,
          coalesce(k.state = 'incoming' AND m.other_id = ${senderId}, FALSE) AS is_request
        FROM conversation_members m
        LEFT JOIN contacts k ON k.user_id = m.user_id AND k.contact_id = ${senderId}
        WHERE m.chat_id = ${chat.id} ${isMember}`.execute(db)
      return rows.map(row => ({
        userId: row.user_id,
        isMuted: Boolean(row.is_muted),
        isRequest: Boolean(row.is_request),
        readId: row.read_id,
      }))
    },
    /** Whether both are members of one conversation. */
    haveCommon: async (userId: number, otherId: number) => {
      const row = await db
        .selectFrom('conversation_members as own')
        .innerJoin('conversation_members as other', 'other.chat_id', 'own.chat_id')
        .select('own.chat_id')
        .where('own.user_id', '=', userId)
        .where('other.user_id', '=', otherId)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    /** The other accounts of all direct conversations. */
    directPartners: async (userId: number): Promise<number[]> => {
      const rows = await db
        .selectFrom('conversation_members')
        .select('other_id')
        .where('user_id', '=', userId)
        .where('other_id', 'is not', null)
        .execute()
      return rows.map(row => Number(row.other_id))
    },
    /** `full`: the account has muted as many as possible. */
    setMuted: async (
      userId: number,
      chatId: string,
      isMuted: boolean,
      limit: number,
    ): Promise<'done' | 'full'> => {
      if (!isMuted) {
        await db.deleteFrom('mutes').where('user_id', '=', userId).where('chat_id', '=', chatId).execute()
        return 'done'
      }
      const insert = sql`
        INSERT INTO mutes (user_id, chat_id)
        SELECT ${userId}, ${chatId}
        WHERE (SELECT count(*) FROM mutes WHERE user_id = ${userId} AND chat_id <> ${chatId}) < ${limit}
        ON CONFLICT (user_id, chat_id) DO UPDATE SET chat_id = excluded.chat_id
        RETURNING chat_id`
      const { rows } = await withLocks(db, [`mutes ${userId}`], connection => insert.execute(connection))
      return rows.length > 0 ? 'done' : 'full'
    },
    ...conferenceMembers(db),
    /**
     * Deletes what is left of conversations of removed conferences, at most `limit` messages. True when there may be
     * more.
     */
    sweep: async (limit: number) => {
      const { rows } = await sql<{ chat_id: string }>`
        SELECT v.chat_id FROM conferences c CROSS JOIN conversations v
        WHERE c.removed = 1 AND v.tag = c.tag LIMIT 1`.execute(db)
      const chatId = rows[0]?.chat_id
      if (chatId === undefined) return false
      const { numDeletedRows } = await db
        .deleteFrom('chat_messages')
        .where('id', 'in', query =>
          query.selectFrom('chat_messages').select('id').where('chat_id', '=', chatId).limit(limit),
        )
        .executeTakeFirst()
      if (numDeletedRows === BigInt(limit)) return true
      const tables = ['mutes', 'conversation_invitations', 'conversation_members', 'conversations'] as const
      for (const table of tables) await db.deleteFrom(table).where('chat_id', '=', chatId).execute()
      return true
    },
  }
}
