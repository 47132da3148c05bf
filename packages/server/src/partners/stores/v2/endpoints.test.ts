import { type Kysely, sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import type { MainSchema } from '../../../platform/db/schema.ts'
import { postgresStores } from '../../../platform/db/testing/test-stores.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Endpoint } from '../../ports.ts'
import { endpointDeliveryStore } from './deliveries.ts'
import { endpointStore } from './endpoints.ts'
import { PUBLISHING } from './events.ts'

const stores = postgresStores()

const ENDPOINT: Endpoint = {
  ...{ id: 'end_1', serviceAccount: 'school', clientId: 7, url: 'http://127.0.0.1:9/', secret: 's' },
  ...{ events: ['room.started'], enabled: true, description: null, failingSinceMs: null },
  ...{ disabledReason: null, createdAtMs: 1 },
}
const DELIVERY = {
  endpoint_id: 'end_1',
  type: 'room.started',
  body: '{}',
  status: 'pending',
  created_at_ms: 1,
}
const fail = { is: 'failed', responseStatus: 500, error: 'HTTP 500' } as const

describe('endpoints on PostgreSQL, where events are published for them meanwhile', () => {
  type Stores = {
    endpoints: ReturnType<typeof endpointStore>
    deliveries: ReturnType<typeof endpointDeliveryStore>
  }
  it.each<[string, unknown[], (stores: Stores) => Promise<unknown>]>([
    ['are removed', [], ({ endpoints }) => endpoints.remove('school', 'end_1')],
    ['are removed with their account', [], ({ endpoints }) => endpoints.removeAll('school')],
    [
      'are disabled',
      [{ id: 'dlv_2', status: 'cancelled' }],
      ({ endpoints }) => endpoints.update('school', 'end_1', { enabled: false }),
    ],
    [
      'fail for too long',
      [
        { id: 'dlv_1', status: 'failed' },
        { id: 'dlv_2', status: 'failed' },
      ],
      async ({ deliveries }) => {
        const first = { id: 'dlv_1', endpointId: 'end_1' }
        await deliveries.settle(first, 'lease', fail, { nowMs: 10, disableAfterMs: 0 })
      },
    ],
  ])('%s with the deliveries of these events', async (_, left, change) => {
    const db = await stores.main()
    const both = { endpoints: endpointStore(db), deliveries: endpointDeliveryStore(db) }
    await both.endpoints.add(ENDPOINT, 20)
    const add = (store: Kysely<MainSchema>, id: string, lease: string | null) =>
      store
        .insertInto('partner_deliveries')
        .values({ ...DELIVERY, id, event_id: id, lease, attempts: 0, next_attempt_at_ms: 1 })
        .execute()
    if (left.length === 2) await add(db, 'dlv_1', 'lease')
    let changed: Promise<unknown> | undefined
    await inTransaction(
      db,
      async store => {
        await add(store, 'dlv_2', null)
        let isDone = false
        changed = change(both).finally(() => {
          isDone = true
        })
        await vi.waitFor(async () => expect(isDone || (await isLockAwaited(db))).toBe(true), {
          timeout: 60_000,
        })
      },
      [PUBLISHING],
    )
    await changed
    const rows = db.selectFrom('partner_deliveries').select(['id', 'status']).orderBy('id').execute()
    expect(await rows).toEqual(left)
  })

  it('get no test any more when they are removed', async () => {
    const db = await stores.main()
    const test = { id: 'dlv_1', endpointId: 'end_1', eventId: 'evt_1', type: 'webhook.test', body: '{}' }
    expect(await endpointDeliveryStore(db).add(test, 1)).toBe(false)
    await endpointStore(db).add(ENDPOINT, 20)
    expect(await endpointDeliveryStore(db).add(test, 1)).toBe(true)
  })
})

async function isLockAwaited(db: Kysely<MainSchema>): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`.execute(db)
  return rows.length > 0
}
