import type { WebhookEventName } from '@lectern/protocol'
import { type Kysely, type Selectable, sql } from 'kysely'
import { prepared } from '../../platform/db/prepared.ts'
import type { IntegrationSchema, WebhookSubscriptionsTable } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { ActiveWebhook, SecretRotation, WebhookChanges, WebhookSubscription } from '../ports.ts'

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

export type WebhookStore = ReturnType<typeof webhookStore>

export function webhookStore(db: Kysely<IntegrationSchema>) {
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
    find: async (serviceAccount: string): Promise<WebhookSubscription | null> => {
      const row = await db
        .selectFrom('webhook_subscriptions')
        .selectAll()
        .where('service_account', '=', serviceAccount)
        .executeTakeFirst()
      return row ? toSubscription(row) : null
    },
    /** Creates the webhook, or replaces all of it. */
    save: (subscription: WebhookSubscription, at: number): Promise<void> =>
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
    /**
     * Changes only the given fields, so that concurrent requests lose nothing. A new secret replaces the previous one, too. False
     * without a webhook. Disabling it, here and in `save`, cancels its pending deliveries in the same transaction (rule RETRY-7).
     */
    update: (
      serviceAccount: string,
      { url, secret, events, enabled }: WebhookChanges,
      at: number,
    ): Promise<boolean> =>
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
    /** Replaces the secret. False if the webhook does not have the secret `from`, or a previous one that is still valid. */
    rotate: async (serviceAccount: string, { from, to, untilMs }: SecretRotation, nowMs: number) => {
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
    /** Ends the validity of the previous secret. */
    dropPreviousSecret: async (serviceAccount: string, at: number) => {
      await db
        .updateTable('webhook_subscriptions')
        .set({ ...NO_PREVIOUS, updated_at: at })
        .where('service_account', '=', serviceAccount)
        .where('previous_secret', 'is not', null)
        .execute()
    },
    /** Removes the webhook, and cancels its pending deliveries in the same transaction. */
    remove: (serviceAccount: string, at: number): Promise<void> =>
      inTransaction(db, async transaction => {
        // The row first: who adds a delivery locks it, and then either sees no webhook or has its delivery cancelled.
        await transaction
          .deleteFrom('webhook_subscriptions')
          .where('service_account', '=', serviceAccount)
          .execute()
        await cancelPending(transaction, serviceAccount, at)
      }),
    /** Enabled webhooks of enabled service accounts: of an owner of rooms, or of one account. */
    active: async (owner: { clientId: number } | { serviceAccount: string }): Promise<ActiveWebhook[]> => {
      const rows = 'clientId' in owner ? await ofOwner(owner.clientId) : await ofAccount(owner.serviceAccount)
      return rows.map(row => ({ ...toSubscription(row), clientId: row.client_id }))
    },
  }
}
