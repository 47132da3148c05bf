import { beforeEach, describe, expect, it } from 'vitest'
import type { NewPush } from './ports.ts'
import { nativeSubscription, TestBrowser } from './testing/browser.ts'
import { openPushHarness, type PushHarness } from './testing/harness.ts'

const browser = new TestBrowser()
const both = ['webpush', 'native_push'] as const
const at = (number: number) => `https://push.example/${number}`
const DAY_MS = 86_400_000

let harness: PushHarness
beforeEach(async () => {
  harness = await openPushHarness()
})

const push = (clientId: number, endpoint: string, topic = 'chat:1', body = 'text'): NewPush => ({
  clientId,
  endpoint,
  topic,
  expiresAtMs: harness.clock() + DAY_MS,
  payload: { title: 'Ben', body, type: topic.startsWith('call') ? 'call' : 'message', url: '/' },
})
const add = (pushes: NewPush[], maxPerAccount = 100) =>
  harness.deliveries.add(pushes, { nowMs: harness.clock(), maxPerAccount })
const due = (except: string[] = [], each = 1, all = 100) =>
  harness.deliveries.due(harness.clock(), { all, each, except })
const lease = async (token = 'ours') => {
  const ids = (await due()).map(({ id }) => id)
  return harness.deliveries.lease(ids, { token, untilMs: harness.clock() + 20_000 }, harness.clock())
}

it('brings forward what is due later, and quiet times', async () => {
  const { id } = await harness.addUser('anna')
  await harness.subscribe(browser.subscription(id, at(1)))
  await add([push(id, at(1))])
  const [{ id: delivery } = expect.fail()] = await lease()
  const atMs = harness.clock() + 60_000
  await harness.deliveries.settle(delivery, 'ours', { is: 'returned', atMs })
  await harness.deliveries.bringForward(60_000, harness.clock())
  expect(await due()).toMatchObject([{ id: delivery }])
})

describe('the store of push subscriptions', () => {
  it('stores one for each account and endpoint, and finds it', async () => {
    const { id } = await harness.addUser('anna')
    const subscription = {
      ...browser.subscription(id, at(1)),
      expirationTime: harness.clock() + 1,
      userAgent: 'ü😀',
    }
    await harness.subscribe(subscription)
    const found = (number: number) => harness.subscriptions.findValid(id, at(number), harness.clock())
    expect(await found(1)).toEqual({ ...subscription, language: null })
    const changed = { ...subscription, permission: 'denied' as const, updatedAt: 2 }
    await harness.subscribe(changed)
    expect(await harness.subscriptions.listOf(id)).toEqual([changed])
    expect([await found(1), await found(2)]).toEqual([null, null])
    expect(await harness.subscriptions.count()).toBe(1)
    expect(await harness.subscriptions.remove(id, at(1))).toBe(true)
    expect(await harness.subscriptions.remove(id, at(1))).toBe(false)
  })

  it('PUSH-8 moves a browser to the account that uses it now', async () => {
    const [anna, ben] = [await harness.addUser('anna'), await harness.addUser('ben')]
    await harness.subscribe(browser.subscription(anna.id, at(1)))
    await harness.subscribe(new TestBrowser().subscription(ben.id, at(1))) // somebody who knows the address only
    expect(await harness.subscriptions.listOf(anna.id)).toHaveLength(1)
    await harness.subscribe(browser.subscription(ben.id, at(1)))
    expect(await harness.subscriptions.listOf(anna.id)).toEqual([])
    await harness.subscribe(nativeSubscription(anna.id, 'token'))
    await harness.subscribe(nativeSubscription(ben.id, 'token'))
    expect(await harness.subscriptions.listOf(anna.id)).toEqual([])
    expect(await harness.subscriptions.listOf(ben.id)).toHaveLength(2)
  })

  it('PUSH-8 names as receivers those with permission, a valid sign-in and a present account', async () => {
    const ids: number[] = []
    for (const login of ['anna', 'ben', 'cora', 'dan', 'eve', 'finn'])
      ids.push((await harness.addUser(login)).id)
    const [anna = 0, ben = 0, cora = 0, dan = 0, eve = 0, finn = 0] = ids
    for (const id of ids) await harness.subscribe(browser.subscription(id, at(id)))
    await harness.subscribe(nativeSubscription(anna, 'token'))
    await harness.users.update(anna, { language: 'ru' })
    await harness.authSessions.revoke(`signin-${ben}`, 1)
    await harness.users.update(cora, { deletedAt: 1 })
    await harness.subscribe({ ...browser.subscription(dan, at(dan)), permission: 'denied' })
    await harness.subscribe({ ...browser.subscription(eve, at(eve)), expirationTime: harness.clock() })
    await harness.subscribe(browser.subscription(finn, at(finn)), 'a sign-in that is not known')
    const receiversOf = (providers: readonly ('webpush' | 'native_push')[] = both) =>
      harness.subscriptions.receiversOf([...ids, 99], providers, harness.clock())
    const web = { clientId: anna, endpoint: at(anna), language: 'ru' }
    expect(await receiversOf()).toEqual(expect.arrayContaining([web, { ...web, endpoint: 'token' }]))
    expect(await receiversOf()).toHaveLength(2)
    expect(await receiversOf(['webpush'])).toEqual([web])
    expect(await receiversOf([])).toEqual([])

    await harness.subscriptions.sweep(harness.clock())
    const left = await Promise.all(ids.map(id => harness.subscriptions.listOf(id)))
    expect(left.map(({ length }) => length)).toEqual([2, 0, 0, 1, 0, 0])
    harness.pass(31 * DAY_MS) // the sign-ins expire
    expect(await receiversOf()).toEqual([])
    await harness.subscriptions.sweep(harness.clock())
    expect(await harness.subscriptions.count()).toBe(0)
  })

  it('finds the receivers among ten thousand members', async () => {
    const { id } = await harness.addUser('anna')
    await harness.subscribe(browser.subscription(id, at(1)))
    const everybody = Array.from({ length: 10_000 }, (_, index) => index + 1)
    expect(await harness.subscriptions.receiversOf(everybody, both, harness.clock())).toHaveLength(1)
  })
})

