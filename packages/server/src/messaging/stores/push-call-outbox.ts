import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { CallChange } from '../push/ports.ts'

type Db = Kysely<MainSchema>

/** Changes are added to it in the transaction that stores them, and removed when their notifications are stored. */
export type PushCallOutboxStore = ReturnType<typeof pushCallOutboxStore>

export const pushCallOutboxStore = (db: Db) => ({
  /** In the order of calls. */
  list: (limit: number): Promise<CallChange[]> =>
    db
      .selectFrom('push_call_outbox')
      .select(['call_id as callId', 'revision'])
      .orderBy('call_id')
      .orderBy('revision')
      .limit(limit)
      .execute(),
  remove: async (changes: readonly CallChange[]) => {
    if (changes.length === 0) return
    await db
      .deleteFrom('push_call_outbox')
      .where(({ or, and, eb }) =>
        or(
          changes.map(({ callId, revision }) =>
            and([eb('call_id', '=', callId), eb('revision', '=', revision)]),
          ),
        ),
      )
      .execute()
  },
})

/** Remembers the call, in the transaction that stores the change. */
export const rememberCallForPush = (db: Db, callId: number, revision: number) =>
  db.insertInto('push_call_outbox').values({ call_id: callId, revision }).execute()
