import { TEST_EVENT } from '@lectern/protocol'
import { type Kysely, sql } from 'kysely'
import { bringForward } from '../../platform/db/bring-forward.ts'
import { isPostgres } from '../../platform/db/dialect.ts'
import type { IntegrationSchema } from '../../platform/db/schema.ts'
import { olderThan } from '../../platform/db/search.ts'
import type { DueDelivery, DueLimits, Lease } from '../../platform/delivery/ports.ts'
import type { TimePage } from '../../platform/paging.ts'
import type { AttemptRecord, Delivery, DeliveryStatus, NewDelivery, Settlement } from '../ports.ts'
import { readHistory, withAbandonedAttempt, withAttempt } from './attempt-history.ts'
import { columnsOf, RECORD, toDelivery, toRecord } from './delivery-rows.ts'
import { dueOfEach } from './due-of-each.ts'
import { groupCommit } from './group-commit.ts'

/** Settlements of finished attempts. */
const COUNTED: Settlement['is'][] = ['delivered', 'retry', 'failed']

const QUEUE = {
  ...{ targets: 'webhook_subscriptions', key: 'service_account' },
  ...{ deliveries: 'webhook_deliveries', target: 'service_account', row: 'id' },
}

const seconds = (ms: number) => Math.floor(ms / 1000)

/** The accounts that have a webhook, which none of them loses before the transaction ends. */
async function withWebhook(db: Kysely<IntegrationSchema>, accounts: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('webhook_subscriptions')
    .select('service_account')
    .where('service_account', 'in', accounts)
    .$if(isPostgres(db), query => query.forShare())
    .execute()
  return new Set(rows.map(row => row.service_account))
}

/** Databases limit the parameters of a statement, and a room may have tens of thousands of recordings. */
const SUBJECTS_AT_ONCE = 1_000

/** The target of a delivery is its service account. Times of attempts are in milliseconds, all others in seconds. */
export type DeliveryStore = ReturnType<typeof deliveryStore>

