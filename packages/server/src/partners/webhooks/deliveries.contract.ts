import { describe, expect, it } from 'vitest'
import type { TimePage } from '../../platform/paging.ts'
import type { NewDelivery } from '../ports.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'
import type { ServiceAccountStore } from '../stores/service-accounts.ts'
import type { WebhookStore } from '../stores/webhooks.ts'

export interface DeliveryStores {
  deliveries: DeliveryStore
  webhooks: WebhookStore
  serviceAccounts: ServiceAccountStore
}

const NOW = 1_700_000_000_000
const second = NOW / 1000
const all = { all: 100, each: 10, except: [] }
const lease = { token: 'ours', untilMs: NOW + 20_000 }

const delivery = (id: string, serviceAccount = 'school'): NewDelivery => ({
  id,
  serviceAccount,
  event: 'recording.ready',
  subject: `recording:${id}`,
  body: `{"id":"${id}","text":"Здравствуйте 😀"}`,
})

/** The contract of delivery stores. Each call of `open` returns empty stores. */
export function describeDeliveryStore(open: () => Promise<DeliveryStores>) {
  /** A store with webhooks of `school` and `clinic`, and these deliveries. */
  async function holding(...made: NewDelivery[]) {
    const { deliveries, webhooks, serviceAccounts } = await open()
    for (const [index, name] of ['school', 'clinic'].entries()) {
      await serviceAccounts.add({
        name,
        clientId: index + 1,
        secretHash: '',
        scopes: [],
        enabled: true,
        createdAt: 1,
      })
      const settings = {
        url: 'https://partner.example/hook',
        secret: 'a secret of some length',
        enabled: true,
      }
      await webhooks.save({ serviceAccount: name, ...settings, events: ['recording.ready'] }, 1)
    }
    await deliveries.add(made, NOW)
    return { deliveries, webhooks }
  }
  const idsOf = (found: { id: string }[]) => found.map(({ id }) => id).sort()

  describe('delivery store', () => {
    it('DELIVERY-1 stores a delivery unchanged and due immediately', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      expect(await deliveries.due(NOW, all)).toEqual([{ id: 'wh_1', target: 'school' }])
      expect(await deliveries.find('wh_1')).toEqual({
        ...delivery('wh_1'),
        status: 'pending',
        attempts: 0,
        nextAttemptAtMs: NOW,
        responseStatus: null,
        error: null,
        createdAt: second,
        updatedAt: second,
      })
      expect(await deliveries.find('wh_2')).toBeNull()
      expect(await deliveries.find('wh_1', 'school')).toMatchObject({ id: 'wh_1' })
      expect(await deliveries.find('wh_1', 'clinic')).toBeNull()
    })

    it('DELIVERY-2 stores one delivery per event, subject and account', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      const again = { ...delivery('wh_1'), id: 'wh_2' }
      await deliveries.add([again, { ...again, id: 'wh_3', serviceAccount: 'clinic' }], NOW)
      await deliveries.add([], NOW)
      expect(idsOf(await deliveries.list({ limit: 10 }))).toEqual(['wh_1', 'wh_3'])
    })

    it('DELIVERY-3 lists the longest due first, within the limits and without the excluded ones', async () => {
      const { deliveries } = await holding(delivery('wh_1'), delivery('wh_2'), delivery('wh_3'))
      await deliveries.add([delivery('wh_4', 'clinic')], NOW - 1000)
      const due = async (limits: Partial<typeof all>, at = NOW) =>
        (await deliveries.due(at, { ...all, ...limits })).map(({ target }) => target)
      expect(await due({})).toEqual(['clinic', 'school', 'school', 'school'])
      expect(await due({ each: 2 })).toEqual(['clinic', 'school', 'school'])
      expect(await due({ all: 1 })).toEqual(['clinic'])
      expect(await deliveries.due(NOW, { ...all, except: ['clinic'] as never[] })).toHaveLength(3)
      expect(await due({}, NOW - 1)).toEqual(['clinic'])
    })

    it('DELIVERY-4 leases a delivery to one holder at a time, and again when the lease expired', async () => {
      const { deliveries } = await holding(delivery('wh_1'), delivery('wh_2'))
      expect(await deliveries.lease([], lease, NOW)).toEqual([])
      expect(await deliveries.lease(['wh_1'], lease, NOW)).toMatchObject([
        { ...delivery('wh_1'), attempts: 0 },
      ])
      const other = { token: 'theirs', untilMs: NOW + 40_000 }
      expect(idsOf(await deliveries.lease(['wh_1', 'wh_2', 'wh_3'], other, NOW + 19_999))).toEqual(['wh_2'])
      expect(idsOf(await deliveries.due(NOW + 20_000, all))).toEqual(['wh_1'])
      expect(idsOf(await deliveries.lease(['wh_1'], other, NOW + 20_000))).toEqual(['wh_1'])
    })

    it('DELIVERY-5 settles an attempt: delivered', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      await deliveries.lease(['wh_1'], lease, NOW)
      expect(
        await deliveries.settle('wh_1', 'ours', { is: 'delivered', responseStatus: 204 }, NOW + 5000),
      ).toBe(true)
      expect(await deliveries.find('wh_1')).toMatchObject({
        status: 'delivered',
        attempts: 1,
        nextAttemptAtMs: null,
        responseStatus: 204,
        error: null,
        updatedAt: second + 5,
      })
      expect(await deliveries.due(NOW + 1e9, all)).toEqual([])
    })

    it('DELIVERY-6 settles an attempt: retried, then failed', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      await deliveries.lease(['wh_1'], lease, NOW)
      const retry = { is: 'retry' as const, atMs: NOW + 10_000, responseStatus: 503, error: 'HTTP 503' }
      await deliveries.settle('wh_1', 'ours', retry, NOW)
      expect(await deliveries.due(NOW + 9_999, all)).toEqual([])
      expect(
        await deliveries.lease(['wh_1'], { ...lease, untilMs: NOW + 60_000 }, NOW + 10_000),
      ).toMatchObject([{ status: 'pending', attempts: 1, responseStatus: 503, error: 'HTTP 503' }])
      const failed = { is: 'failed' as const, responseStatus: null, error: 'ECONNREFUSED' }
      await deliveries.settle('wh_1', 'ours', failed, NOW + 10_000)
      expect(await deliveries.find('wh_1')).toMatchObject({
        status: 'failed',
        attempts: 2,
        nextAttemptAtMs: null,
        responseStatus: null,
        error: 'ECONNREFUSED',
      })
    })

    it('DELIVERY-7 settles an attempt: aborted, which does not count, or cancelled', async () => {
      const { deliveries } = await holding(delivery('wh_1'), delivery('wh_2'))
      await deliveries.lease(['wh_1', 'wh_2'], lease, NOW)
      await deliveries.settle('wh_1', 'ours', { is: 'returned', atMs: NOW + 1 }, NOW)
      await deliveries.settle('wh_2', 'ours', { is: 'cancelled' }, NOW)
      expect(await deliveries.find('wh_1')).toMatchObject({
        status: 'pending',
        attempts: 0,
        nextAttemptAtMs: NOW + 1,
      })
      expect(await deliveries.find('wh_2')).toMatchObject({
        status: 'cancelled',
        attempts: 0,
        nextAttemptAtMs: null,
      })
    })

    it('DELIVERY-7 brings forward what is due later, leases included', async () => {
      const { deliveries } = await holding(delivery('wh_1'), delivery('wh_2'), delivery('wh_3'))
      await deliveries.lease(['wh_1', 'wh_2'], lease, NOW)
      await deliveries.settle(
        'wh_2',
        'ours',
        { is: 'retry', atMs: NOW + 30_000, responseStatus: null, error: 'ECONNREFUSED' },
        NOW,
      )
      await deliveries.bringForward(10_000, NOW)
      const times = await Promise.all(['wh_1', 'wh_2', 'wh_3'].map(id => deliveries.find(id)))
      expect(times.map(found => Number(found?.nextAttemptAtMs) - NOW)).toEqual([10_000, 20_000, 0])
    })

    it('DELIVERY-8 accepts failures only from the holder of the lease, but successes from anybody', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      await deliveries.lease(['wh_1'], lease, NOW)
      await deliveries.lease(['wh_1'], { token: 'theirs', untilMs: NOW + 40_000 }, NOW + 20_000)
      const failed = { is: 'failed' as const, responseStatus: 400, error: 'HTTP 400' }
      expect(await deliveries.settle('wh_1', 'ours', failed, NOW)).toBe(false)
      expect(await deliveries.find('wh_1')).toMatchObject({ status: 'pending', attempts: 0 })
      expect(await deliveries.settle('wh_1', 'ours', { is: 'delivered', responseStatus: 200 }, NOW)).toBe(
        true,
      )
      expect(await deliveries.settle('wh_1', 'theirs', failed, NOW)).toBe(false)
      expect(await deliveries.find('wh_1')).toMatchObject({ status: 'delivered' })
    })

    it('DELIVERY-9 cancels pending deliveries, including one being sent, when the webhook is disabled', async () => {
      const { deliveries, webhooks } = await holding(
        delivery('wh_1'),
        delivery('wh_2'),
        delivery('wh_3', 'clinic'),
      )
      await deliveries.lease(['wh_1'], lease, NOW)
      const [school] = await webhooks.active({ serviceAccount: 'school' })
      if (!school) throw new Error('no webhook')
      await webhooks.save({ ...school, enabled: false }, second + 1)
      await deliveries.settle(
        'wh_1',
        'ours',
        { is: 'retry', atMs: NOW, responseStatus: null, error: 'x' },
        NOW,
      )
      for (const id of ['wh_1', 'wh_2'])
        expect(await deliveries.find(id)).toMatchObject({ status: 'cancelled', nextAttemptAtMs: null })
      expect(idsOf(await deliveries.due(NOW + 1e9, all))).toEqual(['wh_3'])
    })

    it('DELIVERY-10 lists the newest first, by status, without bodies', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      await deliveries.add([delivery('wh_2')], NOW + 1000)
      await deliveries.settle('wh_1', '', { is: 'delivered', responseStatus: 200 }, NOW)
      const list = await deliveries.list({ limit: 10 })
      expect(list.map(({ id }) => id)).toEqual(['wh_2', 'wh_1'])
      expect(list.some(record => 'body' in record)).toBe(false)
      expect(idsOf(await deliveries.list({ limit: 1 }))).toEqual(['wh_2'])
      expect(idsOf(await deliveries.list({ status: 'delivered', limit: 10 }))).toEqual(['wh_1'])
    })

    it('DELIVERY-11 makes a delivery due again with all its attempts, unless it is being sent', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      await deliveries.lease(['wh_1'], lease, NOW)
      expect(await deliveries.replay('wh_1', NOW + 1)).toBe(false)
      await deliveries.settle('wh_1', 'ours', { is: 'failed', responseStatus: 400, error: 'HTTP 400' }, NOW)
      expect(await deliveries.replay('wh_1', NOW + 1)).toBe(true)
      const due = await deliveries.lease(['wh_1'], lease, NOW + 1)
      expect(due).toMatchObject([{ ...delivery('wh_1'), status: 'pending', attempts: 0 }])
      expect(await deliveries.replay('wh_1', NOW + 20_000)).toBe(true) // its lease expired
      expect(await deliveries.replay('wh_2', NOW)).toBe(false)
    })

    it('DELIVERY-12 reports the number of pending deliveries and the oldest', async () => {
      const { deliveries } = await holding()
      expect(await deliveries.pending()).toEqual({ count: 0, oldestAt: null })
      await deliveries.add([delivery('wh_1')], NOW)
      await deliveries.add([delivery('wh_2')], NOW + 1000)
      expect(await deliveries.pending()).toEqual({ count: 2, oldestAt: second })
    })

    it('DELIVERY-13 removes only delivered ones that are old or exceed the limit', async () => {
      const { deliveries } = await holding(delivery('wh_0'))
      for (const number of [1, 2, 3, 4]) {
        await deliveries.add([delivery(`wh_${number}`)], NOW + number)
        await deliveries.settle(
          `wh_${number}`,
          '',
          { is: 'delivered', responseStatus: 200 },
          NOW + number * 1000,
        )
      }
      const left = async () => idsOf(await deliveries.list({ limit: 10 }))
      await deliveries.sweep({ before: second + 2, keep: 10, testsBefore: 0 })
      expect(await left()).toEqual(['wh_0', 'wh_2', 'wh_3', 'wh_4'])
      await deliveries.sweep({ before: 0, keep: 2, testsBefore: 0 })
      expect(await left()).toEqual(['wh_0', 'wh_3', 'wh_4'])
    })

    it('DELIVERY-17 lists pages of one account, newest first, by status, without bodies', async () => {
      const { deliveries } = await holding(delivery('wh_a'), delivery('wh_b'), delivery('wh_x', 'clinic'))
      await deliveries.add([delivery('wh_c')], NOW + 1000)
      await deliveries.settle('wh_b', '', { is: 'delivered', responseStatus: 200 }, NOW)
      const ids = async (filter: { status?: 'delivered' | 'pending' }, page: TimePage) =>
        (await deliveries.page('school', filter, page)).map(({ id }) => id)
      expect(await ids({}, { limit: 2 })).toEqual(['wh_c', 'wh_b'])
      expect(await ids({}, { limit: 2, before: { at: second, id: 'wh_b' } })).toEqual(['wh_a'])
      expect(await ids({ status: 'delivered' }, { limit: 9 })).toEqual(['wh_b'])
      expect(await ids({ status: 'pending' }, { limit: 9 })).toEqual(['wh_c', 'wh_a'])
      expect((await deliveries.page('school', {}, { limit: 9 })).some(each => 'body' in each)).toBe(false)
    })

    it('DELIVERY-18 stores nothing for an account without a webhook, and cancels what is pending when it is removed', async () => {
      const { deliveries, webhooks } = await holding(delivery('wh_1'), delivery('wh_2', 'clinic'))
      await webhooks.remove('school', second)
      await deliveries.add([delivery('wh_3'), delivery('wh_4', 'clinic')], NOW)
      expect(await deliveries.find('wh_1')).toMatchObject({ status: 'cancelled', nextAttemptAtMs: null })
      expect(await deliveries.find('wh_3')).toBeNull()
      expect(idsOf(await deliveries.due(NOW, all))).toEqual(['wh_2', 'wh_4'])
      await Promise.all([
        deliveries.add([delivery('wh_5', 'clinic')], NOW),
        webhooks.remove('clinic', second),
        deliveries.add([delivery('wh_6', 'clinic')], NOW),
      ])
      // Whichever came first: nothing is pending without a webhook.
      expect((await deliveries.pending()).count).toBe(0)
    })

    it('DELIVERY-19 removes old tests that failed or were cancelled', async () => {
      const { deliveries } = await holding()
      const test = (id: string) => ({ ...delivery(id), event: 'webhook.test' as const })
      await deliveries.add([test('wh_1'), test('wh_2'), delivery('wh_3')], NOW)
      const failed = { is: 'failed' as const, responseStatus: 400, error: 'HTTP 400' }
      await deliveries.lease(['wh_1', 'wh_3'], lease, NOW)
      for (const id of ['wh_1', 'wh_3']) await deliveries.settle(id, 'ours', failed, NOW)
      await deliveries.sweep({ before: 0, keep: 10, testsBefore: second })
      expect(idsOf(await deliveries.list({ limit: 10 }))).toEqual(['wh_1', 'wh_2', 'wh_3'])
      await deliveries.sweep({ before: 0, keep: 10, testsBefore: second + 1 })
      expect(idsOf(await deliveries.list({ limit: 10 }))).toEqual(['wh_2', 'wh_3'])
    })

    it('DELIVERY-15 keeps the attempts, newest first, of each holder and across replays, and cuts off old ones', async () => {
      const { deliveries } = await holding(delivery('wh_1'), delivery('wh_2'))
      const attempt = (number: number, excerpt: string | null = `"line"\n${number} 😀`) => ({
        startedAtMs: NOW + number,
        durationMs: number,
        responseStatus: 503,
        error: 'HTTP 503',
        excerpt,
      })
      const retry = (at: number) => ({
        is: 'retry' as const,
        atMs: at,
        responseStatus: 503,
        error: 'HTTP 503',
      })
      expect(await deliveries.attemptsOf('wh_1')).toEqual([])
      expect(await deliveries.attemptsOf('none')).toEqual([])
      await deliveries.lease(['wh_1'], lease, NOW)
      expect(await deliveries.settle('wh_1', 'ours', retry(NOW), NOW, attempt(1))).toBe(true)
      // Nobody holds it now; that the attempt was made stays true.
      expect(await deliveries.settle('wh_1', 'ours', retry(NOW), NOW, attempt(2))).toBe(false)
      expect(await deliveries.settle('none', 'ours', retry(NOW), NOW, attempt(2))).toBe(false)
      expect(await deliveries.attemptsOf('wh_1')).toEqual([attempt(2), attempt(1)])
      expect(await deliveries.find('wh_1')).toMatchObject({ attempts: 1 })
      await deliveries.replay('wh_1', NOW)
      await deliveries.lease(['wh_1'], lease, NOW)
      const delivered = { is: 'delivered' as const, responseStatus: 200 }
      const last = { startedAtMs: NOW + 3, durationMs: 9, responseStatus: 200, error: null, excerpt: null }
      await deliveries.settle('wh_1', 'ours', delivered, NOW, last)
      expect(await deliveries.attemptsOf('wh_1')).toEqual([last, attempt(2), attempt(1)])
      for (let number = 1; number <= 40; number++)
        await deliveries.settle('wh_2', '', retry(NOW), NOW, attempt(number, 'я'.repeat(500)))
      const kept = await deliveries.attemptsOf('wh_2')
      expect(kept).toHaveLength(20)
      expect(kept.map(({ durationMs }) => durationMs)).toEqual(Array.from({ length: 20 }, (_, i) => 40 - i))
    })

    it('DELIVERY-16 records an attempt whose holder died with an unknown outcome', async () => {
      const { deliveries } = await holding(delivery('wh_1'))
      await deliveries.lease(['wh_1'], lease, NOW + 5_000)
      await deliveries.lease(['wh_1'], { token: 'theirs', untilMs: NOW + 60_000 }, NOW + 45_000)
      expect(await deliveries.attemptsOf('wh_1')).toEqual([
        {
          startedAtMs: NOW + 5_000,
          durationMs: null,
          responseStatus: null,
          error: 'INTERRUPTED',
          excerpt: null,
        },
      ])
      expect(await deliveries.find('wh_1')).toMatchObject({ attempts: 0 })
    })

    it('DELIVERY-14 isolates concurrent requests', async () => {
      const { deliveries } = await holding()
      const again = { ...delivery('wh_1'), id: 'wh_2' }
      await Promise.all([delivery('wh_1'), again, delivery('wh_3')].map(made => deliveries.add([made], NOW)))
      await deliveries.lease(['wh_1', 'wh_3'], lease, NOW)
      const failed = { is: 'failed' as const, responseStatus: 400, error: 'HTTP 400' }
      const settled = await Promise.all([
        deliveries.settle('wh_1', 'ours', { is: 'delivered', responseStatus: 200 }, NOW),
        deliveries.settle('wh_2', 'ours', failed, NOW),
        deliveries.settle('wh_3', 'theirs', failed, NOW),
        deliveries.settle('wh_3', 'ours', { is: 'returned', atMs: NOW + 1 }, NOW),
      ])
      expect(settled).toEqual([true, false, false, true])
      const status = async (id: string) => (await deliveries.find(id))?.status
      expect(await Promise.all(['wh_1', 'wh_2', 'wh_3'].map(status))).toEqual([
        'delivered',
        undefined,
        'pending',
      ])
    })
  })
}
