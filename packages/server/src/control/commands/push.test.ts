import { type JsonObject, MAX_PUSH_SUBSCRIPTIONS } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { TestBrowser } from '../../messaging/push/testing/browser.ts'
import { type ControlHarness, createHarness } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const browser = new TestBrowser()
const endpointOf = (number: number | string) => `https://93.184.216.34/${number}`
const body = (number: number | string = 1) => ({ endpoint: endpointOf(number), ...browser.keys })

const account = (harness: ControlHarness, name: string) =>
  ({ kind: 'account', id: String(harness.authenticator.user(name).id) }) as const
const update = (harness: ControlHarness, client: RawClient, fields: JsonObject, name = 'anna') =>
  client.command('push_subscription_update', fields, account(harness, name))
const storedOf = (harness: ControlHarness, name = 'anna') =>
  harness.pushStore.listOf(harness.authenticator.user(name).id)

describe('push_subscription_update', () => {
  it('PUSH-1 binds a subscription to the account of the connection', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    expect(await update(harness, anna, body())).toMatchObject({
      status: 'committed',
      data: { status: 'stored' },
    })
    expect(await storedOf(harness)).toMatchObject([
      { endpoint: endpointOf(1), provider: 'webpush', ...browser.keys, updatedAt: harness.now / 1000 },
    ])
    await harness.connect('ben')
    expect(await update(harness, anna, body(2), 'ben')).toMatchObject({
      status: 'rejected',
      error: { code: 'permission_denied' },
    })
    const clientId = harness.authenticator.user('ben').id
    expect(await update(harness, anna, { ...body(2), client_id: clientId })).toMatchObject({
      data: { status: 'stored' },
    })
    expect((await storedOf(harness)).map(({ endpoint }) => endpoint)).toContain(endpointOf(2))
    expect(await storedOf(harness, 'ben')).toEqual([])
    expect(await update(harness, anna, { ...body(3), account: '2' })).toMatchObject({
      data: { status: 'stored' },
    })
    expect(await storedOf(harness, 'ben')).toEqual([])
  })

  it('PUSH-1 works over v1, where the target may be left out', async () => {
    const harness = await createHarness()
    const anna = harness.client('anna')
    await anna.login(null)
    await anna.send(JSON.stringify({ id: '1', command: 'push_subscription_update', params: body() }))
    expect(anna.takeOther()).toEqual({ id: '1', result: { status: 'stored' } })
    expect(await storedOf(harness)).toHaveLength(1)
  })

  it('PUSH-1 is refused for guests, workers and technical accounts', async () => {
    const harness = await createHarness()
    for (const kind of ['guest', 'worker', 'technical'] as const) {
      harness.authenticator.changeUser(kind, { kind })
      const client = await harness.connect(kind)
      expect(await update(harness, client, body(), kind)).toMatchObject({
        error: { code: 'permission_denied' },
      })
    }
  })

  it('PUSH-4 replaces and removes by previous_endpoint, also while push is disabled', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    await update(harness, anna, body(1))
    await update(harness, anna, { ...body(2), previous_endpoint: endpointOf(1) })
    expect((await storedOf(harness)).map(({ endpoint }) => endpoint)).toEqual([endpointOf(2)])
    harness.isPushEnabled = false
    await harness.restart()
    const again = await harness.connect('anna')
    expect(await update(harness, again, body(3))).toMatchObject({
      error: { code: 'unsupported_feature', extensions: { reason: 'push_disabled' } },
    })
    const removal = { endpoint: '', previous_endpoint: endpointOf(2), permission: 'denied' }
    expect(await update(harness, again, removal)).toMatchObject({ data: { status: 'removed' } })
    expect(await update(harness, again, removal)).toMatchObject({ data: { status: 'noted' } })
    expect(await storedOf(harness)).toEqual([])
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
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    expect(await update(harness, anna, { ...body(), endpoint })).toMatchObject({
      error: { code: 'invalid_argument', message: expect.stringMatching(/^endpoint must/) },
    })
  })

  it.each([
    ['user_agent', 'x'.repeat(513), { userAgent: 'x'.repeat(512) }],
    ['user_agent', 'a\u0000b', { userAgent: 'ab' }],
    ['user_agent', 5, { userAgent: '' }],
    ['provider', null, { provider: 'webpush' }],
    ['provider', '', { provider: 'webpush' }],
    ['permission', 'maybe', { permission: 'default' }],
    ['permission', null, { permission: 'granted' }],
    ['platform', 'toaster', { platform: 'toaster' }],
    ['platform', ['web'], { platform: 'web' }],
    ['expiration_time', -1, { expirationTime: null }],
    ['expiration_time', 0, { expirationTime: null }],
    ['expiration_time', 1.5, { expirationTime: 1 }],
    ['expiration_time', '2030', { expirationTime: null }],
    ['supported', 'yes', { permission: 'granted' }],
    ['subscription', [], { subscriptionJson: '{}' }],
    ['subscription', { more: 'x'.repeat(8_192) }, { subscriptionJson: '{}' }],
    ['subscription', { endpoint: null, keys: null }, {}],
    ['previous_endpoint', null, {}],
    ['token', null, { token: '' }],
    ['surprise', 1, {}],
  ])('PUSH-20 stores the subscription whatever %s is: %j', async (field, value, stored) => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    expect(await update(harness, anna, { ...body(), [field]: value })).toMatchObject({
      data: { status: 'stored' },
    })
    expect(await storedOf(harness)).toMatchObject([{ endpoint: endpointOf(1), ...browser.keys, ...stored }])
  })

  it('PUSH-20 asks nothing of keys and of an endpoint that the provider does not use', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    const unused = { p256dh: 'a key: 1', auth: { bearer: 'x'.repeat(200) }, endpoint: 'x'.repeat(4_000) }
    for (const token of ['abc', 'x'.repeat(4_096)])
      expect(await update(harness, anna, { provider: 'native_push', ...unused, token })).toMatchObject({
        data: { status: 'stored' },
      })
    expect((await storedOf(harness)).every(({ p256dh, auth }) => p256dh === '' && auth === '')).toBe(true)
  })

  it('PUSH-20 stores the subscription of an unknown provider, which is never contacted', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    for (const fields of [{ token: 'abc' }, { endpoint: 'pigeon:1', p256dh: 'x' }])
      expect(await update(harness, anna, { provider: 'carrier_pigeon', ...fields })).toMatchObject({
        data: { status: 'stored' },
      })
    expect(await storedOf(harness)).toMatchObject([
      { provider: 'carrier_pigeon', endpoint: 'abc', token: 'abc' },
      { provider: 'carrier_pigeon', endpoint: 'pigeon:1', token: '' },
    ])
    const removal = { provider: 'carrier_pigeon', previous_endpoint: 'abc' }
    expect(await update(harness, anna, removal)).toMatchObject({ data: { status: 'removed' } })
  })

  it.each([
    ['endpoint', `https://93.184.216.34/${'x'.repeat(2048)}`],
    ['endpoint', 'https://93.184.216.34/\u0000'],
    ['previous_endpoint', 'x'.repeat(4097)],
    ['p256dh', 'A'.repeat(129)],
    ['p256dh', 'no base64url!'],
    ['p256dh', `${browser.keys.p256dh}!`],
    ['p256dh', 5],
    ['auth', null],
    ['auth', 'A'.repeat(129)],
    ['token', 'x'.repeat(4097)],
    ['provider', 'x'.repeat(65)],
  ])('PUSH-6 limits %s', async (field, value) => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    expect(await update(harness, anna, { ...body(), [field]: value })).toMatchObject({
      status: 'rejected',
      error: { code: 'invalid_argument' },
    })
    expect(await storedOf(harness)).toEqual([])
  })

  it('PUSH-7 keeps the newest of an account', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    for (let number = 0; number < MAX_PUSH_SUBSCRIPTIONS + 5; number++) {
      await harness.pass(2000)
      expect(await update(harness, anna, body(number))).toMatchObject({ status: 'committed' })
    }
    const endpoints = (await storedOf(harness)).map(({ endpoint }) => endpoint)
    expect(endpoints).toHaveLength(MAX_PUSH_SUBSCRIPTIONS)
    expect(endpoints[0]).toBe(endpointOf(MAX_PUSH_SUBSCRIPTIONS + 4))
    expect(endpoints).not.toContain(endpointOf(4))
  })

  it('PUSH-7 keeps the newest of several in one second, also one that was updated again', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    for (let number = 0; number < MAX_PUSH_SUBSCRIPTIONS; number++) await update(harness, anna, body(number))
    await update(harness, anna, body(0))
    for (const number of ['a', 'b']) await update(harness, anna, body(number))
    const endpoints = (await storedOf(harness)).map(({ endpoint }) => endpoint)
    const kept = [...Array(MAX_PUSH_SUBSCRIPTIONS).keys()].filter(number => number !== 1 && number !== 2)
    expect(endpoints.sort()).toEqual([...kept, 'a', 'b'].map(endpointOf).sort())
  })

  it('PUSH-9 limits how often an account updates', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    const results = []
    for (let number = 0; number < 31; number++)
      results.push(await update(harness, anna, { permission: 'denied' }))
    expect(results.slice(0, 30).every(({ status }) => status === 'committed')).toBe(true)
    expect(results[30]).toMatchObject({ error: { code: 'rate_limited', retry_after_ms: expect.any(Number) } })
  })
})
