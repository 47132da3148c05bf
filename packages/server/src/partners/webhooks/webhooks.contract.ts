import { describe, expect, it } from 'vitest'
import type { WebhookSubscription } from '../ports.ts'
import type { ServiceAccountStore } from '../stores/service-accounts.ts'
import type { WebhookStore } from '../stores/webhooks.ts'

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

    it('WEBHOOK-5 replaces the secret of the webhook that has the expected one, and keeps the previous one', async () => {
      const { webhooks } = await open()
      const rotation = { from: hook.secret, to: 'another secret of some length', untilMs: 500_000 }
      expect(await webhooks.rotate('school', rotation, 100_000)).toBe(false)
      await webhooks.save(hook, 100)
      expect(await webhooks.rotate('school', { ...rotation, from: 'unknown' }, 100_000)).toBe(false)
      expect(await webhooks.find('school')).toEqual(hook)
      expect(await webhooks.rotate('school', rotation, 100_000)).toBe(true)
      const rotated = {
        ...hook,
        secret: rotation.to,
        previous: { secret: rotation.from, expiresAtMs: rotation.untilMs },
      }
      expect(await webhooks.find('school')).toEqual(rotated)
      const next = { from: rotation.to, to: 'a third secret of some length', untilMs: 900_000 }
      expect(await webhooks.rotate('school', next, 499_999)).toBe(false)
      await webhooks.update('school', { enabled: false }, 200)
      expect(await webhooks.find('school')).toEqual({ ...rotated, enabled: false })
      expect(await webhooks.rotate('school', next, 500_000)).toBe(true)
      await webhooks.dropPreviousSecret('school', 600)
      expect(await webhooks.find('school')).toEqual({ ...hook, secret: next.to, enabled: false })
      expect(await webhooks.rotate('school', { from: next.to, to: hook.secret, untilMs: 900_000 }, 1)).toBe(
        true,
      )
      await webhooks.save(hook, 700)
      expect(await webhooks.find('school')).toEqual(hook)
    })

    it('WEBHOOK-6 lets one of two concurrent rotations win', async () => {
      const { webhooks } = await open()
      await webhooks.save(hook, 100)
      const to = ['the first secret of two', 'the second secret of two']
      const won = await Promise.all(
        to.map(each => webhooks.rotate('school', { from: hook.secret, to: each, untilMs: 500_000 }, 100_000)),
      )
      expect([...won].sort()).toEqual([false, true])
      expect((await webhooks.find('school'))?.secret).toBe(to[won.indexOf(true)])
    })

    it('WEBHOOK-7 removes the webhook of one account, repeatably', async () => {
      const { webhooks } = await open()
      await webhooks.save(hook, 100)
      await webhooks.save({ ...hook, serviceAccount: 'clinic' }, 100)
      await webhooks.remove('school', 200)
      await webhooks.remove('school', 200)
      expect(await webhooks.find('school')).toBeNull()
      expect(await webhooks.find('clinic')).toEqual({ ...hook, serviceAccount: 'clinic' })
    })

    it('WEBHOOK-8 changes only the given fields of an existing webhook', async () => {
      const { webhooks } = await open()
      expect(await webhooks.update('school', { enabled: true }, 100)).toBe(false)
      expect(await webhooks.find('school')).toBeNull()
      await webhooks.save(hook, 100)
      const url = 'https://partner.example/other'
      const changes = [{ url }, { enabled: false }, { events: ['transcription.ready' as const] }, {}]
      const outcomes = changes.map(each => webhooks.update('school', each, 200))
      expect(await Promise.all(outcomes)).toEqual([true, true, true, true])
      const changed = { ...hook, url, enabled: false, events: ['transcription.ready'] }
      expect(await webhooks.find('school')).toEqual(changed)
      await webhooks.rotate(
        'school',
        { from: hook.secret, to: 'another secret of some length', untilMs: 500_000 },
        1,
      )
      const secret = 'a third secret of some length'
      expect(await webhooks.update('school', { secret }, 300)).toBe(true)
      expect(await webhooks.find('school')).toEqual({ ...changed, secret })
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
      expect(await webhooks.active({ clientId: 1 })).toEqual([{ ...hook, clientId: 1 }])
      expect(await webhooks.active({ serviceAccount: 'clinic' })).toEqual([
        { ...hook, serviceAccount: 'clinic', clientId: 2 },
      ])
      for (const serviceAccount of ['archive', 'locked', 'silent', 'unknown'])
        expect(await webhooks.active({ serviceAccount })).toEqual([])
    })
  })
}
