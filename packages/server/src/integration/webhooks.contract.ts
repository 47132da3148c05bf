import { describe, expect, it } from 'vitest'
import type { WebhookStore, WebhookSubscription } from './ports.ts'

const hook: WebhookSubscription = {
  serviceAccount: 'school',
  url: 'https://partner.example/hook',
  secret: 'a secret of some length',
  events: ['recording.ready'],
  enabled: true,
}

/** What every store of webhooks does. Each call of `open` gives an empty one. */
export function describeWebhookStore(open: () => Promise<WebhookStore>) {
  describe('webhook store', () => {
    it('W1 gives back what was saved', async () => {
      const webhooks = await open()
      expect(await webhooks.find('school')).toBeNull()
      await webhooks.save(hook, 100)
      expect(await webhooks.find('school')).toEqual(hook)
    })

    it('W2 replaces the one subscription of a service account', async () => {
      const webhooks = await open()
      await webhooks.save(hook, 100)
      const changed = { ...hook, events: ['transcription.ready' as const], enabled: false }
      await webhooks.save(changed, 200)
      expect(await webhooks.find('school')).toEqual(changed)
    })

    it('W3 keeps service accounts apart', async () => {
      const webhooks = await open()
      await webhooks.save(hook, 100)
      expect(await webhooks.find('clinic')).toBeNull()
    })

    it('W4 cancels pending deliveries where there are none', async () => {
      const webhooks = await open()
      await expect(webhooks.cancelPending('school', 100)).resolves.toBeUndefined()
    })
  })
}
