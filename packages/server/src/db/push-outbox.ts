import type { Kysely } from 'kysely'
import type { PushOutboxStore } from '../push/ports.ts'
import type { MainSchema } from './schema.ts'

export const pushOutboxStore = (db: Kysely<MainSchema>): PushOutboxStore => ({
  list: (storedBeforeMs, limit) =>
    db
      .selectFrom('push_outbox as o')
      .leftJoin('chat_messages as m', 'm.id', 'o.message_id')
      .select(['o.message_id as messageId', 'm.chat_id as chatId', 'm.sent_at_ms as sentAtMs'])
      .where(({ eb, or }) => or([eb('m.id', 'is', null), eb('m.sent_at_ms', '<', storedBeforeMs)]))
      .orderBy('o.message_id')
      .limit(limit)
      .execute(),
  remove: async messageIds => {
    if (messageIds.length === 0) return
    await db
      .deleteFrom('push_outbox')
      .where('message_id', 'in', [...messageIds])
      .execute()
  },
})
