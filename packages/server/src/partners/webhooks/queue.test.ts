import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConcurrencyLimiter, type ConcurrencyLimits } from '../../platform/delivery/concurrency-limiter.ts'
import { DeliveryQueue } from '../../platform/delivery/queue.ts'
import { hang, type Receiver, startReceiver, status } from '../../platform/delivery/testing/receiver.ts'
import { createLog } from '../../platform/log.ts'
import type { Delivery } from '../ports.ts'
import { webhookAttempts } from './attempt.ts'
import { DeliveryMetrics } from './delivery-metrics.ts'
import { createSend } from './send.ts'
import { openPartners, START, type TestPartners } from './testing/partners.ts'

let partners: TestPartners
let receiver: Receiver
let queues: DeliveryQueue<Delivery>[] = []
let log: string[] = []

beforeEach(async () => {
  partners = await openPartners()
  receiver = await startReceiver()
  log = []
})
afterEach(async () => {
  await receiver.close() // ends what still hangs
  await Promise.all(queues.map(queue => queue.stop()))
  queues = []
  await partners.close()
})

function startQueue(limits?: ConcurrencyLimits, setBackMs = 0) {
  const { deliveries: store, webhooks, clock } = partners
  const lines = createLog('trace', { write: line => log.push(line) })
  const send = createSend({ allowInsecure: true, clock })
  const metrics = new DeliveryMetrics(store, clock)
  const queue = new DeliveryQueue({
    kind: 'webhook',
    store,
    attempt: webhookAttempts({ store, webhooks, send, metrics, clock, log: lines }),
    clock,
    log: lines,
    limiter: new ConcurrencyLimiter(limits),
    setBackMs,
  })
  queues.push(queue)
  queue.start()
  return queue
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 5 })
const isNow = (id: string, expected: object) =>
  until(async () => expect(await partners.deliveries.find(id)).toMatchObject(expected))
/** Wakes the queue and resolves after two polls: deliveries of the first poll are then being sent. */
async function wakeAndPoll(queue: DeliveryQueue<Delivery>) {
  const due = vi.spyOn(partners.deliveries, 'due')
  for (let polls = 1; polls <= 2; polls++) {
    queue.wake()
    await until(() => expect(due.mock.settledResults.length).toBeGreaterThanOrEqual(polls))
  }
  due.mockRestore()
}

const idsAt = ({ received }: Receiver) => received.map(({ headers }) => headers['x-service-delivery'])