export function deliveryStore(db: Kysely<IntegrationSchema>) {
  const together = groupCommit(db)
  return {
    /** Due at once. Duplicates by account, event and subject are ignored, and so are accounts without a webhook. */
    add: async (deliveries: NewDelivery[], nowMs: number) => {
      if (deliveries.length === 0) return
      const row = {
        status: 'pending',
        attempts: 0,
        next_attempt_at_ms: nowMs,
        created_at: seconds(nowMs),
        updated_at: seconds(nowMs),
      }
      await together(async db => {
        const configured = await withWebhook(
          db,
          deliveries.map(each => each.serviceAccount),
        )
        const rows = deliveries
          .filter(each => configured.has(each.serviceAccount))
          .map(({ serviceAccount, ...rest }) => ({ service_account: serviceAccount, ...rest, ...row }))
        if (rows.length === 0) return
        await db
          .insertInto('webhook_deliveries')
          .values(rows)
          .onConflict(conflict => conflict.columns(['service_account', 'event', 'subject']).doNothing())
          .execute()
      })
    },

    due: (nowMs: number, limits: DueLimits): Promise<DueDelivery[]> => dueOfEach(db, QUEUE, nowMs, limits),

    bringForward: (byMs: number, nowMs: number): Promise<void> =>
      bringForward(db, 'webhook_deliveries', sql<boolean>`status = 'pending'`, { byMs, nowMs }),

    lease: async (ids: string[], { token, untilMs }: Lease, nowMs: number): Promise<Delivery[]> => {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable('webhook_deliveries')
        .set({
          lease: token,
          next_attempt_at_ms: untilMs,
          history: withAbandonedAttempt(untilMs - nowMs),
        })
        .where('id', 'in', eb =>
          eb
            .selectFrom('webhook_deliveries')
            .select('id')
            .where('id', 'in', ids)
            .where('status', '=', 'pending')
            .where('next_attempt_at_ms', '<=', nowMs)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .execute()
      return rows.map(toDelivery)
    },

    /**
     * Only the holder of the lease may settle; but a success always counts, because the receiver has the event. False when
     * the caller no longer holds the delivery; `attempt` is stored in the same transaction even then.
     */
    settle: (
      id: string,
      token: string,
      settlement: Settlement,
      nowMs: number,
      attempt?: AttemptRecord,
    ): Promise<boolean> =>
      together(async db => {
        const history = attempt && { history: withAttempt(attempt) }
        const { numUpdatedRows } = await db
          .updateTable('webhook_deliveries')
          .set({ lease: null, updated_at: seconds(nowMs), ...history })
          .set(columnsOf(settlement))
          .$if(COUNTED.includes(settlement.is), query =>
            query.set(eb => ({ attempts: eb('attempts', '+', 1) })),
          )
          .where('id', '=', id)
          .$if(settlement.is !== 'delivered', query => query.where('lease', '=', token))
          .executeTakeFirst()
        if (numUpdatedRows === 0n && history)
          await db.updateTable('webhook_deliveries').set(history).where('id', '=', id).execute()
        return numUpdatedRows === 1n
      }),

    /** The delivery of any account, or of one: nothing of another's is read then. */
    find: async (id: string, serviceAccount?: string): Promise<Delivery | null> => {
      const row = await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('id', '=', id)
        .$if(serviceAccount !== undefined, query =>
          query.where('service_account', '=', serviceAccount as string),
        )
        .executeTakeFirst()
      return row ? toDelivery(row) : null
    },

    /** The newest 20 attempts, newest first, those before a replay and those without a known outcome included. */
    attemptsOf: async (id: string): Promise<AttemptRecord[]> => {
      const row = await db
        .selectFrom('webhook_deliveries')
        .select('history')
        .where('id', '=', id)
        .executeTakeFirst()
      return readHistory(row?.history ?? '')
    },

    /** The newest first. */
    list: async ({ status, limit }: { status?: DeliveryStatus; limit: number }) => {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(RECORD)
        .$if(status !== undefined, query => query.where('status', '=', status ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },

    /** A page of the deliveries of one account, the newest first. */
    page: async (
      serviceAccount: string,
      { status }: { status?: DeliveryStatus | undefined },
      { before, limit }: TimePage,
    ): Promise<Omit<Delivery, 'body'>[]> => {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(RECORD)
        .where('service_account', '=', serviceAccount)
        .$if(status !== undefined, query => query.where('status', '=', status as string))
        .$if(before !== undefined, query => query.where(olderThan('created_at', before)))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },

    /** Resets the attempts and makes it due at once. False while it is being sent, or when there is none. */
    replay: async (id: string, nowMs: number) => {
      const { numUpdatedRows } = await db
        .updateTable('webhook_deliveries')
        .set({
          status: 'pending',
          attempts: 0,
          next_attempt_at_ms: nowMs,
          lease: null,
          updated_at: seconds(nowMs),
        })
        .where('id', '=', id)
        .where(eb => eb.or([eb('lease', 'is', null), eb('next_attempt_at_ms', '<=', nowMs)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    pending: async (): Promise<{ count: number; oldestAt: number | null }> => {
      const row = await db
        .selectFrom('webhook_deliveries')
        .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest')])
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow()
      return { count: Number(row.count), oldestAt: row.oldest }
    },

    /** Subjects of deliveries about transcripts after that one, in order. */
    transcribed: async (after: string, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select('subject')
        .distinct()
        .where('event', '=', 'transcription.ready')
        .where('subject', '>', after)
        .orderBy('subject')
        .limit(limit)
        .execute()
      return rows.map(row => row.subject)
    },

    /** Removes all about these subjects. */
    removeSubjects: async (subjects: string[]) => {
      for (let i = 0; i < subjects.length; i += SUBJECTS_AT_ONCE) {
        const some = subjects.slice(i, i + SUBJECTS_AT_ONCE)
        await db.deleteFrom('webhook_deliveries').where('subject', 'in', some).execute()
      }
    },

    /** Removes delivered ones from before that time, the oldest beyond `keep`, and finished tests from before `testsBefore`. */
    sweep: async ({ before, keep, testsBefore }: { before: number; keep: number; testsBefore: number }) => {
      const surplus = await db
        .selectFrom('webhook_deliveries')
        .select(['created_at', 'id'])
        .where('status', '=', 'delivered')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(keep)
        .limit(1)
        .executeTakeFirst()
      await db
        .deleteFrom('webhook_deliveries')
        .where('status', '=', 'delivered')
        .where(({ eb, or, and }) =>
          or([
            eb('updated_at', '<', before),
            ...(surplus
              ? [
                  eb('created_at', '<', surplus.created_at),
                  and([eb('created_at', '=', surplus.created_at), eb('id', '<=', surplus.id)]),
                ]
              : []),
          ]),
        )
        .execute()
      await db
        .deleteFrom('webhook_deliveries')
        .where('event', '=', TEST_EVENT)
        .where('status', 'in', ['failed', 'cancelled'])
        .where('created_at', '<', testsBefore)
        .execute()
    },
  }
}
