import { batched } from '@lectern/common'
import { type Kysely, type Selectable, sql } from 'kysely'
import { bringForward } from '../../../platform/db/bring-forward.ts'
import { isPostgres } from '../../../platform/db/dialect.ts'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { PartnerTables } from '../../../platform/db/tables/partner.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { DueDelivery, DueLimits, Lease } from '../../../platform/delivery/ports.ts'
import type {
  AfterPage,
  AttemptRecord,
  DeliveryStatus,
  DeliveryToSend,
  DeliveryWithHistory,
  EndpointDelivery,
  Settlement,
} from '../../ports.ts'
import { readHistory, withAbandonedAttempt } from '../attempt-history.ts'
import { dueOfEach } from '../due-of-each.ts'
import { PUBLISHING } from './events.ts'
import { settleGroup } from './settlements.ts'

type Row = Selectable<PartnerTables['partner_deliveries']>

/** All but the body and the history. */
const RECORD = [
  'seq',
  'id',
  'endpoint_id',
  'event_id',
  'type',
  'status',
  'attempts',
  'next_attempt_at_ms',
  'response_status',
  'error',
  'created_at_ms',
] as const

const toDelivery = (row: Pick<Row, (typeof RECORD)[number]>): EndpointDelivery => ({
  seq: row.seq,
  id: row.id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  type: row.type,
  status: row.status as DeliveryStatus,
  attempts: row.attempts,
  nextAttemptAtMs: row.next_attempt_at_ms,
  responseStatus: row.response_status,
  error: row.error,
  createdAtMs: row.created_at_ms,
})

const QUEUE = {
  ...{ targets: 'partner_endpoints', key: 'id', enabled: 'enabled' },
  ...{ deliveries: 'partner_deliveries', target: 'endpoint_id', row: 'seq' },
}

/** The target of a delivery is its endpoint. */
export type EndpointDeliveryStore = ReturnType<typeof endpointDeliveryStore>

export function endpointDeliveryStore(db: Kysely<MainSchema>) {
  // Batched like the writes of a group commit; what the deliveries have in common is written once.
  const settleTogether = batched(
    (group: Parameters<typeof settleGroup>[1]) => inTransaction(db, store => settleGroup(store, group)),
    { schedule: setImmediate },
  )
  const withBodies = async (rows: Row[]): Promise<DeliveryToSend[]> => {
    const ids = [...new Set(rows.filter(row => row.body === null).map(row => row.event_id))]
    const events =
      ids.length === 0
        ? []
        : await db.selectFrom('partner_events').select(['id', 'body']).where('id', 'in', ids).execute()
    const bodies = new Map(events.map(event => [event.id, event.body]))
    return rows.flatMap(row => {
      const body = row.body ?? bodies.get(row.event_id)
      return body === undefined ? [] : [{ ...toDelivery(row), body }]
    })
  }
  return {
    /** A test: its event is in no list. False when the endpoint was removed. */
    add: (
      delivery: Pick<DeliveryToSend, 'id' | 'endpointId' | 'eventId' | 'type' | 'body'>,
      nowMs: number,
    ): Promise<boolean> =>
      inTransaction(
        db,
        async store => {
          const endpoint = await store
            .selectFrom('partner_endpoints')
            .select('id')
            .where('id', '=', delivery.endpointId)
            .executeTakeFirst()
          if (!endpoint) return false
          await store
            .insertInto('partner_deliveries')
            .values({
              id: delivery.id,
              endpoint_id: delivery.endpointId,
              event_id: delivery.eventId,
              type: delivery.type,
              body: delivery.body,
              status: 'pending',
              attempts: 0,
              next_attempt_at_ms: nowMs,
              created_at_ms: nowMs,
            })
            .execute()
          return true
        },
        [PUBLISHING],
      ),

    due: (nowMs: number, limits: DueLimits): Promise<DueDelivery[]> => dueOfEach(db, QUEUE, nowMs, limits),

    bringForward: (byMs: number, nowMs: number): Promise<void> =>
      bringForward(db, 'partner_deliveries', sql<boolean>`status = 'pending'`, { byMs, nowMs }),

    lease: async (ids: string[], { token, untilMs }: Lease, nowMs: number): Promise<DeliveryToSend[]> => {
      if (ids.length === 0) return []
      const rows = await db
        .updateTable('partner_deliveries')
        .set({ lease: token, next_attempt_at_ms: untilMs, history: withAbandonedAttempt(untilMs - nowMs) })
        .where('seq', 'in', eb =>
          eb
            .selectFrom('partner_deliveries')
            .select('seq')
            .where('id', 'in', ids)
            .where('status', '=', 'pending')
            .where('next_attempt_at_ms', '<=', nowMs)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .returningAll()
        .execute()
      return withBodies(rows)
    },

    /**
     * Only the holder of the lease may settle; but a success always counts. A failure after so long without a success disables
     * the endpoint, whose pending deliveries have failed then: all in one transaction.
     */
    settle: (
      { id, endpointId }: Pick<EndpointDelivery, 'id' | 'endpointId'>,
      token: string,
      settlement: Settlement,
      { nowMs, disableAfterMs }: { nowMs: number; disableAfterMs: number },
      attempt?: AttemptRecord,
    ): Promise<{ isSettled: boolean; isDisabled: boolean }> =>
      settleTogether({ id, endpointId, token, settlement, nowMs, disableAfterMs, attempt }),

    /** A delivery of the endpoint. */
    find: async (endpointId: string, id: string): Promise<DeliveryWithHistory | null> => {
      const row = await db
        .selectFrom('partner_deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) return null
      const [delivery = { ...toDelivery(row), body: '{}' }] = await withBodies([row])
      return { ...delivery, history: readHistory(row.history) }
    },

    /** The oldest first, unless the page says so. */
    list: async (
      endpointId: string,
      status: DeliveryStatus | undefined,
      { after, limit, order = 'asc' }: AfterPage,
    ): Promise<EndpointDelivery[]> => {
      const rows = await db
        .selectFrom('partner_deliveries')
        .select(RECORD)
        .where('endpoint_id', '=', endpointId)
        .where('seq', order === 'asc' ? '>' : '<', after)
        .$if(status !== undefined, query => query.where('status', '=', status as string))
        .orderBy('seq', order)
        .limit(limit)
        .execute()
      return rows.map(toDelivery)
    },

    /** Makes one due at once with all its attempts; false while it is being sent. */
    replay: async (endpointId: string, id: string, nowMs: number): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('partner_deliveries')
        .set({ status: 'pending', attempts: 0, next_attempt_at_ms: nowMs, lease: null })
        .where('endpoint_id', '=', endpointId)
        .where('id', '=', id)
        .where(eb => eb.or([eb('lease', 'is', null), eb('next_attempt_at_ms', '<=', nowMs)]))
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Makes all failed ones due whose events were stored since then. */
    replayFailed: async (endpointId: string, sinceMs: number, nowMs: number): Promise<number> => {
      const { numUpdatedRows } = await db
        .updateTable('partner_deliveries')
        .set({ status: 'pending', attempts: 0, next_attempt_at_ms: nowMs, lease: null })
        .where('endpoint_id', '=', endpointId)
        .where('status', '=', 'failed')
        .where('created_at_ms', '>=', sinceMs)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}
