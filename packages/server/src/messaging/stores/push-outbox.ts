import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { OutboxMessage } from '../push/ports.ts'

/** Messages are added to it in the transaction that stores them, and removed when their notifications are stored. */
export type PushOutboxStore = ReturnType<typeof pushOutboxStore>

export const pushOutboxStore = (db: Kysely<MainSchema>) => ({
  /** Rows that were stored before this time, oldest first. */
  list: (storedBeforeMs: number, limit: number): Promise<OutboxMessage[]> =>
    db
      .selectFrom('push_outbox as o')
      .leftJoin('chat_messages as m', 'm.id', 'o.message_id')
      .select(['o.message_id as messageId', 'm.chat_id as chatId', 'm.sent_at_ms as sentAtMs'])
      .where(({ eb, or }) => or([eb('m.id', 'is', null), eb('m.sent_at_ms', '<', storedBeforeMs)]))
      .orderBy('o.message_id')
      .limit(limit)
      .execute(),
  remove: async (messageIds: readonly number[]) => {
    if (messageIds.length === 0) return
    await db
      .deleteFrom('push_outbox')
      .where('message_id', 'in', [...messageIds])
      .execute()
  },
})
