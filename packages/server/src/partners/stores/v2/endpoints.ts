import { batched } from '@lectern/common'
import type { PartnerEventType } from '@lectern/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { PartnerTables } from '../../../platform/db/tables/partner.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Endpoint, EndpointChanges, SecretRotation } from '../../ports.ts'
import { PUBLISHING } from './events.ts'

const toEndpoint = (row: Selectable<PartnerTables['partner_endpoints']>): Endpoint => ({
  id: row.id,
  serviceAccount: row.service_account,
  clientId: row.client_id,
  url: row.url,
  secret: row.secret,
  ...(row.previous_secret !== null && {
    previous: { secret: row.previous_secret, expiresAtMs: row.previous_secret_expires_at_ms ?? 0 },
  }),
  events: JSON.parse(row.events) as PartnerEventType[],
  enabled: row.enabled === 1,
  description: row.description,
  failingSinceMs: row.failing_since_ms,
  disabledReason: row.disabled_reason,
  createdAtMs: row.created_at_ms,
})

export type EndpointStore = ReturnType<typeof endpointStore>

export function endpointStore(db: Kysely<MainSchema>) {
  const ofAccount = (serviceAccount: string) =>
    db.selectFrom('partner_endpoints').selectAll().where('service_account', '=', serviceAccount)
  return {
    /** False when the account has that many. */
    add: (endpoint: Endpoint, max: number): Promise<boolean> =>
      inTransaction(
        db,
        async store => {
          const { count } = await store
            .selectFrom('partner_endpoints')
            .select(eb => eb.fn.countAll<number>().as('count'))
            .where('service_account', '=', endpoint.serviceAccount)
            .executeTakeFirstOrThrow()
          if (Number(count) >= max) return false
          await store
            .insertInto('partner_endpoints')
            .values({
              id: endpoint.id,
              service_account: endpoint.serviceAccount,
              client_id: endpoint.clientId,
              url: endpoint.url,
              secret: endpoint.secret,
              previous_secret: null,
              previous_secret_expires_at_ms: null,
              events: JSON.stringify(endpoint.events),
              enabled: endpoint.enabled ? 1 : 0,
              description: endpoint.description,
              failing_since_ms: null,
              disabled_reason: null,
              created_at_ms: endpoint.createdAtMs,
            })
            .execute()
          return true
        },
        ['partner endpoints'],
      ),
    /** The oldest first. */
    list: async (serviceAccount: string): Promise<Endpoint[]> =>
      (await ofAccount(serviceAccount).orderBy('created_at_ms').orderBy('id').execute()).map(toEndpoint),
    find: async (serviceAccount: string, id: string): Promise<Endpoint | null> => {
      const row = await ofAccount(serviceAccount).where('id', '=', id).executeTakeFirst()
      return row ? toEndpoint(row) : null
    },
    /** An endpoint of any account; those that are read together take one query. */
    get: batched(
      async (ids: string[]): Promise<(Endpoint | null)[]> => {
        const rows = await db.selectFrom('partner_endpoints').selectAll().where('id', 'in', ids).execute()
        const found = new Map(rows.map(row => [row.id, toEndpoint(row)]))
        return ids.map(id => found.get(id) ?? null)
      },
      { schedule: setImmediate },
    ),
    /**
     * Changes only the given fields. A secret replaces all that were valid. Disabling it cancels its pending deliveries;
     * enabling it, or another url, forgets its failures.
     */
    update: (
      serviceAccount: string,
      id: string,
      { url, secret, events, enabled, description }: EndpointChanges,
    ): Promise<boolean> =>
      inTransaction(
        db,
        async store => {
          const { numUpdatedRows } = await store
            .updateTable('partner_endpoints')
            .set({ id, url, description, events: events && JSON.stringify(events) })
            .$if(enabled !== undefined, query => query.set({ enabled: enabled ? 1 : 0 }))
            .$if(url !== undefined, query => query.set({ failing_since_ms: null }))
            .$if(secret !== undefined, query =>
              query.set({ secret, previous_secret: null, previous_secret_expires_at_ms: null }),
            )
            .$if(enabled === true, query => query.set({ failing_since_ms: null, disabled_reason: null }))
            .where('id', '=', id)
            .where('service_account', '=', serviceAccount)
            .executeTakeFirst()
          if (numUpdatedRows === 1n && enabled === false)
            await store
              .updateTable('partner_deliveries')
              .set({ status: 'cancelled', next_attempt_at_ms: null, lease: null })
              .where('endpoint_id', '=', id)
              .where('status', '=', 'pending')
              .execute()
          return numUpdatedRows === 1n
        },
        enabled === false ? [PUBLISHING] : [],
      ),
    /** Removes the endpoint with its deliveries. */
    remove: (serviceAccount: string, id: string): Promise<boolean> =>
      inTransaction(
        db,
        async store => {
          const { numDeletedRows } = await store
            .deleteFrom('partner_endpoints')
            .where('id', '=', id)
            .where('service_account', '=', serviceAccount)
            .executeTakeFirst()
          if (numDeletedRows === 1n)
            await store.deleteFrom('partner_deliveries').where('endpoint_id', '=', id).execute()
          return numDeletedRows === 1n
        },
        [PUBLISHING],
      ),
    /** All of an account, with its answered requests. */
    removeAll: (serviceAccount: string): Promise<void> =>
      inTransaction(
        db,
        async store => {
          const ids = store
            .selectFrom('partner_endpoints')
            .select('id')
            .where('service_account', '=', serviceAccount)
          await store.deleteFrom('partner_deliveries').where('endpoint_id', 'in', ids).execute()
          await store.deleteFrom('partner_endpoints').where('service_account', '=', serviceAccount).execute()
          await store.deleteFrom('partner_requests').where('service_account', '=', serviceAccount).execute()
        },
        [PUBLISHING],
      ),
    /** False if it does not have the secret `from`, or has a previous one that is still valid. */
    rotate: async (id: string, { from, to, untilMs }: SecretRotation, nowMs: number): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('partner_endpoints')
        .set({ secret: to, previous_secret: from, previous_secret_expires_at_ms: untilMs })
        .where('id', '=', id)
        .where('secret', '=', from)
        .where(({ or, eb }) =>
          or([eb('previous_secret', 'is', null), eb('previous_secret_expires_at_ms', '<=', nowMs)]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
  }
}
