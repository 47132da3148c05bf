import type { Kysely } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { AttemptRecord, Settlement } from '../../ports.ts'
import { withAttempt } from '../attempt-history.ts'
import { columnsOf } from '../delivery-rows.ts'
import { addUsage } from './usage.ts'

/** Settlements of finished attempts. */
const COUNTED: Settlement['is'][] = ['delivered', 'retry', 'failed']

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

/** Records outcomes, and returns of each whether it was the lease holder's, and whether its endpoint is disabled by it. */
export async function settleGroup(db: Kysely<MainSchema>, group: Settling[]): Promise<Settled[]> {
  const results: Settled[] = []
  for (const each of group) results.push({ isSettled: await settleOne(db, each), isDisabled: false })
  const counted = group
    .map((each, index) => ({ ...each, result: results[index] }))
    .filter(({ settlement, result }) => result?.isSettled && COUNTED.includes(settlement.is))
  await noteSuccesses(
    db,
    counted.filter(({ settlement }) => settlement.is === 'delivered'),
  )
  // After the successes: an endpoint that accepts anything is not disabled.
  for (const { settlement, result, endpointId, nowMs, disableAfterMs } of counted)
    if (result && settlement.is !== 'delivered')
      result.isDisabled = await noteFailure(db, endpointId, nowMs, disableAfterMs)
  return results
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
  const [first] = delivered
  if (!first) return
  const ids = [...new Set(delivered.map(({ endpointId }) => endpointId))].sort()
  await db
    .updateTable('partner_endpoints')
    .set({ failing_since_ms: null })
    .where('id', 'in', ids)
    .where('failing_since_ms', 'is not', null)
    .execute()
  const endpoints = await db
    .selectFrom('partner_endpoints')
    .select(['id', 'client_id'])
    .where('id', 'in', ids)
    .execute()
  const clientOf = new Map(endpoints.map(row => [row.id, row.client_id]))
  const webhooks = Map.groupBy(delivered, ({ endpointId }) => clientOf.get(endpointId))
  // In one order on all servers, which wait for each other's rows.
  for (const [client, { length }] of [...webhooks].sort(([a = 0], [b = 0]) => a - b))
    if (client !== undefined) await addUsage(db, client, first.nowMs, { webhooks: length })
}

/** Whether the endpoint is disabled by it. */
async function noteFailure(
  db: Kysely<MainSchema>,
  endpointId: string,
  nowMs: number,
  disableAfterMs: number,
): Promise<boolean> {
  await db
    .updateTable('partner_endpoints')
    .set({ failing_since_ms: nowMs })
    .where('id', '=', endpointId)
    .where('failing_since_ms', 'is', null)
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('partner_endpoints')
    .set({ enabled: 0, disabled_reason: 'failing' })
    .where('id', '=', endpointId)
    .where('enabled', '=', 1)
    .where('failing_since_ms', '<=', nowMs - disableAfterMs)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('partner_deliveries')
    .set({ status: 'failed', next_attempt_at_ms: null, lease: null, error: 'ENDPOINT_DISABLED' })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
  return true
}
