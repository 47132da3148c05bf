import { type Kysely, type Selectable, sql } from 'kysely'
import type { ChatStore, MessageKey, NewMessage, StoredMessage } from '../sessions/ports.ts'
import type { ChatMessagesTable, MainSchema } from './schema.ts'

const toMessage = (row: Selectable<ChatMessagesTable>): StoredMessage => ({
  messageId: row.id,
  chatId: row.chat_id,
  userId: row.user_id,
  commandId: row.command_id,
  displayName: row.display_name,
  text: row.text,
  sentAtMs: row.sent_at_ms,
})

const toColumns = (message: NewMessage) => ({
  chat_id: message.chatId,
  user_id: message.userId,
  command_id: message.commandId,
  display_name: message.displayName,
  text: message.text,
  sent_at_ms: message.sentAtMs,
})

const keyOf = ({ chatId, userId, commandId }: MessageKey) => JSON.stringify([chatId, userId, commandId])

/** How many of the first rows fit, at least one. */
function fitting(rows: readonly { bytes: number }[], maxBytes: number): number {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes
    return i > 0 && bytes > maxBytes
  })
  return end < 0 ? rows.length : end
}

const TOGETHER_MAX = 500

/** Messages that come at the same time are written at once: each write waits for the disk, and all wait for it. */
function together<T, R>(write: (items: T[]) => Promise<R[]>): (item: T) => Promise<R> {
  const waiting: { item: T; resolve: (result: R) => void; reject: (error: unknown) => void }[] = []
  const flush = async () => {
    const batch = waiting.splice(0, TOGETHER_MAX)
    if (waiting.length > 0) setImmediate(flush)
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as R)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return item =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(flush)
    })
}

export function chatStore(db: Kysely<MainSchema>): ChatStore {
  const find = async ({ chatId, userId, commandId }: MessageKey) => {
    const row = await db
      .selectFrom('chat_messages')
      .selectAll()
      .where('chat_id', '=', chatId)
      .where('user_id', '=', userId)
      .where('command_id', '=', commandId)
      .executeTakeFirst()
    return row ? toMessage(row) : null
  }
  const insert = together(async (messages: NewMessage[]) => {
    const rows = await db
      .insertInto('chat_messages')
      .values(messages.map(toColumns))
      .onConflict(conflict => conflict.columns(['chat_id', 'user_id', 'command_id']).doNothing())
      .returningAll()
      .execute()
    const added = new Map(rows.map(toMessage).map(stored => [keyOf(stored), stored]))
    return messages.map(message => added.get(keyOf(message)))
  })
  return {
    find,
    append: async message => {
      const stored = (await insert(message)) ?? (await find(message))
      if (!stored) throw new Error('a message is neither new nor there') // messages are never deleted
      return stored
    },
    page: async (chatId, before, { limit, bytes }) => {
      // Sizes first: the texts of what does not fit are not read.
      const sizes = await db
        .selectFrom('chat_messages')
        .select(['id', sql<number>`octet_length(text) + octet_length(display_name)`.as('bytes')])
        .where('chat_id', '=', chatId)
        .$if(before !== null, query => query.where('id', '<', before as number))
        .orderBy('id', 'desc')
        .limit(limit + 1) // one more tells whether there are older ones
        .execute()
      const [newest, oldest] = [sizes[0], sizes[fitting(sizes.slice(0, limit), bytes) - 1]]
      if (!newest || !oldest) return { messages: [], hasOlder: false }
      const rows = await db
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('id', '>=', oldest.id)
        .where('id', '<=', newest.id)
        .orderBy('id')
        .execute()
      return { messages: rows.map(toMessage), hasOlder: rows.length < sizes.length }
    },
    after: async (chatId, messageId) => {
      const rows = await db
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('id', '>', messageId)
        .orderBy('id')
        .execute()
      return rows.map(toMessage)
    },
  }
}
