import { batched } from '@lectern/common'
import { type Kysely, sql } from 'kysely'
import type { ChatStore, MessageKey, NewMessage } from '../sessions/ports.ts'
import { fitting, toColumns, toMessage } from './chat-rows.ts'
import { chatLock } from './messaging/locks.ts'
import type { MainSchema } from './schema.ts'
import { withLocks } from './transaction.ts'

const keyOf = ({ chatId, userId, commandId }: MessageKey) => JSON.stringify([chatId, userId, commandId])

const BATCH_MAX = 500

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
  // Each write waits for the disk; messages that arrive together wait once.
  const insert = batched(
    async (messages: NewMessage[]) => {
      const locks = messages.map(({ chatId }) => chatLock(chatId))
      const rows = await withLocks(db, locks, connection =>
        connection
          .insertInto('chat_messages')
          .values(messages.map(toColumns))
          .onConflict(conflict => conflict.columns(['chat_id', 'user_id', 'command_id']).doNothing())
          .returningAll()
          .execute(),
      )
      const added = new Map(rows.map(toMessage).map(stored => [keyOf(stored), stored]))
      return messages.map(message => added.get(keyOf(message)))
    },
    { schedule: setImmediate, maxItems: BATCH_MAX },
  )
  return {
    find,
    append: async message => {
      const stored = (await insert(message)) ?? (await find(message))
      if (!stored) throw new Error('a message was neither inserted nor found') // messages are never deleted
      return stored
    },
    page: async (chatId, before, { limit, bytes }) => {
      // Sizes first, so that texts beyond the limit are not read.
      const sizes = await db
        .selectFrom('chat_messages')
        .select(['id', sql<number>`octet_length(text) + octet_length(display_name)`.as('bytes')])
        .where('chat_id', '=', chatId)
        .$if(before !== null, query => query.where('id', '<', before as number))
        .orderBy('id', 'desc')
        .limit(limit + 1) // one more shows whether there are older ones
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
