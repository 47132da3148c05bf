import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openIntegrationStore } from '../../platform/db/open.ts'
import type { IntegrationSchema } from '../../platform/db/schema.ts'
import type { Store } from '../../platform/db/store.ts'
import type { WebhookSubscription } from '../ports.ts'
import { serviceAccountStore } from './service-accounts.ts'
import { webhookStore } from './webhooks.ts'

let store: Store<IntegrationSchema>
beforeEach(async () => {
  store = await openIntegrationStore(':memory:')
})
afterEach(() => store.close())

it('reports a full disk as such, and saves when there is space again', async () => {
  const account = { name: 'school', clientId: 1, secretHash: 'x', scopes: [], enabled: true, createdAt: 1 }
  await serviceAccountStore(store.db).add(account)
  const webhooks = webhookStore(store.db)
  const subscription: WebhookSubscription = {
    serviceAccount: 'school',
    url: `https://partner.example/${'x'.repeat(50_000)}`,
    secret: 'a secret of enough characters',
    events: ['recording.ready'],
    enabled: true,
  }
  await sql`PRAGMA max_page_count = 1`.execute(store.db) // as many as there are
  await expect(webhooks.save(subscription, 1)).rejects.toMatchObject({ code: 'SQLITE_FULL' })
  await sql`PRAGMA max_page_count = 1000`.execute(store.db)
  await webhooks.save(subscription, 2)
  expect(await webhooks.find('school')).toEqual(subscription)
})
