import { describe, expect, it } from 'vitest'
import { until } from './testing/harness.ts'
import { usePush } from './testing/use-push.ts'

const push = usePush()

describe('a web push', () => {
  it('PUSH-11 is encrypted for the browser, signed for the push service, and describes the event', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(push.service.received).toHaveLength(1))
    const [sent] = push.service.received
    expect(push.browser.decrypt(sent?.body as Buffer)).toEqual({
      title: 'Ben',
      body: 'Are you there?',
      type: 'message',
      url: '/conversations/direct:1-9',
      message_id: '1',
    })
    expect(sent?.headers).toMatchObject({
      ttl: '86400',
      urgency: 'normal',
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(sent?.claims).toMatchObject({ sub: 'mailto:admin@example.org' })
    expect(sent?.claims.exp).toBeLessThanOrEqual(Date.now() / 1000 + 86_400)
    await push.untilEmpty()
  })

  it('PUSH-10 of a call is urgent, and says that it was missed when it arrives after the ringing', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    domainEvents.publish('call-ringing', push.call())
    await until(() => expect(push.service.received).toHaveLength(1))
    const [sent] = push.service.received
    expect(sent?.headers).toMatchObject({ ttl: '86400', urgency: 'high' })
    expect(push.browser.decrypt(sent?.body as Buffer)).toEqual({
      title: 'Ben',
      body: 'Incoming video call',
      type: 'call',
      url: '/calls/1',
      late: { after_ms: push.call().call.ringsUntilMs, body: 'Missed call' },
    })
  })

  it('reuses the signature for a push service for hours, then makes another', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    const tokens = []
    for (const pass of [0, 3_600_000, 6 * 3_600_000]) {
      push.harness.pass(pass)
      domainEvents.publish('message-stored', push.message())
      const expected = tokens.length + 1
      await until(() => expect(push.service.received).toHaveLength(expected))
      await push.untilEmpty()
      tokens.push(push.service.received.at(-1)?.headers.authorization)
    }
    expect(tokens[1]).toBe(tokens[0])
    expect(tokens[2]).not.toBe(tokens[0])
  })

  it('makes another signature when the clock was set back: the former one would expire too late', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    push.harness.pass(10 * 3_600_000)
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(push.service.received).toHaveLength(1))
    push.harness.pass(-10 * 3_600_000)
    domainEvents.publish('message-stored', push.message('other', 'direct:1-8', '2'))
    await until(() => expect(push.service.received).toHaveLength(2))
    expect(push.service.received[1]?.claims.exp).toBeLessThanOrEqual(push.harness.clock() / 1000 + 43_200)
  })

  it('PUSH-14 replaces what was not delivered: one topic for each conversation', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message('1'))
    await until(() => expect(push.service.received).toHaveLength(1))
    await push.untilEmpty()
    for (const text of ['2', '3', '4']) domainEvents.publish('message-stored', push.message(text))
    domainEvents.publish('message-stored', push.message('other', 'direct:1-8', '2'))
    await until(() => expect(push.service.received).toHaveLength(2))
    await until(async () => expect(await push.records()).toHaveLength(1))
    push.harness.pass(10_000)
    await until(() => expect(push.service.received).toHaveLength(3))
    expect(
      push.service.received.map(({ body }) => (push.browser.decrypt(body) as { body: string }).body),
    ).toEqual(['1', 'other', '4'])
    const topics = push.service.received.map(({ headers }) => headers.topic)
    expect(topics[0]).toBe(topics[2])
    expect(topics[1]).not.toBe(topics[0])
  })

  it('is sent to an allowed address only, whatever is stored', async () => {
    await push.subscribe()
    const { domainEvents } = push.harness.start({ allowInsecure: false })
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(push.logged()).toContain('a push was dropped'))
    expect(push.logged()).toContain('FORBIDDEN_URL')
    expect(push.service.received).toEqual([])
    await push.untilEmpty()
  })
})
