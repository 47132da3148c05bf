import { type JsonObject, MAX_PUSH_SUBSCRIPTIONS } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../../push/testing/browser.ts'
import { type ControlHarness, createHarness } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const browser = new TestBrowser()
const endpointOf = (number: number | string) => `https://93.184.216.34/${number}`
const body = (number: number | string = 1) => ({ endpoint: endpointOf(number), ...browser.keys })

const account = (world: ControlHarness, name: string) =>
  ({ kind: 'account', id: String(world.authenticator.user(name).id) }) as const
const update = (world: ControlHarness, client: RawClient, fields: JsonObject, name = 'anna') =>
  client.command('push_subscription_update', fields, account(world, name))
const storedOf = (world: ControlHarness, name = 'anna') =>
  world.pushStore.listOf(world.authenticator.user(name).id)

describe('push_subscription_update', () => {
  it('PUSH-1 binds a subscription to the account of the connection', async () => {
    const world = await createHarness()
    const anna = await world.connect('anna')
    expect(await update(world, anna, body())).toMatchObject({
      status: 'committed',
      data: { status: 'stored' },
    })
    expect(await storedOf(world)).toMatchObject([
      { endpoint: endpointOf(1), provider: 'webpush', ...browser.keys, updatedAt: world.now / 1000 },
    ])
    await world.connect('ben')
    expect(await update(world, anna, body(2), 'ben')).toMatchObject({
      status: 'rejected',
      error: { code: 'permission_denied' },
    })
    expect(await update(world, anna, { ...body(2), client_id: 2 })).toMatchObject({
      error: { code: 'invalid_argument' },
    })
    expect(await storedOf(world, 'ben')).toEqual([])
  })

  it('PUSH-1 works over v1, where the target may be left out', async () => {
    const world = await createHarness()
    const anna = world.client('anna')
    await anna.login(null)
    await anna.send(JSON.stringify({ id: '1', command: 'push_subscription_update', params: body() }))
    expect(anna.takeOther()).toEqual({ id: '1', result: { status: 'stored' } })
    expect(await storedOf(world)).toHaveLength(1)
  })

  it('PUSH-1 is refused for guests, workers and technical accounts', async () => {
    const world = await createHarness()
    for (const kind of ['guest', 'worker', 'technical'] as const) {
      world.authenticator.changeUser(kind, { kind })
      const client = await world.connect(kind)
      expect(await update(world, client, body(), kind)).toMatchObject({
        error: { code: 'permission_denied' },
      })
    }
  })

  it('PUSH-4 replaces and removes by previous_endpoint, also while push is disabled', async () => {
    const world = await createHarness()
    const anna = await world.connect('anna')
    await update(world, anna, body(1))
    await update(world, anna, { ...body(2), previous_endpoint: endpointOf(1) })
    expect((await storedOf(world)).map(({ endpoint }) => endpoint)).toEqual([endpointOf(2)])
    world.isPushEnabled = false
    await world.restart()
    const again = await world.connect('anna')
    expect(await update(world, again, body(3))).toMatchObject({
      error: { code: 'unsupported_feature', extensions: { reason: 'push_disabled' } },
    })
    const removal = { endpoint: '', previous_endpoint: endpointOf(2), permission: 'denied' }
    expect(await update(world, again, removal)).toMatchObject({ data: { status: 'removed' } })
    expect(await update(world, again, removal)).toMatchObject({ data: { status: 'noted' } })
    expect(await storedOf(world)).toEqual([])
  })

  it.each([
    'http://93.184.216.34/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/x',
    'https://localhost/x',
    'https://user:secret@93.184.216.34/',
    'ftp://93.184.216.34/',
    'nonsense',
  ])('PUSH-6 refuses the endpoint %s', async endpoint => {
    const world = await createHarness()
    const anna = await world.connect('anna')
    expect(await update(world, anna, { ...body(), endpoint })).toMatchObject({
      error: { code: 'invalid_argument', message: expect.stringMatching(/^endpoint must/) },
    })
  })

  it.each([
    ['endpoint', `https://93.184.216.34/${'x'.repeat(2048)}`],
    ['endpoint', 'https://93.184.216.34/\u0000'],
    ['previous_endpoint', 'x'.repeat(4097)],
    ['p256dh', 'A'.repeat(129)],
    ['p256dh', 'no base64url!'],
    ['auth', 'A'.repeat(129)],
    ['user_agent', 'x'.repeat(513)],
    ['token', 'x'.repeat(4097)],
    ['provider', 'carrier_pigeon'],
    ['permission', 'maybe'],
    ['platform', 'toaster'],
    ['expiration_time', -1],
    ['supported', 'yes'],
    ['subscription', []],
    ['surprise', 1],
  ])('PUSH-6 limits %s', async (field, value) => {
    const world = await createHarness()
    const anna = await world.connect('anna')
    expect(await update(world, anna, { ...body(), [field]: value })).toMatchObject({
      status: 'rejected',
      error: { code: 'invalid_argument' },
    })
    expect(await storedOf(world)).toEqual([])
  })

  it('PUSH-7 keeps the newest of an account', async () => {
    const world = await createHarness()
    const anna = await world.connect('anna')
    for (let number = 0; number < MAX_PUSH_SUBSCRIPTIONS + 5; number++) {
      await world.pass(2000)
      expect(await update(world, anna, body(number))).toMatchObject({ status: 'committed' })
    }
    const endpoints = (await storedOf(world)).map(({ endpoint }) => endpoint)
    expect(endpoints).toHaveLength(MAX_PUSH_SUBSCRIPTIONS)
    expect(endpoints[0]).toBe(endpointOf(MAX_PUSH_SUBSCRIPTIONS + 4))
    expect(endpoints).not.toContain(endpointOf(4))
  })

  it('PUSH-9 limits how often an account updates', async () => {
    const world = await createHarness()
    const anna = await world.connect('anna')
    const results = []
    for (let number = 0; number < 31; number++)
      results.push(await update(world, anna, { permission: 'denied' }))
    expect(results.slice(0, 30).every(({ status }) => status === 'committed')).toBe(true)
    expect(results[30]).toMatchObject({ error: { code: 'rate_limited', retry_after_ms: expect.any(Number) } })
  })
})