describe('the queue', () => {
  it('sends a failing delivery six times, the same bytes at the times of rule RETRY-3 (SIGNATURE-3)', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = status(503)
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    for (const [index, delay] of [0, 10, 30, 120, 600, 1800].entries()) {
      if (delay > 0) {
        partners.pass(delay * 1000 - 1)
        await wakeAndPoll(queue)
        expect(receiver.received).toHaveLength(index)
        partners.pass(1)
      }
      queue.wake()
      await isNow('wh_1', { attempts: index + 1, responseStatus: 503, error: 'HTTP 503' })
    }
    expect(await partners.deliveries.find('wh_1')).toMatchObject({ status: 'failed', nextAttemptAtMs: null })
    const stamps = receiver.received.map(
      ({ headers }) => Number(headers['x-service-timestamp']) - START / 1000,
    )
    expect(stamps).toEqual([0, 10, 40, 160, 760, 2560])
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-signature'])).size).toBe(6)
  })

  it('keeps the history of attempts, with the responses and without secrets', async () => {
    await partners.add('school', 1, { url: `${receiver.url}?key=hidden`, secret: 'a secret of some length' })
    receiver.answer = (response, { headers, body, path }) => {
      const said = `try later: ${path} ${headers['x-service-signature']} ${body} a secret of some length`
      response.writeHead(503).end(said)
    }
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { attempts: 1 })
    const first = {
      startedAtMs: START,
      responseStatus: 503,
      error: 'HTTP 503',
      durationMs: expect.any(Number),
    }
    expect(await partners.deliveries.attemptsOf('wh_1')).toEqual([
      { ...first, excerpt: 'try later: *** {"id":"wh_1"} ***' },
    ])
    await receiver.close()
    partners.pass(10_000)
    queue.wake()
    await isNow('wh_1', { attempts: 2 })
    expect(await partners.deliveries.attemptsOf('wh_1')).toMatchObject([
      {
        startedAtMs: START + 10_000,
        responseStatus: null,
        error: expect.stringMatching(/^ECONN(REFUSED|RESET)$/),
        excerpt: null,
      },
      { startedAtMs: START },
    ])
  })

  it('waits no longer after the clock was set back', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = status(503)
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { attempts: 1, nextAttemptAtMs: START + 10_000 })
    await wakeAndPoll(queue)
    partners.pass(-3_600_000)
    await wakeAndPoll(queue)
    partners.pass(9_999)
    await wakeAndPoll(queue)
    expect(receiver.received).toHaveLength(1)
    partners.pass(1)
    queue.wake()
    await isNow('wh_1', { attempts: 2 })
  })

  it('waits no longer after the clock was set back while no server ran', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = status(503)
    const before = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { attempts: 1, nextAttemptAtMs: START + 10_000 })
    await before.stop()
    partners.pass(-3_600_000)
    startQueue(undefined, 3_600_000)
    await isNow('wh_1', { attempts: 1, nextAttemptAtMs: START + 10_000 - 3_600_000 })
    partners.pass(10_000)
    await isNow('wh_1', { attempts: 2 })
  })

  it('gives a delivery back whose webhook cannot be read', async () => {
    await partners.add('school', 1, { url: receiver.url })
    const active = vi.spyOn(partners.webhooks, 'active').mockRejectedValueOnce(new Error('disk I/O error'))
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await until(() => expect(log.join()).toContain('disk I/O error'))
    active.mockRestore()
    await isNow('wh_1', { attempts: 0, nextAttemptAtMs: START + 2_000 })
    partners.pass(2_000)
    queue.wake()
    await isNow('wh_1', { status: 'delivered', attempts: 1 })
  })

  it('stops at the first success, and meanwhile sends later events (RETRY-1, EVENT-3)', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = status(500)
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { attempts: 1 })
    receiver.answer = status(204)
    await partners.addDelivery('school', 'wh_2')
    queue.wake()
    await isNow('wh_2', { status: 'delivered', attempts: 1 })
    partners.pass(10_000)
    queue.wake()
    await isNow('wh_1', { status: 'delivered', attempts: 2, responseStatus: 204, error: null })
    expect(idsAt(receiver)).toEqual(['wh_1', 'wh_2', 'wh_1'])
  })

  it('uses the current url and secret for a retry (RETRY-5)', async () => {
    await partners.add('school', 1, { url: 'http://127.0.0.1:1/' })
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { attempts: 1, error: expect.stringMatching(/ECONN(REFUSED|RESET)/) })
    const [webhook] = await partners.webhooks.active({ serviceAccount: 'school' })
    const secret = 'another secret of some length'
    if (webhook) await partners.webhooks.save({ ...webhook, url: receiver.url, secret }, 2)
    partners.pass(10_000)
    queue.wake()
    await isNow('wh_1', { status: 'delivered', attempts: 2 })
    const { body = '', headers = {} } = receiver.received[0] ?? {}
    const signed = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${body}`)
    expect(headers['x-service-signature']).toBe(`sha256=${signed.digest('hex')}`)
  })

  it('detects within a second that the command line made a delivery due', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = status(400)
    startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { status: 'failed' })
    receiver.answer = status(200)
    await partners.deliveries.replay('wh_1', partners.clock())
    await isNow('wh_1', { status: 'delivered', attempts: 1 })
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  })

  it('cancels pending deliveries when the webhook or the account is disabled (RETRY-7)', async () => {
    await partners.add('school', 1, { url: receiver.url })
    await partners.add('clinic', 2, { url: receiver.url })
    receiver.answer = status(503)
    const queue = startQueue()
    for (const name of ['school', 'clinic']) await partners.addDelivery(name, `wh_${name}`)
    for (const name of ['school', 'clinic']) await isNow(`wh_${name}`, { attempts: 1 })
    const [webhook] = await partners.webhooks.active({ serviceAccount: 'school' })
    if (webhook) await partners.webhooks.save({ ...webhook, enabled: false }, 2)
    expect(await partners.deliveries.find('wh_school')).toMatchObject({ status: 'cancelled' })
    await partners.serviceAccounts.update('clinic', { enabled: false })
    await partners.addDelivery('school', 'wh_late') // made just as it was switched off
    partners.pass(1e7)
    queue.wake()
    for (const id of ['wh_clinic', 'wh_late']) await isNow(id, { status: 'cancelled' })
    expect(receiver.received).toHaveLength(2)
  })

  it('resends deliveries of a dead process with the same id (RETRY-8)', async () => {
    await partners.add('school', 1, { url: receiver.url })
    await partners.addDelivery('school', 'wh_1')
    await partners.deliveries.lease(['wh_1'], { token: 'gone', untilMs: START + 20_000 }, START)
    const queue = startQueue()
    await wakeAndPoll(queue)
    expect(receiver.received).toEqual([])
    partners.pass(20_000)
    queue.wake()
    await isNow('wh_1', { status: 'delivered', attempts: 1 })
    expect(idsAt(receiver)).toEqual(['wh_1'])
  })

  it('never sends a delivery twice concurrently, even if the clock jumps beyond the lease', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = hang
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await until(() => expect(receiver.received).toHaveLength(1))
    partners.pass(3_600_000)
    await wakeAndPoll(queue)
    expect(receiver.received).toHaveLength(1)
  })

  it('shares the work of two processes, sending each delivery once', async () => {
    await partners.add('school', 1, { url: receiver.url })
    for (let number = 0; number < 40; number++) await partners.addDelivery('school', `wh_${number}`)
    startQueue()
    startQueue()
    await until(async () => expect(await partners.deliveries.pending()).toMatchObject({ count: 0 }))
    expect(new Set(idsAt(receiver)).size).toBe(40)
    expect(receiver.received).toHaveLength(40)
  })

  it('delivers to a fast receiver while others hang, within the limits per receiver (RETRY-6)', async () => {
    const hanging = await Promise.all([startReceiver(hang), startReceiver(hang)])
    await partners.add('school', 1, { url: receiver.url })
    for (const [index, { url }] of hanging.entries()) await partners.add(`stuck-${index}`, index + 2, { url })
    const made = Array.from({ length: 200 }, (_, number) => [
      ...[0, 1].map(index => partners.addDelivery(`stuck-${index}`, `wh_stuck_${index}_${number}`)),
      partners.addDelivery('school', `wh_${number}`),
    ])
    await Promise.all(made.flat())
    startQueue({ total: 12, perTarget: 4 })
    await expect.poll(() => receiver.received).toHaveLength(200)
    // The last answer is stored a little later.
    await until(async () => expect((await partners.deliveries.pending()).count).toBe(400))
    expect(hanging.map(({ peak }) => peak)).toEqual([4, 4])
    expect(receiver.peak).toBeLessThanOrEqual(4)
    await Promise.all(hanging.map(each => each.close()))
  })

  it('finishes attempts in flight when it stops', async () => {
    await partners.add('school', 1, { url: receiver.url })
    let answer = () => {}
    receiver.answer = response => {
      answer = () => response.writeHead(204).end()
    }
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await until(() => expect(receiver.received).toHaveLength(1))
    const stopped = queue.stop()
    answer()
    await stopped
    expect(await partners.deliveries.find('wh_1')).toMatchObject({ status: 'delivered' })
    await partners.addDelivery('school', 'wh_2')
    const due = vi.spyOn(partners.deliveries, 'due')
    queue.wake()
    expect(due).not.toHaveBeenCalled()
    expect(receiver.received).toHaveLength(1)
  })

  it('aborts slow attempts when it stops; the next start resends them', async () => {
    await partners.add('school', 1, { url: receiver.url })
    receiver.answer = hang
    const queue = startQueue()
    await partners.addDelivery('school', 'wh_1')
    await until(() => expect(receiver.received).toHaveLength(1))
    await queue.stop() // an attempt that ends by itself counts
    expect(await partners.deliveries.find('wh_1')).toMatchObject({ status: 'pending', attempts: 0 })
    receiver.answer = status(204)
    startQueue()
    await isNow('wh_1', { status: 'delivered', attempts: 1 })
  })

  it('logs no secret, no url and no content of an event', async () => {
    await partners.add('school', 1, {
      url: `${receiver.url}?key=of-the-url`,
      secret: 'secret-of-the-webhook',
    })
    receiver.answer = status(400)
    startQueue()
    await partners.addDelivery('school', 'wh_1')
    await isNow('wh_1', { status: 'failed' })
    await until(() => expect(log.join('')).toContain('failed for good'))
    expect(log.join('')).toContain('"delivery":"wh_1"')
    for (const secret of ['of-the-url', 'secret-of', '127.0.0.1', '/hook', 'sha256', '{\\"id'])
      expect(log.join('')).not.toContain(secret)
  })
})
