import { batched } from '@lectern/common'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction, withLocks } from '../../platform/db/transaction.ts'
import type { ChatStore, MessageKey, NewMessage, SessionLease } from '../ports.ts'
import { chatLock, deleteMessage, fitting, sizeOfMessage, toColumns, toMessage } from './chat-rows.ts'
import { isFenced, lockLease } from './fencing.ts'

const keyOf = ({ chatId, userId, commandId }: MessageKey) => JSON.stringify([chatId, userId, commandId])

const BATCH_MAX = 500
/** Parts of one query: SQLite permits 500. */
const PAGES_MAX = 100

/** A page of a chat: its newest messages, or those before one. */
interface Page {
  chatId: string
  before: number | null
  limit: number
}

/** A message to be stored under a lease. */
interface Draft {
  message: NewMessage
  lease: SessionLease
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
  // Each write waits for the disk; messages that arrive together wait once.
  const insert = batched(
    async (drafts: Draft[]) => {
      const locks = drafts.map(({ message }) => chatLock(message.chatId))
      const isAnyFenced = drafts.some(({ lease }) => isFenced(lease))
      const rows = isAnyFenced
        ? await inTransaction(
            db,
            async connection => insertAll(connection, await heldOf(connection, drafts)),
            locks,
          )
        : await withLocks(db, locks, connection => insertAll(connection, drafts))
      const added = new Map(rows.map(toMessage).map(stored => [keyOf(stored), stored]))
      return drafts.map(({ message }) => added.get(keyOf(message)))
    },
    { schedule: setImmediate, maxItems: BATCH_MAX },
  )
  const sizesOf = batched((pages: Page[]) => readSizes(db, pages), {
    schedule: setImmediate,
    maxItems: PAGES_MAX,
  })
  return {
    find,
    append: async (message, lease) => (await insert({ message, lease })) ?? (await find(message)),
    page: async (chatId, before, { limit, bytes }) => {
      // Sizes first, so that texts beyond the limit are not read.
      const sizes = await sizesOf({ chatId, before, limit })
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
    get: async (chatId, messageId) => {
      const row = await db
        .selectFrom('chat_messages')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('id', '=', messageId)
        .executeTakeFirst()
      return row ? toMessage(row) : null
    },
    delete: (...message) => deleteMessage(db, ...message),
  }
}

/** The sizes of the messages of each page, the newest first, and of one more, which shows whether there are older ones. */
async function readSizes(db: Kysely<MainSchema>, pages: readonly Page[]) {
  const queries = pages.map(({ chatId, before, limit }, index) => {
    const page = db
      .selectFrom('chat_messages')
      .select(['id', sizeOfMessage.as('bytes'), sql.lit(index).as('page')])
      .where('chat_id', '=', chatId)
      .$if(before !== null, query => query.where('id', '<', before as number))
      .orderBy('id', 'desc')
      .limit(limit + 1)
    return db.selectFrom(page.as('page')).selectAll()
  })
  const [first, ...others] = queries
  if (!first) return []
  const rows = await others.reduce((all, query) => all.unionAll(query), first).execute()
  const byPage = Map.groupBy(rows, ({ page }) => page)
  return pages.map((_, index) => (byPage.get(index) ?? []).sort((a, b) => b.id - a.id))
}

async function insertAll(db: Kysely<MainSchema>, drafts: readonly Draft[]) {
  if (drafts.length === 0) return []
  return db
    .insertInto('chat_messages')
    .values(drafts.map(({ message }) => toColumns(message)))
    .onConflict(conflict => conflict.columns(['chat_id', 'user_id', 'command_id']).doNothing())
    .returningAll()
    .execute()
}

/** The drafts whose lease is held until the end of the transaction. */
async function heldOf(db: Kysely<MainSchema>, drafts: readonly Draft[]): Promise<Draft[]> {
  const leases = new Map(drafts.map(({ lease }) => [lease.sessionId, lease]))
  const held = new Set<SessionLease>()
  for (const lease of leases.values()) if (await lockLease(db, lease)) held.add(lease)
  return drafts.filter(({ lease }) => held.has(lease) || !isFenced(lease))
}
