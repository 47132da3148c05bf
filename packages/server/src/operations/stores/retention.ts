import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forgetSpeech, SPEECH_LOCK } from '../../records/stores/removed-transcripts.ts'

/** The newest message of a conversation without messages. */
const NO_MESSAGE = 0

export type RetentionStore = ReturnType<typeof retentionStore>

/** Removes rows because of their age. Each call removes up to `limit` rows and returns how many it has removed. */
export function retentionStore(db: Kysely<MainSchema>) {
  return {
    /** Jobs of recordings that ended before that time, oldest first. */
    listRecordings: async (beforeMs: number, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('recordings')
        .select('job_id')
        .where('ended_at_ms', '<', beforeMs)
        .orderBy('ended_at_ms')
        .limit(limit)
        .execute()
      return rows.map(row => row.job_id)
    },
    removeTranscripts: (beforeMs: number, limit: number): Promise<number> =>
      inTransaction(
        db,
        async store => {
          const removed = await store
            .deleteFrom('transcripts')
            .where('id', 'in', query =>
              query
                .selectFrom('transcripts')
                .select('id')
                .where('ended_at_ms', '<', beforeMs)
                .orderBy('id')
                .limit(limit),
            )
            .returning(['job_id', 'conference_tag'])
            .execute()
          await forgetSpeech(store, removed)
          return removed.length
        },
        [SPEECH_LOCK],
      ),
    removeMessages: (beforeMs: number, limit: number): Promise<number> =>
      inTransaction(db, async store => {
        const newest = await store
          .selectFrom('chat_messages')
          .select('id')
          .orderBy('id', 'desc')
          .limit(1)
          .execute()
        const newestId = newest[0]?.id ?? NO_MESSAGE
        const old = await store
          .selectFrom('chat_messages')
          .select(['id', 'chat_id'])
          .where('sent_at_ms', '<', beforeMs)
          .where('id', '<', newestId)
          .orderBy('id')
          .limit(limit)
          .execute()
        if (old.length > 0) {
          const ids = old.map(({ id }) => id)
          await store.deleteFrom('chat_messages').where('id', 'in', ids).execute()
          await store
            .updateTable('conversations')
            .set({ last_message_id: NO_MESSAGE })
            .where('last_message_id', 'in', ids)
            .execute()
        }
        // SQLite reuses the id of a removed last row, so that row is emptied: ids say what was read.
        await store
          .updateTable('chat_messages')
          .set({ text: '', display_name: '', file: null, deleted_at_ms: beforeMs })
          .where('id', '=', newestId)
          .where('sent_at_ms', '<', beforeMs)
          .where('deleted_at_ms', 'is', null)
          .execute()
        return old.length
      }),
  }
}
