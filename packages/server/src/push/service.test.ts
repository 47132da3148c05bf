import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startReceiver } from '../delivery/testing/receiver.ts'
import type { MessageStored } from '../domain-events.ts'
import { nativeSubscription, TestBrowser } from './testing/browser.ts'
import { openPushHarness, type PushHarness, until, vapid } from './testing/harness.ts'
import {
  close,
  hang,
  type PushAnswer,
  startPushService,
  status,
  type TestPushService,
} from './testing/push-service.ts'

const DAY_MS = 86_400_000

let harness: PushHarness
let pushService: TestPushService
let browser: TestBrowser
/** Of the recipient. */
let anna: number

beforeEach(async () => {
  harness = await openPushHarness()
  pushService = await startPushService(vapid.publicKey)
  browser = new TestBrowser()
  anna = (await harness.addUser('anna')).id
})
afterEach(() => pushService.close())

const message = (text = 'Are you there?', chatId = 'direct:1-9'): MessageStored => ({
  message: { id: '1', userId: 999_999, displayName: 'Ben', text, sentAtMs: harness.clock() },
  chat: { id: chatId, kind: 'direct', title: '' },
  recipients: [{ userId: anna, isMuted: false }],
})
const call = () => ({
  call: {
    id: '1',
    revision: 1,
    video: true,
    inviter: { userId: 999_999, displayName: 'Ben' },
    ringsUntilMs: harness.clock() + 45_000,
  },
  userIds: [anna],
})
const stopped = (reason: 'answered' | 'declined' | 'missed', id = '1') => ({
  call: { id, revision: 2, inviter: { userId: 999_999, displayName: 'Ben' } },
  people: [{ userId: anna, reason }],
})
const subscribe = (answer?: PushAnswer, name = 'anna') =>
  harness.subscribe(browser.subscription(anna, pushService.endpoint(name, answer)))
const isEmpty = () =>
  until(async () => expect(await harness.deliveries.pending()).toMatchObject({ count: 0 }))
const records = () => harness.deliveries.list(100)
const logged = () => harness.lines.join('')

