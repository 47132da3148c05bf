import type { JsonObject } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { createTestConnection } from '../account-connection/testing.ts'
import { StoredValue } from '../stored-value.ts'
import type { BrowserSubscription, PushBrowser, PushPermission } from './push-browser.ts'
import { PushNotifications } from './push-notifications.ts'

/** A browser whose subscriptions are numbered. */
class FakeBrowser implements PushBrowser {
  granted: PushPermission = 'default'
  answer: PushPermission = 'granted'
  subscription: BrowserSubscription | null = null
  failure: Error | null = null
  userAgent = 'Fake/1'
  #count = 0

  permission = () => this.granted
  requestPermission = async () => {
    if (this.granted === 'default') this.granted = this.answer
    return this.granted
  }
  current = async () => this.subscription
  subscribe = async (serverKey: string) => {
    if (this.failure) throw this.failure
    const endpoint = `https://push.example/${++this.#count}`
    const json = { endpoint, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }
    this.subscription = { endpoint, serverKey, json }
    return this.subscription
  }
  unsubscribe = async () => {
    this.subscription = null
  }
}

function setUp({ serverKey = 'key-1', saved = null as string | null } = {}) {
  const { connection, control } = createTestConnection()
  connection.open()
  const browser = new FakeBrowser()
  let text = saved
  const storage = {
    getItem: () => text,
    setItem: (_: string, value: string) => (text = value),
    removeItem: () => (text = null),
  } as unknown as Storage
  const server = { key: serverKey, isDown: false }
  const stored = new StoredValue('push', () => storage)
  const loadServerKey = async () => {
    if (server.isDown) throw new Error('down')
    return server.key
  }
  const create = () => new PushNotifications({ connection, browser, stored, loadServerKey })
  const push = create()
  const updates = () => control.bodies('push_subscription_update') as JsonObject[]
  return { push, create, browser, control, updates, server, saved: () => text && JSON.parse(text) }
}

