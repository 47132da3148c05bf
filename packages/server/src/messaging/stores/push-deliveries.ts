import { createHash, randomBytes } from 'node:crypto'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { bringForward } from '../../platform/db/bring-forward.ts'
import { isPostgres } from '../../platform/db/dialect.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { PushDeliveriesTable } from '../../platform/db/tables/push.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { DueDelivery, DueLimits, Lease } from '../../platform/delivery/ports.ts'
import type { NewPush, PushDelivery, PushRecord, PushSettlement, PushType } from '../push/ports.ts'

/** Calls, and that they are over, go before everything else. */
const FIRST: readonly PushType[] = ['call', 'call_ended']

type Row = Selectable<PushDeliveriesTable>

/** Sixteen parameters each. */
const ROWS_PER_INSERT = 500
/** Rows of one target beyond its limit take up places of those that are read. */
const READ_AHEAD = 4

/** Times are in milliseconds. The target of a delivery is its subscription. */
export type PushDeliveryStore = ReturnType<typeof pushDeliveryStore>

export function pushDeliveryStore(db: Kysely<MainSchema>) {
  const pending = () => db.selectFrom('push_deliveries').where('state', '=', 'pending')
  return {
    /**
     * Due at once, in one transaction. A pending one with the same topic is replaced, also while it is being sent, and keeps
     * its time. Beyond `maxPerAccount` the oldest of an account are dropped.
     */
    add: async (pushes: NewPush[], { nowMs, maxPerAccount }: { nowMs: number; maxPerAccount: number }) => {
      if (pushes.length === 0) return
      const last = new Map(pushes.map(push => toRow(push, nowMs)).map(row => [keyOf(row), row]))
      // In one order, so that two servers do not wait for each other.
      const rows = [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      await inTransaction(db, async db => {
        for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
          await upsert(db, rows.slice(start, start + ROWS_PER_INSERT))
        for (const clientId of new Set(rows.map(({ client_id }) => client_id)))
          await dropOldest(db, clientId, maxPerAccount)
      })
    },

    due: async (nowMs: number, { all, each, except }: DueLimits): Promise<DueDelivery[]> => {
      const rows = await pending()
        .select(['id', 'target'])
        .where('next_attempt_at_ms', '<=', nowMs)
        .$if(except.length > 0, query => query.where('target', 'not in', except))
        .orderBy('priority')
        .orderBy('next_attempt_at_ms')
        .limit(READ_AHEAD * all)
        .execute()
      const counts = new Map<string, number>()
      const isWithin = (target: string) => {
        const count = (counts.get(target) ?? 0) + 1
        counts.set(target, count)
        return count <= each
      }
      return rows.filter(({ target }) => isWithin(target)).slice(0, all)
    },

    /** Quiet times, too. */
    bringForward: (byMs: number, nowMs: number): Promise<void> =>
      bringForward(db, 'push_deliveries', sql<boolean>`1 = 1`, { byMs, nowMs }),

    lease: async (ids: string[], { token, untilMs }: Lease, nowMs: number): Promise<PushDelivery[]> => {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable('push_deliveries')
        .set({ lease: token, next_attempt_at_ms: untilMs })
        .where('id', 'in', () =>
          pending()
            .select('id')
            .where('id', 'in', ids)
            .where('next_attempt_at_ms', '<=', nowMs)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .execute()
      return rows.map(toDelivery)
    },

    /** False when the caller no longer holds the delivery, e.g. because it was replaced. */
    settle: async (id: string, leaseToken: string, settlement: PushSettlement) => {
      const changes = columnsOf(settlement)
      if (changes === null) {
        const { numDeletedRows } = await db
          .deleteFrom('push_deliveries')
          .where('id', '=', id)
          .where('lease', '=', leaseToken)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }
      const { numUpdatedRows } = await db
        .updateTable('push_deliveries')
        .set({ lease: null, ...changes })
        .$if(settlement.is === 'retry', query => query.set(eb => ({ attempts: eb('attempts', '+', 1) })))
        .where('id', '=', id)
        .where('lease', '=', leaseToken)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /**
     * Replaces the pushes with the same topic that were sent, or are being sent, in one transaction. Unsent ones are
     * replaced, too, if `includesUnsent`, else dropped. Where there is nothing to replace, nothing is stored.
     */
    replace: async (
      topic: string,
      userIds: readonly number[],
      pushes: NewPush[],
      { nowMs, includesUnsent }: { nowMs: number; includesUnsent: boolean },
    ) => {
      if (userIds.length === 0) return
      await inTransaction(db, async db => {
        if (!includesUnsent)
          await db
            .deleteFrom('push_deliveries')
            .where('client_id', 'in', userIds)
            .where('topic', '=', topic)
            .where('state', '=', 'pending')
            .where('lease', 'is', null)
            .execute()
        for (const push of pushes) {
          const { id: _, client_id: __, endpoint: ___, target, topic, ...content } = toRow(push, nowMs)
          await db
            .updateTable('push_deliveries')
            .set(content)
            .where('target', '=', target)
            .where('topic', '=', topic)
            .execute()
        }
      })
    },

    pending: async (): Promise<{ count: number; oldestAtMs: number | null }> => {
      const { count, oldest } = await pending()
        .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at_ms').as('oldest')])
        .executeTakeFirstOrThrow()
      return { count: Number(count), oldestAtMs: oldest }
    },

    /** The longest pending first. */
    list: async (limit: number): Promise<PushRecord[]> => {
      const rows = await pending().selectAll().orderBy('created_at_ms').orderBy('id').limit(limit).execute()
      return rows.map(toRecord)
    },

    /** Removes what has expired, and marks of delivered ones that are not needed any more. */
    sweep: async (nowMs: number) => {
      await db
        .deleteFrom('push_deliveries')
        .where(({ eb, or, and }) =>
          or([
            and([eb('state', '=', 'delivered'), eb('next_attempt_at_ms', '<=', nowMs)]),
            // One that is being sent is settled by its sender.
            and([eb('state', '=', 'pending'), eb('expires_at_ms', '<=', nowMs), eb('lease', 'is', null)]),
            and([eb('expires_at_ms', '<=', nowMs), eb('next_attempt_at_ms', '<=', nowMs)]),
          ]),
        )
        .execute()
    },
  }
}

/** A row with the same topic gets the new content; its lease ends, so that the attempt under way settles nothing. */
const upsert = (db: Kysely<MainSchema>, rows: Insertable<PushDeliveriesTable>[]) =>
  db
    .insertInto('push_deliveries')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['target', 'topic']).doUpdateSet(eb => ({
        type: eb.ref('excluded.type'),
        payload: eb.ref('excluded.payload'),
        priority: eb.ref('excluded.priority'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
        created_at_ms: eb.ref('excluded.created_at_ms'),
        attempts: sql<number>`case when push_deliveries.state = 'pending' then push_deliveries.attempts else 0 end`,
        next_attempt_at_ms: nextAttempt,
        lease: null,
        state: 'pending',
      })),
    )
    .execute()

/**
 * The next attempt: at once if one is under way, which does not count any more. Otherwise the later of the time of the
 * next attempt, or the end of the quiet time, and now.
 */
const nextAttempt = sql<number>`case
  when push_deliveries.lease is not null then excluded.next_attempt_at_ms
  when push_deliveries.next_attempt_at_ms > excluded.next_attempt_at_ms then push_deliveries.next_attempt_at_ms
  else excluded.next_attempt_at_ms end`

async function dropOldest(db: Kysely<MainSchema>, clientId: number, max: number): Promise<void> {
  const surplus = db
    .selectFrom('push_deliveries')
    .select('id')
    .where('client_id', '=', clientId)
    .where('state', '=', 'pending')
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .offset(max)
    .limit(max)
  await db.deleteFrom('push_deliveries').where('id', 'in', surplus).execute()
}

/** Null: the row is not needed any more. */
function columnsOf(settlement: PushSettlement): Partial<Row> | null {
  switch (settlement.is) {
    case 'delivered':
      return { state: 'delivered', payload: '', next_attempt_at_ms: settlement.quietUntilMs }
    case 'retry':
      return {
        next_attempt_at_ms: settlement.atMs,
        response_status: settlement.responseStatus,
        error: settlement.error,
      }
    case 'returned':
      return { next_attempt_at_ms: settlement.atMs }
    case 'dropped':
      return null
  }
}

const keyOf = ({ target, topic }: Row) => `${target} ${topic}`

const targetOf = ({ clientId, endpoint }: NewPush) =>
  createHash('sha256').update(`${clientId}\n${endpoint}`).digest('base64url')

const toRow = (push: NewPush, nowMs: number): Row => ({
  id: `ps_${randomBytes(16).toString('hex')}`,
  client_id: push.clientId,
  endpoint: push.endpoint,
  target: targetOf(push),
  topic: push.topic,
  type: push.payload.type,
  payload: JSON.stringify(push.payload),
  priority: FIRST.includes(push.payload.type) ? 0 : 1,
  state: 'pending',
  attempts: 0,
  next_attempt_at_ms: nowMs,
  lease: null,
  expires_at_ms: push.expiresAtMs,
  created_at_ms: nowMs,
  response_status: null,
  error: null,
})

const toDelivery = (row: Row): PushDelivery => ({
  id: row.id,
  clientId: row.client_id,
  endpoint: row.endpoint,
  topic: row.topic,
  payload: JSON.parse(row.payload),
  expiresAtMs: row.expires_at_ms,
  attempts: row.attempts,
  createdAtMs: row.created_at_ms,
})

const toRecord = (row: Row): PushRecord => ({
  id: row.id,
  clientId: row.client_id,
  type: row.type as PushType,
  origin: /^https?:/.test(row.endpoint) ? new URL(row.endpoint).origin : '',
  attempts: row.attempts,
  nextAttemptAtMs: row.next_attempt_at_ms,
  expiresAtMs: row.expires_at_ms,
  createdAtMs: row.created_at_ms,
  responseStatus: row.response_status,
  error: row.error,
})