describe('the store of push deliveries', () => {
  it('PUSH-14 replaces a pending one with the same topic, and keeps its time', async () => {
    await add([push(1, at(1)), push(1, at(2)), push(2, at(1))])
    expect(await harness.deliveries.pending()).toEqual({ count: 3, oldestAtMs: harness.clock() })
    harness.pass(1000)
    await add([push(1, at(1), 'chat:1', 'newer')])
    expect((await harness.deliveries.pending()).count).toBe(3)
    const leased = await lease()
    expect(leased.find(({ endpoint, clientId }) => clientId === 1 && endpoint === at(1))).toMatchObject({
      payload: { body: 'newer' },
      createdAtMs: harness.clock(),
    })

    const [first] = leased
    if (!first) throw new Error('nothing is due')
    const retry = {
      is: 'retry',
      atMs: harness.clock() + 60_000,
      responseStatus: 429,
      error: 'HTTP 429',
    } as const
    await harness.deliveries.settle(first.id, 'ours', retry)
    await add([
      { ...push(first.clientId, first.endpoint, first.topic), payload: { ...first.payload, body: 'last' } },
    ])
    expect((await due()).map(({ id }) => id)).not.toContain(first.id)
    harness.pass(60_000)
    expect(await lease()).toContainEqual(expect.objectContaining({ id: first.id, attempts: 1 }))
  })

  it('PUSH-14 ignores the outcome of a replaced one, and sends the newer at once', async () => {
    await add([push(1, at(1))])
    const [leased] = await lease()
    await add([push(1, at(1), 'chat:1', 'newer')])
    const delivered = { is: 'delivered', quietUntilMs: harness.clock() + 10_000 } as const
    expect(await harness.deliveries.settle(leased?.id ?? '', 'ours', delivered)).toBe(false)
    expect(await lease('theirs')).toMatchObject([{ payload: { body: 'newer' } }])
  })

  it('PUSH-14 delays the next one after a delivery', async () => {
    await add([push(1, at(1))])
    const [leased] = await lease()
    await harness.deliveries.settle(leased?.id ?? '', 'ours', {
      is: 'delivered',
      quietUntilMs: harness.clock() + 10_000,
    })
    expect(await harness.deliveries.pending()).toEqual({ count: 0, oldestAtMs: null })
    harness.pass(3_000)
    await add([push(1, at(1), 'chat:1', 'second'), push(1, at(1), 'chat:2')])
    expect(await due([], 9)).toHaveLength(1)
    harness.pass(7_000)
    expect(await due([], 9)).toHaveLength(2)
  })

  it('lists calls first, the longest due before others, within the limits', async () => {
    await add([push(1, at(1)), push(2, at(1))])
    harness.pass(1)
    await add([push(3, at(1), 'call:1'), push(1, at(1), 'chat:2')])
    const found = await lease()
    expect(found.map(({ clientId }) => clientId)).toHaveLength(3)
    expect((await harness.deliveries.list(10)).map(({ clientId }) => clientId).sort()).toEqual([1, 1, 2, 3])
    harness.pass(20_000)
    const order = await due([], 9)
    const records = await harness.deliveries.list(10)
    expect(records.find(({ id }) => id === order[0]?.id)).toMatchObject({ type: 'call', clientId: 3 })
    expect(await due([], 9, 2)).toHaveLength(2)
    expect(await due([order[0]?.target ?? ''], 9)).toHaveLength(3)
    expect(JSON.stringify(records)).not.toContain('text')
  })

  it('PUSH-15 drops the oldest of an account beyond its limit', async () => {
    for (let number = 0; number < 8; number++) {
      await add([push(1, at(1), `chat:${number}`), push(2, at(1))], 5)
      harness.pass(1)
    }
    const ofAccount = (await harness.deliveries.list(100)).filter(({ clientId }) => clientId === 1)
    expect(ofAccount).toHaveLength(5)
    expect(Math.min(...ofAccount.map(({ createdAtMs }) => createdAtMs))).toBe(harness.clock() - 5)
  })

  it('removes those of a removed subscription, of a call that is over, and expired ones', async () => {
    const { id } = await harness.addUser('anna')
    await harness.subscribe(browser.subscription(id, at(1)))
    await add([push(id, at(1)), push(id, at(2), 'call:1'), push(2, at(2), 'call:1'), push(3, at(3))])
    await harness.subscriptions.remove(id, at(1))
    const options = { nowMs: harness.clock(), includesUnsent: false }
    await harness.deliveries.replace('call:1', [id], [], options)
    await harness.deliveries.replace('call:1', [], [], options)
    expect((await harness.deliveries.list(9)).map(({ clientId }) => clientId).sort()).toEqual([2, 3])
    await lease()
    harness.pass(DAY_MS)
    await harness.deliveries.sweep(harness.clock()) // the leases have expired, too
    expect(await harness.deliveries.list(9)).toEqual([])
  })
})
