import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Delivery, DeliveryStore, DueDelivery, Settlement, WebhookStore } from '../ports.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { settlementFor } from './retry-policy.ts'
import type { Send } from './send.ts'

export interface QueueParts {
  store: DeliveryStore
  webhooks: WebhookStore
  send: Send
  clock: Clock
  log: Logger
  metrics: DeliveryMetrics
  limiter?: ConcurrencyLimiter
}

/** Longer than an attempt may take: an expired lease belongs to a process that died. */
const LEASE_MS = 20_000
/** The maximum delay of a retry, or of a replay by the operator's command line. */
const POLL_INTERVAL_MS = 500
/** Slower responses make the receiver unhealthy. */
const SLOW_RESPONSE_MS = 5_000
/** With many accounts a poll takes milliseconds; pausing three times as long limits it to a quarter of the time. */
const PAUSE_RATIO = 3
const DRAIN_TIMEOUT_MS = 3_000

/**
 * Sends due deliveries. The store is authoritative: a delivery is leased while it is in flight, so that after a crash
 * another attempt follows with the same id.
 */
export class DeliveryQueue {
  readonly #parts: QueueParts
  readonly #limiter: ConcurrencyLimiter
  readonly #token = randomUUID()
  readonly #inFlight = new Map<string, { done: Promise<void>; controller: AbortController }>()
  #timer?: NodeJS.Timeout
  #polling: Promise<void> | null = null
  #isPollRequested = false
  #lastPollMs = 0
  #stopped = false

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#limiter = parts.limiter ?? new ConcurrencyLimiter()
  }

  start() {
    this.#timer = setInterval(() => this.wake(), POLL_INTERVAL_MS)
    this.wake()
  }

  /** Polls for due deliveries now. */
  wake() {
    this.#isPollRequested = true
    if (this.#stopped) return
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null
      if (this.#isPollRequested) this.wake()
    })
  }

  /** Waits briefly for attempts in flight; aborted ones are sent again after the next start. */
  async stop() {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#polling
    const broken = setTimeout(() => {
      for (const { controller } of this.#inFlight.values()) controller.abort()
    }, DRAIN_TIMEOUT_MS)
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done))
    clearTimeout(broken)
  }

  async #poll() {
    this.#isPollRequested = false
    try {
      while (!this.#stopped && this.#limiter.free > 0) {
        const chosen = await this.#selectDue()
        if (chosen.length === 0) break
        await this.#lease(chosen)
      }
    } catch (error) {
      this.#isPollRequested = false // the timer retries, less often
      this.#parts.log.error({ err: error }, 'webhook deliveries could not be read')
    }
    await sleep(PAUSE_RATIO * this.#lastPollMs)
  }

  /** Due deliveries within the limits, whose slots it acquires. */
  async #selectDue(): Promise<DueDelivery[]> {
    const { store, clock } = this.#parts
    const { free, perTarget } = this.#limiter
    const begun = performance.now()
    const due = await store.due(clock(), { all: free, each: perTarget, except: this.#limiter.saturated() })
    this.#lastPollMs = performance.now() - begun
    return due.filter(
      ({ id, serviceAccount }) => !this.#inFlight.has(id) && this.#limiter.acquire(serviceAccount),
    )
  }

  async #lease(chosen: DueDelivery[]) {
    const { store, clock } = this.#parts
    const leased = new Map<string, Delivery>()
    try {
      const lease = { token: this.#token, untilMs: clock() + LEASE_MS }
      const ids = chosen.map(({ id }) => id)
      for (const delivery of await store.lease(ids, lease, clock())) leased.set(delivery.id, delivery)
    } finally {
      for (const { id, serviceAccount } of chosen) {
        const delivery = leased.get(id)
        if (delivery) this.#start(delivery)
        else this.#limiter.release(serviceAccount)
      }
    }
  }

  #start(delivery: Delivery) {
    const controller = new AbortController()
    const done = this.#attempt(delivery, controller.signal)
      .catch(error => {
        // It is sent again when the lease expires.
        this.#parts.log.error(
          { err: error, delivery: delivery.id },
          'a webhook attempt could not be recorded',
        )
        return undefined
      })
      .then(healthy => {
        this.#inFlight.delete(delivery.id)
        this.#limiter.release(delivery.serviceAccount, healthy)
        this.wake()
      })
    this.#inFlight.set(delivery.id, { done, controller })
  }

  /** Returns whether the receiver is healthy; undefined when nothing was sent. */
  async #attempt(delivery: Delivery, signal: AbortSignal): Promise<boolean | undefined> {
    const { webhooks, send, clock } = this.#parts
    // Read for each attempt, because url, secret and state may have changed.
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
      : settlementFor(outcome, delivery.attempts, clock())
    await this.#settle(delivery, settlement)
    return outcome.is === 'answered' && outcome.status < 500 && performance.now() - begun < SLOW_RESPONSE_MS
  }

  async #settle(delivery: Delivery, settlement: Settlement) {
    const { store, clock, log, metrics } = this.#parts
    if (!(await store.settle(delivery.id, this.#token, settlement, clock()))) return
    metrics.count(settlement)
    // Without the url, which may contain a secret, and without the receiver's response.
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
