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
  events: JSON.parse(row.events) as WebhookEventName[],
  enabled: row.enabled === 1,
})

export function webhookStore(db: Kysely<IntegrationSchema>): WebhookStore {
  const active = db
    .selectFrom('webhook_subscriptions')
    .innerJoin('service_accounts', 'service_accounts.name', 'webhook_subscriptions.service_account')
    .selectAll('webhook_subscriptions')
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
        const columns = {
          url: subscription.url,
          secret: subscription.secret,
          events: JSON.stringify(subscription.events),
          enabled: subscription.enabled ? 1 : 0,
          updated_at: at,
        }
        await transaction
          .insertInto('webhook_subscriptions')
          .values({ service_account: subscription.serviceAccount, ...columns, created_at: at })
          .onConflict(conflict => conflict.column('service_account').doUpdateSet(columns))
          .execute()
        if (subscription.enabled) return
        await transaction
          .updateTable('webhook_deliveries')
          .set({ status: 'cancelled', next_attempt_at_ms: null, lease: null, updated_at: at })
          .where('service_account', '=', subscription.serviceAccount)
          .where('status', '=', 'pending')
          .execute()
      }),
    active: async of => {
      const rows = 'clientId' in of ? await ofOwner(of.clientId) : await ofAccount(of.serviceAccount)
      return rows.map(toSubscription)
    },
  }
}
