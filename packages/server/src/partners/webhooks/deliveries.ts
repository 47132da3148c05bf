import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { PartnerEvent } from '../../hooks.ts'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import { ConcurrencyLimiter } from '../../platform/delivery/concurrency-limiter.ts'
import { DeliveryQueue } from '../../platform/delivery/queue.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import type { Delivery, NewDelivery } from '../ports.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'
import type { RoomStore } from '../stores/rooms.ts'
import type { WebhookStore } from '../stores/webhooks.ts'
import { webhookAttempts } from './attempt.ts'
import { DeliveryMetrics } from './delivery-metrics.ts'
import { createSend } from './send.ts'

export interface DeliveriesParts {
  rooms: RoomStore
  webhooks: WebhookStore
  deliveries: DeliveryStore
  allowInsecure: boolean
  /** How many servers deliver: together they do not exceed what one may do to a receiver. */
  servers?: () => number
  clock: Clock
  log: Logger
  tracing?: Tracing
  setBackMs?: number
}

const SWEEP_EVERY_MS = 3_600_000
const COUNT_EVERY_MS = 2_000

/** Retention of delivered events; failed ones are kept forever. */
const RETENTION_SECONDS = 30 * 86_400
const MAX_DELIVERED = 100_000
/** Tests that failed are kept shorter: nothing is lost with them. */
const TEST_RETENTION_SECONDS = 86_400

/** Delivers events of rooms to partners' webhooks (docs/webhooks.md). */
export class Deliveries {
  readonly #parts: DeliveriesParts
  readonly #metrics: DeliveryMetrics
  readonly #queue: DeliveryQueue<Delivery>
  readonly #timers: NodeJS.Timeout[] = []

  constructor(parts: DeliveriesParts) {
    const { deliveries: store, webhooks, allowInsecure, servers, clock, log, tracing = noTracing } = parts
    this.#parts = parts
    this.#metrics = new DeliveryMetrics(store, clock)
    const send = createSend({ allowInsecure, clock, tracing })
    const metrics = this.#metrics
    const attempt = webhookAttempts({ store, webhooks, send, metrics, clock, log, tracing })
    const limiter = new ConcurrencyLimiter(undefined, servers)
    this.#queue = new DeliveryQueue({ ...parts, kind: 'webhook', store, attempt, limiter })
  }

  get metrics(): DeliveryMetrics['metrics'] {
    return this.#metrics.metrics
  }

  start() {
    this.#queue.start()
    this.#every(COUNT_EVERY_MS, 'webhook deliveries could not be counted', () => this.#metrics.refresh())
    this.#every(SWEEP_EVERY_MS, 'webhook deliveries could not be swept', () => this.#sweep())
  }

  async stop() {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#queue.stop()
  }

  /**
   * Resolves when a delivery is stored for each subscribed service account of the room's owner. Idempotent as long as
   * deliveries are kept: each account gets one per event and subject. Does nothing for conferences without a room.
   */
  async emit(tag: string, { event, subject, data: about }: PartnerEvent) {
    const { rooms, webhooks, deliveries, clock } = this.#parts
    const room = await rooms.findByTag(tag)
    if (!room) return
    const now = clock()
    const subscriptions = (await webhooks.active({ clientId: room.clientId })).filter(({ events }) =>
      events.includes(event),
    )
    const data = { room: { external_id: room.externalId, tag }, ...about }
    const added = subscriptions.map(({ serviceAccount }): NewDelivery => {
      const id = `wh_${randomBytes(16).toString('hex')}`
      const body = JSON.stringify({ id, type: event, created_at: new Date(now).toISOString(), data })
      return { id, serviceAccount, event, subject, body }
    })
    await deliveries.add(added, now)
    this.#queue.wake()
  }

  /** Polls for due deliveries now. */
  wake() {
    this.#queue.wake()
  }

  async #sweep() {
    const now = unixSeconds(this.#parts.clock)
    await this.#parts.deliveries.sweep({
      before: now - RETENTION_SECONDS,
      keep: MAX_DELIVERED,
      testsBefore: now - TEST_RETENTION_SECONDS,
    })
  }

  #every(ms: number, failureMessage: string, work: () => Promise<void>) {
    const run = () => work().catch(error => this.#parts.log.error({ err: error }, failureMessage))
    this.#timers.push(setInterval(run, ms))
  }
}
