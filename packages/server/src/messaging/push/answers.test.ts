import { describe, expect, it } from 'vitest'
import type { MessageStored } from '../../domain-events.ts'
import { nativeSubscription } from './testing/browser.ts'
import { DAY_MS, until, vapid } from './testing/harness.ts'
import { close, hang, status } from './testing/push-service.ts'
import { usePush } from './testing/use-push.ts'

const push = usePush()

describe('the answer of a push service', () => {
  it.each([404, 410])('PUSH-16 %i removes the subscription and what waits for it', async code => {
    await push.subscribe(status(code))
    await push.harness.subscribe(push.browser.subscription(push.anna, push.service.endpoint('other')))
    const { service, domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message())
    await until(async () => expect(await push.harness.subscriptions.listOf(push.anna)).toHaveLength(1))
    await push.untilEmpty()
    expect(push.service.pathsReceived().sort()).toEqual(['anna', 'other'])
    expect(service.metrics.push_subscriptions_gone.read()).toBe(1)
  })

  it.each([400, 401, 403, 413, 301])('PUSH-18 %i is logged, and the push is dropped', async code => {
    await push.subscribe(status(code, { location: 'https://elsewhere.example/' }))
    const { service, domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(service.metrics.push_attempts_dropped.read()).toBe(1))
    await push.untilEmpty()
    expect(push.logged()).toContain(`HTTP ${code}`)
    expect(await push.harness.subscriptions.listOf(push.anna)).toHaveLength(1)
  })

  it('PUSH-17 429 is repeated after Retry-After, given in seconds or as a date', async () => {
    const until120 = () => new Date(push.harness.clock() + 120_000).toUTCString()
    for (const [name, header] of [
      ['seconds', '120'],
      ['date', until120()],
    ] as const)
      await push.harness.subscribe(
        push.browser.subscription(
          push.anna,
          push.service.endpoint(name, status(429, { 'retry-after': header })),
        ),
      )
    const { domainEvents } = push.harness.start()
    const begun = push.harness.clock()
    domainEvents.publish('message-stored', push.message())
    await until(async () => expect((await push.records()).map(({ attempts }) => attempts)).toEqual([1, 1]))
    for (const { nextAttemptAtMs, responseStatus } of await push.records()) {
      expect(responseStatus).toBe(429)
      expect(nextAttemptAtMs - begun).toBeGreaterThan(118_000)
      expect(nextAttemptAtMs - begun).toBeLessThanOrEqual(121_000)
    }
    push.service.endpoint('seconds')
    push.service.endpoint('date')
    push.harness.pass(121_000)
    await push.untilEmpty()
    expect(push.service.received).toHaveLength(4)
    expect(push.service.received.at(-1)?.headers.ttl).toBe(String(86_400 - 121))
  })

  it.each([
    ['500', status(500), 'HTTP 500'],
    ['503 with a Retry-After that is nonsense', status(503, { 'retry-after': 'soon' }), 'HTTP 503'],
    ['a closed connection', close, 'ECONNRESET'],
  ])('PUSH-17 %s is repeated with increasing delays', async (_, answer, error) => {
    await push.subscribe(answer)
    const { service, domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message())
    const delays: number[] = []
    for (let attempts = 1; attempts <= 9; attempts++) {
      await until(async () => expect(await push.records()).toMatchObject([{ attempts, error }]))
      const delay = ((await push.records())[0]?.nextAttemptAtMs ?? 0) - push.harness.clock()
      delays.push(delay)
      push.harness.pass(delay)
    }
    expect(delays[0]).toBeGreaterThanOrEqual(5_000)
    expect(delays[0]).toBeLessThanOrEqual(10_000)
    expect(delays[8]).toBeGreaterThanOrEqual(450_000)
    expect(delays[8]).toBeLessThanOrEqual(900_000)
    push.harness.pass(DAY_MS)
    await push.untilEmpty()
    expect(service.metrics.push_attempts_dropped.read()).toBe(1)
  })

  it('PUSH-17 no answer within the time limit is repeated', async () => {
    await push.subscribe(hang)
    const { domainEvents } = push.harness.start({ timeoutMs: 100 })
    domainEvents.publish('message-stored', push.message())
    await until(async () => expect(await push.records()).toMatchObject([{ attempts: 1, error: 'TIMEOUT' }]))
  })

  it('PUSH-17 a call is not tried again when it has stopped ringing', async () => {
    await push.subscribe(status(503, { 'retry-after': '60' }))
    const { service, domainEvents } = push.harness.start()
    domainEvents.publish('call-ringing', push.call())
    await until(() => expect(service.metrics.push_attempts_dropped.read()).toBe(1))
    await push.subscribe(status(503))
    domainEvents.publish('call-ringing', push.call())
    await until(async () => expect(await push.records()).toMatchObject([{ attempts: 1, type: 'call' }]))
    domainEvents.publish('ringing-stopped', push.stopped('answered'))
    await push.untilEmpty()
    expect(push.service.received).toHaveLength(2)
  })

  it.each([
    ['answered', 'Answered on another device', '60'],
    ['declined', 'Declined on another device', '60'],
    ['missed', 'Missed call', '86400'],
  ] as const)(
    'PUSH-10 of a call that was %s takes the place of the one that was delivered',
    async (reason, body, ttl) => {
      await push.subscribe()
      const { service, domainEvents } = push.harness.start()
      domainEvents.publish('call-ringing', push.call())
      await until(() => expect(service.metrics.push_attempts_delivered.read()).toBe(1))
      push.harness.pass(44_000)
      await service.sweep()
      domainEvents.publish('ringing-stopped', push.stopped(reason))
      await until(() => expect(push.service.received).toHaveLength(2))
      const [first, last] = push.service.received
      expect(push.browser.decrypt(last?.body as Buffer)).toEqual({
        title: 'Ben',
        body,
        type: 'call_ended',
        url: '/calls/1',
      })
      expect(last?.headers).toMatchObject({ ttl, urgency: 'high', topic: first?.headers.topic })
      await push.untilEmpty()
      domainEvents.publish('ringing-stopped', push.stopped(reason, '2'))
      push.harness.pass(DAY_MS)
      await service.sweep()
      expect(await push.harness.db.selectFrom('push_deliveries').selectAll().execute()).toEqual([])
      expect(push.service.received).toHaveLength(2)
    },
  )

  it('PUSH-10 of a missed call is sent to a device that could not be reached while it rang', async () => {
    await push.subscribe(status(503))
    const { domainEvents } = push.harness.start()
    domainEvents.publish('call-ringing', push.call())
    await until(async () => expect(await push.records()).toMatchObject([{ attempts: 1, type: 'call' }]))
    domainEvents.publish('ringing-stopped', push.stopped('missed'))
    await until(async () => expect(await push.records()).toMatchObject([{ attempts: 1, type: 'call_ended' }]))
    expect(push.browser.decrypt(push.service.received.at(-1)?.body as Buffer)).toMatchObject({
      body: 'Missed call',
    })
  })

  it('PUSH-10 of a call that stops ringing at the same moment is not sent', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    domainEvents.publish('call-ringing', push.call())
    domainEvents.publish('ringing-stopped', push.stopped('answered'))
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(push.service.received).toHaveLength(1))
    await push.untilEmpty()
    expect(push.service.received.map(({ body }) => push.browser.decrypt(body))).toMatchObject([
      { type: 'message' },
    ])
  })

  it('PUSH-17 with a TTL of zero there is one attempt', async () => {
    await push.subscribe(status(503))
    const { service, domainEvents } = push.harness.start({}, 0)
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(service.metrics.push_attempts_dropped.read()).toBe(1))
    expect(push.service.received.map(({ headers }) => headers.ttl)).toEqual(['0'])
  })

  it('PUSH-19 and its endpoint, the keys and the content are never logged', async () => {
    await push.subscribe(status(400), 'secret-endpoint')
    await push.harness.subscribe(
      push.browser.subscription(push.anna, push.service.endpoint('secret-gone', status(410))),
    )
    await push.harness.subscribe(nativeSubscription(push.anna, 'secret-token'))
    const { domainEvents } = push.harness.start({
      native: { url: 'http://127.0.0.1:1/secret-url', secret: 'secret-native' },
    })
    domainEvents.publish('message-stored', push.message('secret text'))
    await until(() => expect(push.logged()).toContain('removed'))
    await until(() => expect(push.logged()).toContain('dropped'))
    await until(() => expect(push.logged()).toMatch(/ECONN(REFUSED|RESET)/))
    expect(push.logged()).toContain('"push_service":"http://127.0.0.1:')
    for (const secret of [
      'secret',
      push.browser.keys.auth,
      push.browser.keys.p256dh,
      vapid.privateKey,
      'vapid t=',
    ])
      expect(push.logged()).not.toContain(secret)
  })
})

