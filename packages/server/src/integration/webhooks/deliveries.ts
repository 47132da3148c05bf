import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { type Clock, unixSeconds } from '../../clock.ts'
import type { PartnerEvent } from '../../hooks.ts'
import type { DeliveryStore, NewDelivery, RoomStore, WebhookStore } from '../ports.ts'
import { DeliveryQueue } from './queue.ts'
import { createSend } from './send.ts'
import { Tally } from './tally.ts'

export interface DeliveriesParts {
  rooms: RoomStore
  webhooks: WebhookStore
  deliveries: DeliveryStore
  allowInsecure: boolean
  clock: Clock
  log: Logger
}

const SWEEP_EVERY_MS = 3_600_000
const COUNT_EVERY_MS = 2_000

/** Delivered ones are kept for as long as somebody may ask for them; failed ones for ever. */
const KEEP_SECONDS = 30 * 86_400
const KEEP_AT_MOST = 100_000

/** Tells partners what happened in their rooms (docs/webhooks.md). */
export class Deliveries {
  readonly #parts: DeliveriesParts
  readonly #tally: Tally
  readonly #queue: DeliveryQueue
  readonly #timers: NodeJS.Timeout[] = []

  constructor(parts: DeliveriesParts) {
    const { deliveries: store, webhooks, allowInsecure, clock, log } = parts
    this.#parts = parts
    this.#tally = new Tally(store, clock)
    this.#queue = new DeliveryQueue({
      store,
      webhooks,
      send: createSend({ allowInsecure, clock }),
      tally: this.#tally,
      clock,
      log,
    })
  }

  get readings(): Tally['readings'] {
    return this.#tally.readings
  }

  start() {
    this.#queue.start()
    this.#every(COUNT_EVERY_MS, 'webhook deliveries could not be counted', () => this.#tally.refresh())
    this.#every(SWEEP_EVERY_MS, 'webhook deliveries could not be swept', () => this.#sweep())
  }

  async stop() {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#queue.stop()
  }

  /**
   * When it resolves, a delivery is stored for each service account that owns the room and wants to know. Repeating
   * it is safe for as long as deliveries are kept: an account gets one of an event and subject. Rooms that are no
   * partner's have nobody to be told.
   */
  async emit(tag: string, { event, subject, data: about }: PartnerEvent) {
    const { rooms, webhooks, deliveries, clock } = this.#parts
    const room = await rooms.findByTag(tag)
    if (!room) return
    const now = clock()
    const wanted = (await webhooks.active({ clientId: room.clientId })).filter(({ events }) =>
      events.includes(event),
    )
    const data = { room: { external_id: room.externalId, tag }, ...about }
    const made = wanted.map(({ serviceAccount }): NewDelivery => {
      const id = `wh_${randomBytes(16).toString('hex')}`
      const body = JSON.stringify({ id, type: event, created_at: new Date(now).toISOString(), data })
      return { id, serviceAccount, event, subject, body }
    })
    await deliveries.add(made, now)
    this.#queue.wake()
  }

  async #sweep() {
    const before = unixSeconds(this.#parts.clock) - KEEP_SECONDS
    await this.#parts.deliveries.sweep({ before, keep: KEEP_AT_MOST })
  }

  #every(ms: number, complaint: string, work: () => Promise<void>) {
    const run = () => work().catch(error => this.#parts.log.error({ err: error }, complaint))
    this.#timers.push(setInterval(run, ms))
  }
}
