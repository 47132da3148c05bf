import { TEST_EVENT } from '@lectern/protocol'
import { type Kysely, sql } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { lockAlso } from '../../../platform/db/transaction.ts'
import type { AttemptRecord, Settlement } from '../../ports.ts'
import { entryOf, withAttempt, withEntry } from '../attempt-history.ts'
import { columnsOf } from '../delivery-rows.ts'
import { PUBLISHING } from './events.ts'
import { addUsage } from './usage.ts'

/** Outcomes that count as an attempt. */
const COUNTED: Settlement['is'][] = ['delivered', 'retry', 'failed']

const HOUR_MS = 3_600_000
/** Longer than between two attempts of one delivery, so that nothing was tried meanwhile. */
const PAUSE_MS = 24 * HOUR_MS
/** Not each failure of thousands is written. */
const NOTED_EVERY_MS = HOUR_MS

/** The outcome of an attempt. */
interface Settling {
  id: string
  endpointId: string
  token: string
  settlement: Settlement
  nowMs: number
  disableAfterMs: number
  attempt: AttemptRecord | undefined
}

interface Settled {
  isSettled: boolean
  isDisabled: boolean
}

/** Records the outcomes of attempts. Returns for each whether its attempt still held the lease, and whether it disabled its endpoint. */
export async function settleGroup(db: Kysely<MainSchema>, group: Settling[]): Promise<Settled[]> {
  const delivered = await settleDelivered(db, group)
  const results: Settled[] = []
  for (const each of group) {
    const isSettled = isDelivered(each) ? delivered.has(each.id) : await settleOne(db, each)
    results.push({ isSettled, isDisabled: false })
  }
  const counted = group
    .map((each, index) => ({ ...each, result: results[index] }))
    .filter(({ settlement, result }) => result?.isSettled && COUNTED.includes(settlement.is))
  await noteSuccesses(
    db,
    counted.filter(({ settlement }) => settlement.is === 'delivered'),
  )
  // After the successes: an endpoint that accepts anything is not disabled. In one order on all servers, which wait for each
  // other's rows.
  const failed = counted.filter(({ settlement }) => settlement.is !== 'delivered')
  const firstOfEach = new Map(failed.toReversed().map(each => [each.endpointId, each]))
  for (const { result, endpointId, nowMs, disableAfterMs } of [...firstOfEach.values()].sort(byEndpoint))
    if (result) result.isDisabled = await noteFailure(db, endpointId, nowMs, disableAfterMs)
  return results
}

type Delivered = Settling & { settlement: { is: 'delivered' }; attempt: AttemptRecord }

const isDelivered = (settling: Settling): settling is Delivered =>
  settling.settlement.is === 'delivered' && settling.attempt !== undefined

/** Records successful attempts, which are nearly all, in one statement. Returns the ids of the deliveries that it changed. */
async function settleDelivered(db: Kysely<MainSchema>, group: Settling[]): Promise<Set<string>> {
  const outcomes = group
    .filter(isDelivered)
    .map(
      ({ id, settlement, attempt }) =>
        sql`(${id}, cast(${settlement.responseStatus} as integer), ${entryOf(attempt)})`,
    )
  if (outcomes.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    WITH outcome (delivery_id, answered, entry) AS (VALUES ${sql.join(outcomes)})
    UPDATE partner_deliveries SET status = 'delivered', lease = NULL, next_attempt_at_ms = NULL, response_status = answered,
      error = NULL, attempts = attempts + 1, history = ${withEntry(sql.ref('entry'))}
    FROM outcome WHERE id = delivery_id AND status <> 'delivered' RETURNING id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function settleOne(db: Kysely<MainSchema>, { id, token, settlement, attempt }: Settling) {
  const { numUpdatedRows } = await db
    .updateTable('partner_deliveries')
    .set({ lease: null, ...columnsOf(settlement), ...(attempt && { history: withAttempt(attempt) }) })
    .$if(COUNTED.includes(settlement.is), query => query.set(eb => ({ attempts: eb('attempts', '+', 1) })))
    .where('id', '=', id)
    .where('status', '<>', 'delivered')
    .$if(settlement.is !== 'delivered', query => query.where('lease', '=', token))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function noteSuccesses(db: Kysely<MainSchema>, delivered: Settling[]): Promise<void> {
  if (delivered.length === 0) return
  const ids = [...new Set(delivered.map(({ endpointId }) => endpointId))].sort()
  await db
    .updateTable('partner_endpoints')
    .set({ failing_since_ms: null })
    .where('id', 'in', ids)
    .where('failing_since_ms', 'is not', null)
    .execute()
  await addUsage(db, await usageOf(db, delivered))
}

/** Test events do not count as usage. */
async function usageOf(db: Kysely<MainSchema>, delivered: Settling[]) {
  const sentAtMs = new Map(delivered.map(({ id, nowMs }) => [id, nowMs]))
  const rows = await db
    .selectFrom('partner_deliveries as delivery')
    .innerJoin('partner_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .select(['delivery.id', 'endpoint.client_id'])
    .where('delivery.id', 'in', [...sentAtMs.keys()])
    .where('delivery.type', '<>', TEST_EVENT)
    .execute()
  return rows.map(({ id, client_id }) => ({
    clientId: client_id,
    atMs: sentAtMs.get(id) ?? 0,
    webhooks: 1,
  }))
}

const byEndpoint = (a: Settling, b: Settling) => (a.endpointId < b.endpointId ? -1 : 1)

/**
 * Notes that the endpoint fails, and since when. The time before a pause is not counted: nothing was tried meanwhile, which is
 * no failure. Whether the endpoint is disabled by it.
 */
async function noteFailure(
  db: Kysely<MainSchema>,
  endpointId: string,
  nowMs: number,
  disableAfterMs: number,
): Promise<boolean> {
  const isLast = sql<boolean>`last_failure_at_ms >= ${nowMs - PAUSE_MS}`
  await db
    .updateTable('partner_endpoints')
    .set({
      failing_since_ms: sql`CASE WHEN ${isLast} AND failing_since_ms IS NOT NULL THEN failing_since_ms ELSE CAST(${nowMs} AS BIGINT) END`,
      last_failure_at_ms: nowMs,
    })
    .where('id', '=', endpointId)
    .where(({ or, eb }) =>
      or([
        eb('failing_since_ms', 'is', null),
        eb('last_failure_at_ms', 'is', null),
        eb('last_failure_at_ms', '<', nowMs - NOTED_EVERY_MS),
      ]),
    )
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('partner_endpoints')
    .set({ enabled: 0, disabled_reason: 'failing' })
    .where('id', '=', endpointId)
    .where('enabled', '=', 1)
    .where('failing_since_ms', '<=', nowMs - disableAfterMs)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await lockAlso(db, PUBLISHING)
  await db
    .updateTable('partner_deliveries')
    .set({ status: 'failed', next_attempt_at_ms: null, lease: null, error: 'ENDPOINT_DISABLED' })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
  return true
}
