import { describe, expect, it } from 'vitest'
import { parseSubscriptionRequest } from './subscription-request.ts'
import { TestBrowser } from './testing/browser.ts'

const { keys } = new TestBrowser()
const endpoint = 'https://push.example/1'

describe('a subscription request', () => {
  it('PUSH-2 is for web push by default, with its fields beside or inside subscription', () => {
    const stored = {
      is: 'store',
      replaces: null,
      subscription: {
        endpoint,
        provider: 'webpush',
        token: '',
        ...keys,
        permission: 'granted',
        platform: 'web',
        userAgent: '',
        expirationTime: null,
      },
    }
    expect(parseSubscriptionRequest({ endpoint, ...keys })).toMatchObject(stored)
    const subscription = { endpoint, expirationTime: null, keys }
    expect(parseSubscriptionRequest({ subscription })).toMatchObject(stored)
    expect(parseSubscriptionRequest({ endpoint, ...keys, subscription })).toMatchObject({
      subscription: { subscriptionJson: JSON.stringify(subscription) },
    })
    expect(() =>
      parseSubscriptionRequest({ endpoint: `${endpoint}2`, subscription: { endpoint, keys } }),
    ).toThrow('endpoint must equal that of subscription.')
    expect(() => parseSubscriptionRequest({ endpoint, p256dh: 'x', subscription })).toThrow(
      /p256dh must equal/,
    )
  })

  it('PUSH-2 keeps every field of the request', () => {
    const body = {
      endpoint,
      p256dh: `${keys.p256dh}=`,
      auth: `${keys.auth}==`,
      previous_endpoint: 'https://push.example/0',
      permission: 'default',
      supported: true,
      platform: 'desktop',
      user_agent: 'Firefox',
      expiration_time: 5,
    } as const
    expect(parseSubscriptionRequest(body)).toMatchObject({
      replaces: 'https://push.example/0',
      subscription: {
        ...keys,
        permission: 'default',
        platform: 'desktop',
        userAgent: 'Firefox',
        expirationTime: 5,
      },
    })
    expect(parseSubscriptionRequest({ endpoint, ...keys, supported: false })).toMatchObject({
      subscription: { permission: 'unsupported' },
    })
  })

  it('PUSH-3 has a token that is also its endpoint for native apps', () => {
    const body = { provider: 'native_push', token: 'abc:def', platform: 'ios', endpoint: 'ignored' } as const
    expect(parseSubscriptionRequest({ ...body, previous_endpoint: 'abc' })).toMatchObject({
      is: 'store',
      replaces: 'abc',
      subscription: { provider: 'native_push', endpoint: 'abc:def', token: 'abc:def', p256dh: '', auth: '' },
    })
  })

  it('PUSH-4 removes by an empty or missing endpoint or token with previous_endpoint', () => {
    for (const body of [
      { endpoint: '', previous_endpoint: 'old' },
      { previous_endpoint: 'old' },
      { endpoint: '', previous_endpoint: 'old', permission: 'denied' },
      { provider: 'native_push', token: '', previous_endpoint: 'old' },
      { provider: 'native_push', endpoint: 'https://x.example', previous_endpoint: 'old' },
    ] as const)
      expect(parseSubscriptionRequest(body)).toEqual({ is: 'remove', endpoint: 'old' })
  })

  it('PUSH-5 may only report that there is no permission or no support', () => {
    for (const body of [
      { permission: 'denied' },
      { endpoint: '', permission: 'default' },
      { supported: false },
    ] as const)
      expect(parseSubscriptionRequest(body)).toEqual({ is: 'note' })
    expect(() => parseSubscriptionRequest({})).toThrow('endpoint is required')
    expect(() => parseSubscriptionRequest({ provider: 'native_push' })).toThrow('token is required')
    expect(() => parseSubscriptionRequest({ endpoint: '', previous_endpoint: '' })).toThrow(
      'endpoint is required',
    )
  })

  it.each([
    ['no keys', { p256dh: '', auth: '' }, /p256dh/],
    ['a short key', { p256dh: keys.p256dh.slice(0, 40) }, /p256dh/],
    [
      'a compressed key',
      { p256dh: Buffer.concat([Buffer.of(2), Buffer.alloc(64, 1)]).toString('base64url') },
      /p256dh/,
    ],
    [
      'a point that is not on the curve',
      { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url') },
      /p256dh/,
    ],
    ['a short secret', { auth: 'AAAA' }, /auth must be 16 bytes/],
    ['a long secret', { auth: Buffer.alloc(17).toString('base64url') }, /auth must be 16 bytes/],
  ])('PUSH-2 refuses %s', (_, fields, message) => {
    expect(() => parseSubscriptionRequest({ endpoint, ...keys, ...fields })).toThrow(message)
  })

  it('PUSH-2 accepts keys in either form of Base64, and limits what is inside of subscription', () => {
    const toBase64 = (key: string) => Buffer.from(key, 'base64url').toString('base64')
    const p256dh = toBase64(keys.p256dh)
    const subscription = { endpoint, keys: { ...keys, auth: toBase64(keys.auth) } }
    expect(parseSubscriptionRequest({ p256dh, subscription })).toMatchObject({ subscription: keys })
    for (const inner of [`${endpoint}${'x'.repeat(2048)}`, `${endpoint}\0`])
      expect(() => parseSubscriptionRequest({ ...keys, subscription: { endpoint: inner } })).toThrow(
        'at most 2048 characters',
      )
  })
})
