import { describe, expect, it } from 'vitest'
import type { ServiceAccountStore, WebhookStore, WebhookSubscription } from '../ports.ts'

const hook: WebhookSubscription = {
  serviceAccount: 'school',
  url: 'https://partner.example/hook',
  secret: 'a secret of some length',
  events: ['recording.ready'],
  enabled: true,
}

/** The contract of webhook stores. Each call of `open` returns empty stores. */
export function describeWebhookStore(
  open: () => Promise<{ webhooks: WebhookStore; serviceAccounts: ServiceAccountStore }>,
) {
  describe('webhook store', () => {
    it('WEBHOOK-1 returns what was saved', async () => {
      const { webhooks } = await open()
      expect(await webhooks.find('school')).toBeNull()
      await webhooks.save(hook, 100)
      expect(await webhooks.find('school')).toEqual(hook)
    })

    it('WEBHOOK-2 replaces the one subscription of a service account', async () => {
      const { webhooks } = await open()
      await webhooks.save(hook, 100)
      const changed = { ...hook, events: ['transcription.ready' as const], enabled: false }
      await webhooks.save(changed, 200)
      expect(await webhooks.find('school')).toEqual(changed)
    })

    it('WEBHOOK-3 separates service accounts', async () => {
      const { webhooks } = await open()
      await webhooks.save(hook, 100)
      expect(await webhooks.find('clinic')).toBeNull()
    })

    it('WEBHOOK-4 lists the active webhooks of an owner or of one account', async () => {
      const { webhooks, serviceAccounts } = await open()
      for (const [name, clientId, enabled] of [
        ['school', 1, true],
        ['archive', 1, true],
        ['locked', 1, false],
        ['clinic', 2, true],
      ] as const) {
        await serviceAccounts.add({ name, clientId, secretHash: '', scopes: [], enabled, createdAt: 1 })
        await webhooks.save({ ...hook, serviceAccount: name }, 1)
      }
      await webhooks.save({ ...hook, serviceAccount: 'archive', enabled: false }, 2)
      await serviceAccounts.add({
        name: 'silent',
        clientId: 1,
        secretHash: '',
        scopes: [],
        enabled: true,
        createdAt: 1,
      })
      expect(await webhooks.active({ clientId: 1 })).toEqual([hook])
      expect(await webhooks.active({ serviceAccount: 'clinic' })).toEqual([
        { ...hook, serviceAccount: 'clinic' },
      ])
      for (const serviceAccount of ['archive', 'locked', 'silent', 'unknown'])
        expect(await webhooks.active({ serviceAccount })).toEqual([])
    })
  })
}