describe('a web push', () => {
  it('PUSH-11 is encrypted for the browser, signed for the push service, and describes the event', async () => {
    await subscribe()
    const { domainEvents } = harness.start()
    domainEvents.publish('message-stored', message())
    await until(() => expect(pushService.received).toHaveLength(1))
    const [push] = pushService.received
    expect(browser.decrypt(push?.body as Buffer)).toEqual({
      title: 'Ben',
      body: 'Are you there?',
      type: 'message',
      url: '/conversations/direct:1-9',
    })
    expect(push?.headers).toMatchObject({
      ttl: '86400',
      urgency: 'normal',
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(push?.claims).toMatchObject({ sub: 'mailto:admin@example.org' })
    expect(push?.claims.exp).toBeLessThanOrEqual(Date.now() / 1000 + 86_400)
    await isEmpty()
  })

  it('PUSH-10 of a call is urgent and expires when it stops ringing', async () => {
    await subscribe()
    const { domainEvents } = harness.start()
    domainEvents.publish('call-ringing', call())
    await until(() => expect(pushService.received).toHaveLength(1))
    const [push] = pushService.received
    expect(push?.headers).toMatchObject({ ttl: '45', urgency: 'high' })
    expect(browser.decrypt(push?.body as Buffer)).toEqual({
      title: 'Ben',
      body: 'Incoming video call',
      type: 'call',
      url: '/calls/1',
    })
  })

  it('reuses the signature for a push service for hours, then makes another', async () => {
    await subscribe()
    const { domainEvents } = harness.start()
    const tokens = []
    for (const pass of [0, 3_600_000, 6 * 3_600_000]) {
      harness.pass(pass)
      domainEvents.publish('message-stored', message())
      const expected = tokens.length + 1
      await until(() => expect(pushService.received).toHaveLength(expected))
      await isEmpty()
      tokens.push(pushService.received.at(-1)?.headers.authorization)
    }
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  it('PUSH-14 replaces what was not delivered: one topic for each conversation', async () => {
    await subscribe()
    const { domainEvents } = harness.start()
    domainEvents.publish('message-stored', message('1'))
    await until(() => expect(pushService.received).toHaveLength(1))
    await isEmpty()
    for (const text of ['2', '3', '4']) domainEvents.publish('message-stored', message(text))
    domainEvents.publish('message-stored', message('other', 'direct:1-8'))
    await until(() => expect(pushService.received).toHaveLength(2))
    await until(async () => expect(await records()).toHaveLength(1))
    harness.pass(10_000)
    await until(() => expect(pushService.received).toHaveLength(3))
    expect(pushService.received.map(({ body }) => (browser.decrypt(body) as { body: string }).body)).toEqual([
      '1',
      'other',
      '4',
    ])
    const topics = pushService.received.map(({ headers }) => headers.topic)
    expect(topics[0]).toBe(topics[2])
    expect(topics[1]).not.toBe(topics[0])
  })

  it('is sent to an allowed address only, whatever is stored', async () => {
    await subscribe()
    const { domainEvents } = harness.start({ allowInsecure: false })
    domainEvents.publish('message-stored', message())
    await until(() => expect(logged()).toContain('a push was dropped'))
    expect(logged()).toContain('FORBIDDEN_URL')
    expect(pushService.received).toEqual([])
    await isEmpty()
  })
})

describe('the answer of a push service', () => {
  it.each([404, 410])('PUSH-16 %i removes the subscription and what waits for it', async code => {
    await subscribe(status(code))
    await harness.subscribe(browser.subscription(anna, pushService.endpoint('other')))
    const { service, domainEvents } = harness.start()
    domainEvents.publish('message-stored', message())
    await until(async () => expect(await harness.subscriptions.listOf(anna)).toHaveLength(1))
    await isEmpty()
    expect(pushService.pathsReceived().sort()).toEqual(['anna', 'other'])
    expect(service.metrics.push_subscriptions_gone.read()).toBe(1)
  })

  it.each([400, 401, 403, 413, 301])('PUSH-18 %i is logged, and the push is dropped', async code => {
    await subscribe(status(code, { location: 'https://elsewhere.example/' }))
    const { service, domainEvents } = harness.start()
    domainEvents.publish('message-stored', message())
    await until(() => expect(service.metrics.push_attempts_dropped.read()).toBe(1))
    await isEmpty()
    expect(logged()).toContain(`HTTP ${code}`)
    expect(await harness.subscriptions.listOf(anna)).toHaveLength(1)
  })

  it('PUSH-17 429 is repeated after Retry-After, given in seconds or as a date', async () => {
    const until120 = () => new Date(harness.clock() + 120_000).toUTCString()
    for (const [name, header] of [
      ['seconds', '120'],
      ['date', until120()],
    ] as const)
      await harness.subscribe(
        browser.subscription(anna, pushService.endpoint(name, status(429, { 'retry-after': header }))),
      )
    const { domainEvents } = harness.start()
    const begun = harness.clock()
    domainEvents.publish('message-stored', message())
    await until(async () => expect((await records()).map(({ attempts }) => attempts)).toEqual([1, 1]))
    for (const { nextAttemptAtMs, responseStatus } of await records()) {
      expect(responseStatus).toBe(429)
      expect(nextAttemptAtMs - begun).toBeGreaterThan(118_000)
      expect(nextAttemptAtMs - begun).toBeLessThanOrEqual(121_000)
    }
    pushService.endpoint('seconds')
    pushService.endpoint('date')
    harness.pass(121_000)
    await isEmpty()
    expect(pushService.received).toHaveLength(4)
    expect(pushService.received.at(-1)?.headers.ttl).toBe(String(86_400 - 121))
  })

  it.each([
    ['500', status(500), 'HTTP 500'],
    ['503 with a Retry-After that is nonsense', status(503, { 'retry-after': 'soon' }), 'HTTP 503'],
    ['a closed connection', close, 'ECONNRESET'],
  ])('PUSH-17 %s is repeated with increasing delays', async (_, answer, error) => {
    await subscribe(answer)
    const { service, domainEvents } = harness.start()
    domainEvents.publish('message-stored', message())
    const delays: number[] = []
    for (let attempts = 1; attempts <= 9; attempts++) {
      await until(async () => expect(await records()).toMatchObject([{ attempts, error }]))
      const delay = ((await records())[0]?.nextAttemptAtMs ?? 0) - harness.clock()
      delays.push(delay)
      harness.pass(delay)
    }
    expect(delays[0]).toBeGreaterThanOrEqual(5_000)
    expect(delays[0]).toBeLessThanOrEqual(10_000)
    expect(delays[8]).toBeGreaterThanOrEqual(450_000)
    expect(delays[8]).toBeLessThanOrEqual(900_000)
    harness.pass(DAY_MS)
    await isEmpty()
    expect(service.metrics.push_attempts_dropped.read()).toBe(1)
  })

  it('PUSH-17 no answer within the time limit is repeated', async () => {
    await subscribe(hang)
    const { domainEvents } = harness.start({ timeoutMs: 100 })
    domainEvents.publish('message-stored', message())
    await until(async () => expect(await records()).toMatchObject([{ attempts: 1, error: 'TIMEOUT' }]))
  })

  it('PUSH-17 a call is not tried again when it has stopped ringing', async () => {
    await subscribe(status(503, { 'retry-after': '60' }))
    const { service, domainEvents } = harness.start()
    domainEvents.publish('call-ringing', call())
    await until(() => expect(service.metrics.push_attempts_dropped.read()).toBe(1))
    await subscribe(status(503))
    domainEvents.publish('call-ringing', call())
    await until(async () => expect(await records()).toMatchObject([{ attempts: 1, type: 'call' }]))
    domainEvents.publish('ringing-stopped', stopped('answered'))
    await isEmpty()
    expect(pushService.received).toHaveLength(2)
  })

  it.each([
    ['answered', 'Answered on another device', '60'],
    ['declined', 'Declined on another device', '60'],
    ['missed', 'Missed call', '86400'],
  ] as const)(
    'PUSH-10 of a call that was %s takes the place of the one that was delivered',
    async (reason, body, ttl) => {
      await subscribe()
      const { service, domainEvents } = harness.start()
      domainEvents.publish('call-ringing', call())
      await until(() => expect(service.metrics.push_attempts_delivered.read()).toBe(1))
      harness.pass(44_000)
      await service.sweep()
      domainEvents.publish('ringing-stopped', stopped(reason))
      await until(() => expect(pushService.received).toHaveLength(2))
      const [first, last] = pushService.received
      expect(browser.decrypt(last?.body as Buffer)).toEqual({
        title: 'Ben',
        body,
        type: 'call_ended',
        url: '/calls/1',
      })
      expect(last?.headers).toMatchObject({ ttl, urgency: 'high', topic: first?.headers.topic })
      await isEmpty()
      domainEvents.publish('ringing-stopped', stopped(reason, '2'))
      harness.pass(DAY_MS)
      await service.sweep()
      expect(await harness.db.selectFrom('push_deliveries').selectAll().execute()).toEqual([])
      expect(pushService.received).toHaveLength(2)
    },
  )

  it('PUSH-10 of a missed call is sent to a device that could not be reached while it rang', async () => {
    await subscribe(status(503))
    const { domainEvents } = harness.start()
    domainEvents.publish('call-ringing', call())
    await until(async () => expect(await records()).toMatchObject([{ attempts: 1, type: 'call' }]))
    domainEvents.publish('ringing-stopped', stopped('missed'))
    await until(async () => expect(await records()).toMatchObject([{ attempts: 1, type: 'call_ended' }]))
    expect(browser.decrypt(pushService.received.at(-1)?.body as Buffer)).toMatchObject({
      body: 'Missed call',
    })
  })

  it('PUSH-10 of a call that stops ringing at the same moment is not sent', async () => {
    await subscribe()
    const { domainEvents } = harness.start()
    domainEvents.publish('call-ringing', call())
    domainEvents.publish('ringing-stopped', stopped('answered'))
    domainEvents.publish('message-stored', message())
    await until(() => expect(pushService.received).toHaveLength(1))
    await isEmpty()
    expect(pushService.received.map(({ body }) => browser.decrypt(body))).toMatchObject([{ type: 'message' }])
  })

  it('PUSH-17 with a TTL of zero there is one attempt', async () => {
    await subscribe(status(503))
    const { service, domainEvents } = harness.start({}, 0)
    domainEvents.publish('message-stored', message())
    await until(() => expect(service.metrics.push_attempts_dropped.read()).toBe(1))
    expect(pushService.received.map(({ headers }) => headers.ttl)).toEqual(['0'])
  })

  it('PUSH-19 and its endpoint, the keys and the content are never logged', async () => {
    await subscribe(status(400), 'secret-endpoint')
    await harness.subscribe(browser.subscription(anna, pushService.endpoint('secret-gone', status(410))))
    await harness.subscribe(nativeSubscription(anna, 'secret-token'))
    const { domainEvents } = harness.start({
      native: { url: 'http://127.0.0.1:1/secret-url', secret: 'secret-native' },
    })
    domainEvents.publish('message-stored', message('secret text'))
    await until(() => expect(logged()).toContain('removed'))
    await until(() => expect(logged()).toContain('dropped'))
    await until(() => expect(logged()).toContain('ECONNREFUSED'))
    expect(logged()).toContain('"push_service":"http://127.0.0.1:')
    for (const secret of ['secret', browser.keys.auth, browser.keys.p256dh, vapid.privateKey, 'vapid t='])
      expect(logged()).not.toContain(secret)
  })
})

describe('the outbox of pushes', () => {
  /** Stores a message as messaging does. */
  const store = async (text: string) => {
    const row = { chat_id: 'direct:1-9', user_id: 999_999, command_id: text, display_name: 'Ben', text }
    const { id } = await harness.db
      .insertInto('chat_messages')
      .values({ ...row, sent_at_ms: harness.clock() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await harness.db.insertInto('push_outbox').values({ message_id: id }).execute()
    const event = message(text)
    const stored = { ...event, message: { ...event.message, id: String(id) } }
    harness.messages.set(id, stored)
    return stored
  }
  const texts = () => pushService.received.map(({ body }) => (browser.decrypt(body) as { body: string }).body)
  const left = () => harness.outbox.list(harness.clock() + DAY_MS, 10)

  it('notifies of a message whose process died before, 5 s later and once', async () => {
    await subscribe()
    await store('lost')
    const { service } = harness.start()
    await service.tick()
    expect(await left()).toHaveLength(1) // its process may still be at it
    harness.pass(5_001)
    await service.tick()
    await until(() => expect(texts()).toEqual(['lost']))
    await isEmpty()
    await service.tick()
    expect([texts(), await left()]).toEqual([['lost'], []])
  })

  it('removes entries that were notified in time or are obsolete', async () => {
    await subscribe()
    const { service, domainEvents } = harness.start()
    domainEvents.publish('message-stored', await store('in time'))
    await until(() => expect(texts()).toEqual(['in time']))
    const gone = await store('deleted')
    harness.messages.delete(Number(gone.message.id))
    await harness.db.insertInto('push_outbox').values({ message_id: 4711 }).execute() // a removed conversation
    harness.pass(5_001)
    await service.tick()
    expect(await left()).toEqual([])
    await store('too old')
    harness.pass(DAY_MS)
    await service.tick()
    expect([texts(), await left()]).toEqual([['in time'], []])
  })

  it('gives an entry up that fails six times, and delays no other one', async () => {
    await subscribe()
    const { service } = harness.start()
    const damaged = await store('damaged')
    await store('sound')
    harness.damaged.add(Number(damaged.message.id))
    harness.pass(5_001)
    await service.tick()
    await until(() => expect(texts()).toEqual(['sound']))
    expect((await left()).map(({ messageId }) => messageId)).toEqual([Number(damaged.message.id)])
    for (const seconds of [5, 30, 120, 600]) {
      harness.pass(seconds * 1000)
      await service.tick()
      await service.tick() // not before its time
    }
    expect(await left()).toHaveLength(1)
    harness.pass(3_600_000)
    await service.tick()
    expect(await left()).toEqual([])
    expect(logged().match(/"given_up":(true|false)/g)).toEqual([
      ...Array(5).fill('"given_up":false'),
      '"given_up":true',
    ])
  })

  it('notifies of a message that can be read again', async () => {
    await subscribe()
    const { service } = harness.start()
    const repaired = await store('repaired')
    harness.damaged.add(Number(repaired.message.id))
    harness.pass(5_001)
    await service.tick()
    harness.damaged.clear()
    harness.pass(5_000)
    await service.tick()
    await until(() => expect(texts()).toEqual(['repaired']))
    expect(await left()).toEqual([])
  })

  it('keeps a message whose notifications could not be stored', async () => {
    await subscribe()
    const { service, domainEvents } = harness.start()
    await harness.db.schema.alterTable('push_deliveries').renameTo('away').execute()
    domainEvents.publish('message-stored', await store('later'))
    await until(() => expect(logged()).toContain('a handler of a domain event failed'))
    await harness.db.schema.alterTable('away').renameTo('push_deliveries').execute()
    harness.pass(5_001)
    await service.tick()
    await until(() => expect(texts()).toEqual(['later']))
  })
})

describe('the queue of pushes', () => {
  it('delivers to healthy endpoints at once while others hang', async () => {
    for (let number = 0; number < 19; number++)
      await harness.subscribe(browser.subscription(anna, pushService.endpoint(`hanging-${number}`, hang)))
    const ben = (await harness.addUser('ben')).id
    for (const [id, name] of [
      [anna, 'of-anna'],
      [ben, 'of-ben'],
    ] as const)
      await harness.subscribe(browser.subscription(id, pushService.endpoint(name)))
    const { domainEvents } = harness.start()
    const begun = performance.now()
    const recipients = [anna, ben].map(userId => ({ userId, isMuted: false }))
    domainEvents.publish('message-stored', { ...message(), recipients })
    await until(() =>
      expect(pushService.pathsReceived()).toEqual(expect.arrayContaining(['of-anna', 'of-ben'])),
    )
    expect(performance.now() - begun).toBeLessThan(8_000) // the others time out after 10 s
    await until(async () => expect(await records()).toHaveLength(19))
  })

  it('resends the deliveries of a dead process when its lease has expired', async () => {
    await subscribe()
    const expiresAtMs = harness.clock() + DAY_MS
    const payload = { title: 'Ben', body: 'Hi', type: 'message', url: '/' } as const
    const [{ endpoint } = expect.fail()] = await harness.subscriptions.listOf(anna)
    const push = { clientId: anna, endpoint, topic: 'chat:1', expiresAtMs, payload }
    const limits = { nowMs: harness.clock(), maxPerAccount: 9 }
    await harness.deliveries.add([push], limits)
    const [{ id } = expect.fail()] = await records()
    await harness.deliveries.lease(
      [id],
      { token: 'gone', untilMs: harness.clock() + 20_000 },
      harness.clock(),
    )
    const { id: ben } = await harness.addUser('ben')
    const other = browser.subscription(ben, pushService.endpoint('of-ben'))
    await harness.subscribe(other)
    harness.start()
    // Each is sent by a later poll than the one before: the queue has passed over the leased one.
    for (const topic of ['chat:2', 'chat:3']) {
      await harness.deliveries.add([{ ...push, clientId: ben, endpoint: other.endpoint, topic }], limits)
      await until(async () => expect(await records()).toHaveLength(1))
    }
    expect(pushService.pathsReceived()).toEqual(['of-ben', 'of-ben'])
    harness.pass(20_000)
    await isEmpty()
    expect(pushService.pathsReceived()).toEqual(['of-ben', 'of-ben', 'anna'])
  })

  it('shares the work of two processes, sending each once', async () => {
    const users = [anna]
    for (let number = 0; number < 30; number++) users.push((await harness.addUser(`user-${number}`)).id)
    for (const id of users)
      await harness.subscribe(browser.subscription(id, pushService.endpoint(`of-${id}`)))
    const [{ domainEvents } = expect.fail()] = [harness.start(), harness.start()]
    domainEvents.publish('message-stored', {
      ...message(),
      recipients: users.map(userId => ({ userId, isMuted: false })),
    })
    await until(() => expect(pushService.received).toHaveLength(users.length))
    await isEmpty()
    expect(new Set(pushService.pathsReceived()).size).toBe(users.length)
  })

  it('drops deliveries that expired while the server was down', async () => {
    await subscribe()
    const { domainEvents, service } = harness.start()
    await service.stop()
    domainEvents.publish('call-ringing', call())
    await until(async () => expect(await records()).toHaveLength(1))
    harness.pass(120_000)
    harness.start()
    await isEmpty()
    expect(pushService.received).toEqual([])
  })
})

describe('the outbox of calls', () => {
  type Now = Parameters<typeof harness.calls.set>[1]
  /** Stores a change of a call as calls do. */
  const store = async (revision: number, now: Omit<Now, 'call'>) => {
    await harness.db.insertInto('push_call_outbox').values({ call_id: 1, revision }).execute()
    harness.calls.set(1, { call: call().call, ...now })
  }
  const ringing = () => ({ ringing: [anna], stopped: [] })
  const over = (reason: 'answered' | 'missed') => ({ ringing: [], stopped: [{ userId: anna, reason }] })
  const bodies = () =>
    pushService.received.map(({ body }) => (browser.decrypt(body) as { body: string }).body)
  const left = () => harness.callOutbox.list(10)
  /** Lets so much time pass that the changes are known to be abandoned. */
  const recover = async ({ service }: ReturnType<typeof harness.start>) => {
    await service.tick()
    harness.pass(5_000)
    await service.tick()
  }

  it('notifies of a call whose process died before, 5 s later and once', async () => {
    await subscribe()
    await store(1, ringing())
    const started = harness.start()
    await started.service.tick()
    expect(await left()).toHaveLength(1) // its process may still be at it
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
    await isEmpty()
    await recover(started)
    expect([bodies().length, await left()]).toEqual([1, []])
  })

  it('reports a call as missed if its ringing was not reported', async () => {
    await subscribe()
    await store(1, over('missed'))
    await store(2, over('missed'))
    harness.pass(60_000)
    await recover(harness.start())
    await until(() => expect(bodies()).toEqual(['Missed call']))
    await isEmpty()
    expect(await left()).toEqual([])
  })

  it('sends nothing for an answered call, and replaces delivered notifications', async () => {
    await subscribe()
    await store(1, over('answered'))
    const started = harness.start()
    await recover(started)
    expect([await records(), await left()]).toEqual([[], []])
    started.domainEvents.publish('call-ringing', call())
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
    await store(2, over('answered'))
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call', 'Answered on another device']))
  })

  it('removes entries that were notified in time, are too old, or belong to removed calls', async () => {
    await subscribe()
    const started = harness.start()
    await store(1, ringing())
    started.domainEvents.publish('call-ringing', call())
    await until(() => expect(bodies()).toHaveLength(1))
    await started.service.tick()
    expect(await left()).toEqual([])
    await store(2, over('missed'))
    harness.pass(2 * DAY_MS)
    await recover(started)
    await harness.db.insertInto('push_call_outbox').values({ call_id: 4711, revision: 1 }).execute()
    await recover(started)
    expect([bodies().length, await left()]).toEqual([1, []])
  })

  it('notifies of other calls while nothing can be said of one', async () => {
    await subscribe()
    const started = harness.start()
    await harness.db.insertInto('push_call_outbox').values({ call_id: 0, revision: 1 }).execute()
    harness.damaged.add(0)
    await store(1, ringing())
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
    expect(await left()).toEqual([{ callId: 0, revision: 1 }])
    for (const seconds of [5, 30, 120, 600, 3_600]) {
      harness.pass(seconds * 1000)
      await started.service.tick()
    }
    expect(await left()).toEqual([])
  })

  it('keeps a call whose notification could not be stored', async () => {
    await subscribe()
    await store(1, ringing())
    const started = harness.start()
    await harness.db.schema.alterTable('push_deliveries').renameTo('away').execute()
    started.domainEvents.publish('call-ringing', call())
    await until(() => expect(logged()).toContain('a handler of a domain event failed'))
    await harness.db.schema.alterTable('away').renameTo('push_deliveries').execute()
    await recover(started)
    await until(() => expect(bodies()).toEqual(['Incoming video call']))
  })
})

describe('the sender for native apps', () => {
  const secret = 'a secret of the native sender, long enough'

  it('gets a signed POST for each notification, and its answers count', async () => {
    const receiver = await startReceiver()
    await harness.subscribe(nativeSubscription(anna, 'registration-token'))
    const { domainEvents } = harness.start({
      vapid: null,
      native: { url: receiver.url, secret },
      allowInsecure: false,
    })
    domainEvents.publish('message-stored', message())
    await until(() => expect(receiver.received).toHaveLength(1))
    const { headers, body } = receiver.received[0] ?? expect.fail()
    const timestamp = headers['x-service-timestamp']
    expect(headers).toMatchObject({
      'x-service-event': 'push.notification',
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    })
    expect(JSON.parse(body)).toEqual({
      id: headers['x-service-delivery'],
      type: 'push.notification',
      created_at: new Date(harness.clock()).toISOString(),
      data: {
        client_id: anna,
        token: 'registration-token',
        platform: 'android',
        topic: 'chat:direct:1-9',
        urgency: 'normal',
        expires_at: new Date(harness.clock() + DAY_MS).toISOString(),
        notification: {
          title: 'Ben',
          body: 'Are you there?',
          type: 'message',
          url: '/conversations/direct:1-9',
        },
      },
    })
    await isEmpty()
    receiver.answer = response => response.writeHead(410).end()
    domainEvents.publish('call-ringing', call())
    await until(async () => expect(await harness.subscriptions.listOf(anna)).toEqual([]))
    await receiver.close()
  })

  it('is optional: without it nothing is stored for native apps', async () => {
    await harness.subscribe(nativeSubscription(anna, 'registration-token'))
    await subscribe()
    const { domainEvents } = harness.start()
    domainEvents.publish('message-stored', message())
    await until(() => expect(pushService.received).toHaveLength(1))
    await isEmpty()
    expect(await harness.subscriptions.listOf(anna)).toHaveLength(2)
  })
})