describe('PushNotifications', () => {
  it('is off until the user turns it on, and sends nothing before', async () => {
    const { push, updates } = setUp()
    expect(push.get()).toEqual({ is: 'checking' })
    await push.sync()
    expect(push.get()).toEqual({ is: 'off', failed: false })
    expect(updates()).toEqual([])
  })

  it('subscribes, and registers with the keys and the permission', async () => {
    const { push, updates, browser, saved, control } = setUp()
    await push.sync()
    await push.turnOn()
    expect(push.get()).toEqual({ is: 'on', failed: false })
    expect(updates()).toEqual([
      {
        endpoint: 'https://push.example/1',
        p256dh: 'p',
        auth: 'a',
        permission: 'granted',
        supported: true,
        platform: 'web',
        user_agent: 'Fake/1',
        subscription: browser.subscription?.json,
      },
    ])
    expect(control.commands.at(-1)?.target).toEqual({ kind: 'account', id: '7' })
    expect(saved()).toEqual({ userId: '7', endpoint: 'https://push.example/1' })
  })

  it('registers again at every start, and replaces an endpoint that the browser has changed', async () => {
    const { push, create, updates, browser } = setUp()
    await push.sync()
    await push.turnOn()
    await create().sync()
    expect(updates()).toHaveLength(2)
    expect(updates()[1]).not.toHaveProperty('previous_endpoint')
    browser.subscription = null // as after a pushsubscriptionchange
    const again = create()
    await again.sync()
    expect(again.get()).toEqual({ is: 'on', failed: false })
    expect(updates()[2]).toMatchObject({
      endpoint: 'https://push.example/2',
      previous_endpoint: 'https://push.example/1',
    })
  })

  it('subscribes again when the server has another key', async () => {
    const { push, create, updates, server } = setUp()
    await push.sync()
    await push.turnOn()
    server.key = 'key-2'
    await create().sync()
    expect(updates().at(-1)).toMatchObject({
      endpoint: 'https://push.example/2',
      previous_endpoint: 'https://push.example/1',
    })
  })

  it('is removed when the user turns it off, here and at the server', async () => {
    const { push, updates, browser, saved } = setUp()
    await push.sync()
    await push.turnOn()
    await push.turnOff()
    expect(push.get()).toEqual({ is: 'off', failed: false })
    expect(updates()[1]).toMatchObject({ endpoint: '', previous_endpoint: 'https://push.example/1' })
    expect([browser.subscription, saved()]).toEqual([null, null])
  })

  it('stays on, and says so, when it cannot be turned off at the server', async () => {
    const { push, browser, control } = setUp()
    await push.sync()
    await push.turnOn()
    control.handlers.push_subscription_update = () => Promise.reject(new Error('unreachable'))
    await push.turnOff()
    expect(push.get()).toEqual({ is: 'on', failed: true })
    expect(browser.subscription).not.toBeNull()
  })

  it('reports a refusal of the user, and removes what the browser forbids later', async () => {
    const { push, create, updates, browser } = setUp()
    await push.sync()
    browser.answer = 'denied'
    await push.turnOn()
    expect(push.get()).toEqual({ is: 'blocked' })
    expect(updates()).toMatchObject([{ endpoint: '', permission: 'denied' }])

    browser.granted = 'default'
    browser.answer = 'granted'
    await push.turnOn()
    browser.granted = 'denied'
    const later = create()
    await later.sync()
    expect(later.get()).toEqual({ is: 'blocked' })
    expect(updates().at(-1)).toMatchObject({
      permission: 'denied',
      previous_endpoint: 'https://push.example/1',
    })
  })

  it.each([
    ['unsupported', { is: 'unavailable', why: 'unsupported' }],
    ['install', { is: 'unavailable', why: 'install' }],
  ] as const)('says that the browser is %s', async (permission, state) => {
    const { push, browser } = setUp()
    browser.granted = permission
    await push.sync()
    expect(push.get()).toEqual(state)
  })

  it('reports that the server sends none, and removes the earlier subscription', async () => {
    const { push, create, updates, server, browser } = setUp()
    await push.sync()
    await push.turnOn()
    server.key = ''
    const later = create()
    await later.sync()
    expect(later.get()).toEqual({ is: 'unavailable', why: 'disabled' })
    expect([updates().at(-1)?.endpoint, browser.subscription]).toEqual(['', null])
  })

  it('reports a failure, and changes nothing', async () => {
    const { push, browser, control, updates, saved } = setUp()
    await push.sync()
    browser.failure = new Error('the push service cannot be reached')
    await push.turnOn()
    expect(push.get()).toEqual({ is: 'off', failed: true })
    expect(updates()).toEqual([])
    browser.failure = null
    control.handlers.push_subscription_update = () => Promise.reject(new Error('rate_limited'))
    await push.turnOn()
    expect([push.get(), saved()]).toEqual([{ is: 'off', failed: true }, null])
    control.handlers = {}
    await push.turnOn()
    control.handlers.push_subscription_update = () => Promise.reject(new Error('too late'))
    await push.turnOff()
    expect([push.get().is, saved()?.userId]).toEqual(['on', '7'])
  })

  it('stays as it is while the server cannot be reached at the start, and is on once it can', async () => {
    const { push, create, server, browser, updates } = setUp()
    await push.sync()
    await push.turnOn()
    server.isDown = true
    const later = create()
    await later.sync()
    expect(browser.subscription?.endpoint).toBe('https://push.example/1')
    server.isDown = false
    for (let i = 0; i < 2; i++) await later.resync()
    expect([later.get(), updates()]).toEqual([
      { is: 'on', failed: false },
      [expect.anything(), expect.anything()],
    ])
  })

  it('ends with the sign-out, and with another account in this browser', async () => {
    const { push, browser, saved } = setUp()
    await push.sync()
    await push.turnOn()
    await push.signOut()
    expect([browser.subscription, saved()]).toEqual([null, null])

    const other = setUp({ saved: JSON.stringify({ userId: '8', endpoint: 'https://push.example/of-8' }) })
    other.browser.granted = 'granted'
    await other.browser.subscribe('key-1')
    await other.push.sync()
    expect([other.push.get().is, other.browser.subscription, other.updates()]).toEqual(['off', null, []])
  })
})
