import type { WebhookEventName } from '@lectern/protocol'
import type { Kysely } from 'kysely'
import type { WebhookStore } from '../../integration/ports.ts'
import type { IntegrationSchema } from '../schema.ts'

export function webhookStore(db: Kysely<IntegrationSchema>): WebhookStore {
  return {
    find: async serviceAccount => {
      const row = await db
        .selectFrom('webhook_subscriptions')
        .selectAll()
        .where('service_account', '=', serviceAccount)
        .executeTakeFirst()
      if (!row) return null
      return {
        serviceAccount: row.service_account,
        url: row.url,
        secret: row.secret,
        events: JSON.parse(row.events) as WebhookEventName[],
        enabled: row.enabled === 1,
      }
    },
    save: async (subscription, at) => {
      const columns = {
        url: subscription.url,
        secret: subscription.secret,
        events: JSON.stringify(subscription.events),
        enabled: subscription.enabled ? 1 : 0,
        updated_at: at,
      }
      await db
        .insertInto('webhook_subscriptions')
        .values({ service_account: subscription.serviceAccount, ...columns, created_at: at })
        .onConflict(conflict => conflict.column('service_account').doUpdateSet(columns))
        .execute()
    },
    cancelPending: async (serviceAccount, at) => {
      await db
        .updateTable('webhook_deliveries')
        .set({ status: 'cancelled', next_attempt_at: null, updated_at: at })
        .where('service_account', '=', serviceAccount)
        .where('status', '=', 'pending')
        .execute()
    },
  }
}
