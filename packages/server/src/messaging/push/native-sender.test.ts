import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startReceiver } from '../../platform/delivery/testing/receiver.ts'
import { nativeSubscription } from './testing/browser.ts'
import { DAY_MS, until } from './testing/harness.ts'
import { usePush } from './testing/use-push.ts'

const push = usePush()

describe('the sender for native apps', () => {
  const secret = 'a secret of the native sender, long enough'

  it('gets a signed POST for each notification, and its answers count', async () => {
    const receiver = await startReceiver()
    await push.harness.subscribe(nativeSubscription(push.anna, 'registration-token'))
    const { domainEvents } = push.harness.start({
      vapid: null,
      native: { url: receiver.url, secret },
      allowInsecure: false,
    })
    domainEvents.publish('message-stored', push.message())
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
      created_at: new Date(push.harness.clock()).toISOString(),
      data: {
        client_id: push.anna,
        token: 'registration-token',
        platform: 'android',
        topic: 'chat:direct:1-9',
        urgency: 'normal',
        expires_at: new Date(push.harness.clock() + DAY_MS).toISOString(),
        notification: {
          title: 'Ben',
          body: 'Are you there?',
          type: 'message',
          url: '/conversations/direct:1-9',
          message_id: '1',
        },
      },
    })
    await push.untilEmpty()
    receiver.answer = response => response.writeHead(410).end()
    domainEvents.publish('call-ringing', push.call())
    await until(async () => expect(await push.harness.subscriptions.listOf(push.anna)).toEqual([]))
    await receiver.close()
  })

  it('is optional: without it nothing is stored for native apps', async () => {
    await push.harness.subscribe(nativeSubscription(push.anna, 'registration-token'))
    await push.subscribe()
    const { domainEvents } = push.harness.start()
    domainEvents.publish('message-stored', push.message())
    await until(() => expect(push.service.received).toHaveLength(1))
    await push.untilEmpty()
    expect(await push.harness.subscriptions.listOf(push.anna)).toHaveLength(2)
  })
})