describe('PUSH-22 a notification that waits', () => {
  /** Until its first attempt has failed, and then until all that is left was tried again. */
  async function retriedAfter(change: (id: number) => unknown) {
    await push.subscribe(status(503))
    const { domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message('My password is rabbit'))
    await until(async () => expect(await push.records()).toMatchObject([{ attempts: 1 }]))
    await change(1)
    push.service.endpoint('anna')
    push.harness.pass(15_000)
    await push.untilEmpty()
    return push.service.received.slice(1).map(({ body }) => push.browser.decrypt(body))
  }
  const changed = (changes: Partial<MessageStored>) => {
    const before = push.harness.messages.get(1) ?? expect.fail()
    push.harness.messages.set(1, { ...before, ...changes })
  }

  it('of a message that could not be read is sent as soon as it can be', async () => {
    await push.subscribe(status(503))
    const { domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message())
    await until(async () => expect(await push.records()).toMatchObject([{ attempts: 1 }]))
    push.service.endpoint('anna')
    push.harness.damaged.add(1)
    push.harness.pass(15_000)
    await until(() => expect(push.harness.lines.join()).toContain('1 is damaged'))
    push.harness.damaged.clear()
    push.harness.pass(2_000)
    await push.untilEmpty()
  })

  it('of a message that was edited says what the message says now', async () => {
    const message = { ...push.message('Never mind').message }
    expect(await retriedAfter(() => changed({ message }))).toMatchObject([{ body: 'Never mind' }])
  })

  it.each([
    ['of a message that was deleted', (id: number) => push.harness.messages.delete(id)],
    ['of a message that was read, or whose recipient has left,', () => changed({ recipients: [] })],
    [
      'of a message whose sender is muted or blocked now',
      () => changed({ recipients: [{ userId: push.anna, isMuted: true }] }),
    ],
    ['to a device that has signed out', () => push.harness.authSessions.revoke(`signin-${push.anna}`, 1)],
    ['to an account that is disabled', () => push.harness.users.update(push.anna, { disabledAt: 1 })],
  ])('%s is not sent', async (_, change) => {
    expect(await retriedAfter(change)).toEqual([])
  })
})
