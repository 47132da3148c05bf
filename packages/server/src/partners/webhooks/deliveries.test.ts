import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, status } from '../../platform/delivery/testing/receiver.ts'
import { createLog } from '../../platform/log.ts'
import { Deliveries } from './deliveries.ts'
import { openPartners, START, type TestPartners, transcript } from './testing/partners.ts'

let partners: TestPartners
let receiver: Receiver
let deliveries: Deliveries
beforeEach(async () => {
  partners = await openPartners()
  receiver = await startReceiver()
  const { rooms, webhooks, deliveries: store, clock } = partners
  deliveries = new Deliveries({
    rooms,
    webhooks,
    deliveries: store,
    allowInsecure: true,
    clock,
    log: createLog('silent'),
  })
})
afterEach(async () => {
  await deliveries.stop()
  await receiver.close()
  await partners.close()
})

const emit = (tag = 'room-1', subject = 'transcription:job-1') =>
  deliveries.emit(tag, { event: 'transcription.ready', subject, data: transcript() })
const stored = async () =>
  (await partners.deliveries.list({ limit: 100 })).map(({ serviceAccount }) => serviceAccount).sort()

describe('an event', () => {
  it('reaches the receiver in the shape of docs/webhooks.md#events', async () => {
    await partners.add('school', 1, { url: receiver.url })
    deliveries.start()
    await emit()
    await expect.poll(() => receiver.received).toHaveLength(1)
    const { headers, body } = receiver.received[0] ?? expect.fail()
    const event = JSON.parse(body)
    expect(event).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
      type: 'transcription.ready',
      created_at: new Date(START).toISOString(),
      data: { room: { external_id: 'lesson-1', tag: 'room-1' }, ...transcript() },
    })
    expect(event.created_at).toMatch(/Z$/)
    expect(headers['x-service-delivery']).toBe(event.id)
  })

  it('is delivered to every subscribed service account of the owner, each with its own id (EVENT-4)', async () => {
    const { url } = receiver
    await partners.add('one', 1, { url })
    await partners.add('two', 1, { url })
    await partners.add('unsubscribed', 1, { url, events: ['recording.ready'] })
    await partners.add('off', 1, { url, enabled: false })
    await partners.add('locked', 1, { url })
    await partners.serviceAccounts.update('locked', { enabled: false })
    await partners.add('foreign', 2, { url })
    await emit()
    expect(await stored()).toEqual(['one', 'two'])
    expect(new Set((await partners.deliveries.list({ limit: 9 })).map(({ id }) => id)).size).toBe(2)
  })

  it('is stored once, however often it is emitted', async () => {
    await partners.add('school', 1, { url: receiver.url })
    await Promise.all([emit(), emit(), emit()])
    partners.pass(60_000)
    await emit()
    expect(await stored()).toEqual(['school'])
    await emit('room-1', 'transcription:job-2')
    expect(await stored()).toEqual(['school', 'school'])
  })

  it('of an ordinary conference is not delivered', async () => {
    await partners.add('school', 1, { url: receiver.url })
    await emit('another')
    expect(await stored()).toEqual([])
  })
})

describe('the metrics', () => {
  const metric = (name: keyof Deliveries['metrics']) => deliveries.metrics[name].read()

  it('report pending deliveries, their age and the results of attempts', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = status(503)
    deliveries.start()
    await emit()
    partners.pass(5_000)
    await expect.poll(() => metric('webhook_deliveries_pending')).toBe(1)
    expect(metric('webhook_attempts_retried')).toBe(1)
    expect(metric('webhook_oldest_pending_seconds')).toBe(5)
    receiver.answer = status(204)
    partners.pass(10_000)
    await expect.poll(() => metric('webhook_attempts_delivered')).toBe(1)
    await expect.poll(() => metric('webhook_deliveries_pending')).toBe(0)
    expect(metric('webhook_oldest_pending_seconds')).toBe(0)
  })
})
