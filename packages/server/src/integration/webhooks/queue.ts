import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Delivery, DeliveryStore, DueDelivery, Settlement, WebhookStore } from '../ports.ts'
import { Lanes } from './lanes.ts'
import type { Send } from './send.ts'
import type { Tally } from './tally.ts'
import { judge } from './verdict.ts'

export interface QueueParts {
  store: DeliveryStore
  webhooks: WebhookStore
  send: Send
  clock: Clock
  log: Logger
  tally: Tally
  lanes?: Lanes
}

/** Longer than an attempt may take: what is not settled by then was left by a process that died. */
const LEASE_MS = 20_000
/** How soon a retry, or a replay by the operator's command line, is noticed. */
const LOOK_EVERY_MS = 500
/** An answer that takes longer counts against the receiver. */
const SLOW_MS = 5_000
/** With many accounts a look takes milliseconds; this keeps looking to a fourth of the time. */
const REST_RATIO = 3
const FINISH_WITHIN_MS = 3_000

/**
 * Sends what is due. The store holds the truth: a delivery is leased while it is under way, so a process that dies
 * leaves it to be sent again, with the same id.
 */
export class DeliveryQueue {
  readonly #parts: QueueParts
  readonly #lanes: Lanes
  readonly #token = randomUUID()
  readonly #underWay = new Map<string, { done: Promise<void>; controller: AbortController }>()
  #timer?: NodeJS.Timeout
  #round: Promise<void> | null = null
  #again = false
  #lookMs = 0
  #stopped = false

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#lanes = parts.lanes ?? new Lanes()
  }

  start() {
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS)
    this.wake()
  }

  /** Looks for due deliveries now. */
  wake() {
    this.#again = true
    if (this.#stopped) return
    this.#round ??= this.#look().finally(() => {
      this.#round = null
      if (this.#again) this.wake()
    })
  }

  /** Lets what is under way finish for a moment; the rest is sent again after the next start. */
  async stop() {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#round
    const broken = setTimeout(() => {
      for (const { controller } of this.#underWay.values()) controller.abort()
    }, FINISH_WITHIN_MS)
    await Promise.all([...this.#underWay.values()].map(({ done }) => done))
    clearTimeout(broken)
  }

  async #look() {
    this.#again = false
    try {
      while (!this.#stopped && this.#lanes.free > 0) {
        const chosen = await this.#choose()
        if (chosen.length === 0) break
        await this.#launch(chosen)
      }
    } catch (error) {
      this.#again = false // the timer tries again, less eagerly
      this.#parts.log.error({ err: error }, 'webhook deliveries could not be read')
    }
    await sleep(REST_RATIO * this.#lookMs)
  }

  /** What is due and has a lane, which it takes. */
  async #choose(): Promise<DueDelivery[]> {
    const { store, clock } = this.#parts
    const { free, perTarget } = this.#lanes
    const begun = performance.now()
    const due = await store.due(clock(), { all: free, each: perTarget, except: this.#lanes.full() })
    this.#lookMs = performance.now() - begun
    return due.filter(
      ({ id, serviceAccount }) => !this.#underWay.has(id) && this.#lanes.enter(serviceAccount),
    )
  }

  async #launch(chosen: DueDelivery[]) {
    const { store, clock } = this.#parts
    const leased = new Map<string, Delivery>()
    try {
      const lease = { token: this.#token, untilMs: clock() + LEASE_MS }
      const ids = chosen.map(({ id }) => id)
      for (const delivery of await store.lease(ids, lease, clock())) leased.set(delivery.id, delivery)
    } finally {
      for (const { id, serviceAccount } of chosen) {
        const delivery = leased.get(id)
        if (delivery) this.#begin(delivery)
        else this.#lanes.leave(serviceAccount)
      }
    }
  }

  #begin(delivery: Delivery) {
    const controller = new AbortController()
    const done = this.#attempt(delivery, controller.signal)
      .catch(error => {
        // It is sent again when the lease ends.
        this.#parts.log.error(
          { err: error, delivery: delivery.id },
          'a webhook attempt could not be recorded',
        )
        return undefined
      })
      .then(healthy => {
        this.#underWay.delete(delivery.id)
        this.#lanes.leave(delivery.serviceAccount, healthy)
        this.wake()
      })
    this.#underWay.set(delivery.id, { done, controller })
  }

  /** Tells whether the receiver is well; undefined when it was not asked. */
  async #attempt(delivery: Delivery, signal: AbortSignal): Promise<boolean | undefined> {
    const { webhooks, send, clock } = this.#parts
    // Read anew for each attempt: it may have got another url or secret, or been switched off.
    const [webhook] = await webhooks.active({ serviceAccount: delivery.serviceAccount })
    if (!webhook) {
      await this.#settle(delivery, { is: 'cancelled' })
      return undefined
    }
    const begun = performance.now()
    const outcome = await send(delivery, webhook, signal)
    const isBrokenOff = outcome.is === 'unreachable' && signal.aborted
    const settlement: Settlement = isBrokenOff
      ? { is: 'returned', atMs: clock() }
      : judge(outcome, delivery.attempts, clock())
    await this.#settle(delivery, settlement)
    return outcome.is === 'answered' && outcome.status < 500 && performance.now() - begun < SLOW_MS
  }

  async #settle(delivery: Delivery, settlement: Settlement) {
    const { store, clock, log, tally } = this.#parts
    if (!(await store.settle(delivery.id, this.#token, settlement, clock()))) return
    tally.count(settlement)
    // Neither the url, which may hold a secret, nor what the receiver said.
    const { id, event, serviceAccount, attempts } = delivery
    const about = {
      delivery: id,
      event,
      service_account: serviceAccount,
      attempt: attempts + 1,
      ...settlement,
    }
    if (settlement.is === 'failed') log.warn(about, 'a webhook delivery has failed for good')
    else log.debug(about, 'webhook attempt')
  }
}
