import type { WebhookEventName } from '@lectern/protocol'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { WebhookStore, WebhookSubscription } from '../../integration/ports.ts'
import { prepared } from '../prepared.ts'
import type { IntegrationSchema, WebhookSubscriptionsTable } from '../schema.ts'
import { inTransaction } from '../transaction.ts'

const toSubscription = (row: Selectable<WebhookSubscriptionsTable>): WebhookSubscription => ({
  serviceAccount: row.service_account,
  url: row.url,
  secret: row.secret,
  ...(row.previous_secret !== null && {
    previous: { secret: row.previous_secret, expiresAtMs: row.previous_secret_expires_at_ms ?? 0 },
  }),
  events: JSON.parse(row.events) as WebhookEventName[],
  enabled: row.enabled === 1,
})

const NO_PREVIOUS = { previous_secret: null, previous_secret_expires_at_ms: null }

const cancelPending = (db: Kysely<IntegrationSchema>, serviceAccount: string, at: number) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', next_attempt_at_ms: null, lease: null, updated_at: at })
    .where('service_account', '=', serviceAccount)
    .where('status', '=', 'pending')
    .execute()

export function webhookStore(db: Kysely<IntegrationSchema>): WebhookStore {
  const active = db
    .selectFrom('webhook_subscriptions')
    .innerJoin('service_accounts', 'service_accounts.name', 'webhook_subscriptions.service_account')
    .selectAll('webhook_subscriptions')
    .select('service_accounts.client_id')
    .where('webhook_subscriptions.enabled', '=', sql.lit(1))
    .where('service_accounts.enabled', '=', sql.lit(1))
  const ofOwner = prepared(db, (clientId: number) => active.where('client_id', '=', clientId))
  const ofAccount = prepared(db, (name: string) => active.where('name', '=', name))
  return {
    find: async serviceAccount => {
      const row = await db
        .selectFrom('webhook_subscriptions')
        .selectAll()
        .where('service_account', '=', serviceAccount)
        .executeTakeFirst()
      return row ? toSubscription(row) : null
    },
    save: (subscription, at) =>
      inTransaction(db, async transaction => {
        const { serviceAccount, url, secret, previous, events, enabled } = subscription
        const row = {
          url,
          secret,
          events: JSON.stringify(events),
          enabled: enabled ? 1 : 0,
          previous_secret: previous?.secret ?? null,
          previous_secret_expires_at_ms: previous?.expiresAtMs ?? null,
          updated_at: at,
        }
        await transaction
          .insertInto('webhook_subscriptions')
          .values({ service_account: serviceAccount, ...row, created_at: at })
          .onConflict(conflict => conflict.column('service_account').doUpdateSet(row))
          .execute()
        if (!enabled) await cancelPending(transaction, serviceAccount, at)
      }),
    update: (serviceAccount, { url, secret, events, enabled }, at) =>
      inTransaction(db, async transaction => {
        const { numUpdatedRows } = await transaction
          .updateTable('webhook_subscriptions')
          .set({ url, secret, ...(secret !== undefined && NO_PREVIOUS), updated_at: at })
          .set({ events: events && JSON.stringify(events) })
          .set({ enabled: enabled === undefined ? undefined : enabled ? 1 : 0 })
          .where('service_account', '=', serviceAccount)
          .executeTakeFirst()
        if (enabled === false) await cancelPending(transaction, serviceAccount, at)
        return numUpdatedRows === 1n
      }),
    rotate: async (serviceAccount, { from, to, untilMs }, nowMs) => {
      const { numUpdatedRows } = await db
        .updateTable('webhook_subscriptions')
        .set({
          secret: to,
          previous_secret: from,
          previous_secret_expires_at_ms: untilMs,
          updated_at: Math.floor(nowMs / 1000),
        })
        .where('service_account', '=', serviceAccount)
        .where('secret', '=', from)
        .where(({ or, eb }) =>
          or([eb('previous_secret', 'is', null), eb('previous_secret_expires_at_ms', '<=', nowMs)]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    dropPreviousSecret: async (serviceAccount, at) => {
      await db
        .updateTable('webhook_subscriptions')
        .set({ ...NO_PREVIOUS, updated_at: at })
        .where('service_account', '=', serviceAccount)
        .where('previous_secret', 'is not', null)
        .execute()
    },
    // The row first: who adds a delivery locks it, and then either sees no webhook or has its delivery cancelled.
    remove: (serviceAccount, at) =>
      inTransaction(db, async transaction => {
        await transaction
          .deleteFrom('webhook_subscriptions')
          .where('service_account', '=', serviceAccount)
          .execute()
        await cancelPending(transaction, serviceAccount, at)
      }),
    active: async of => {
      const rows = 'clientId' in of ? await ofOwner(of.clientId) : await ofAccount(of.serviceAccount)
      return rows.map(row => ({ ...toSubscription(row), clientId: row.client_id }))
    },
  }
}
