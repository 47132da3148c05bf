import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { DueDelivery, LeaseStore } from './ports.ts'

/** One attempt under a lease. */
export interface Attempt<Delivery> {
  delivery: Delivery
  /** The holder, who alone may record the outcome. */
  leaseToken: string
  signal: AbortSignal
}

/**
 * Sends a delivery and records the outcome. Resolves with whether the target is healthy; undefined when nothing was sent.
 * When it rejects, the delivery is sent again: after its lease has expired, if the attempt has not given it back.
 */
export type MakeAttempt<Delivery> = (attempt: Attempt<Delivery>) => Promise<boolean | undefined>

export interface QueueParts<Delivery> {
  /** The kind of delivery, for the log: `webhook`, `push` or `mail`. */
  kind: string
  store: LeaseStore<Delivery>
  attempt: MakeAttempt<Delivery>
  clock: Clock
  log: Pick<Logger, 'error'>
  limiter: ConcurrencyLimiter
  /** Longer than an attempt may take; 20 s if it is not given. */
  leaseMs?: number
  /** By how much the clock was set back while no server ran. */
  setBackMs?: number
}

/** An expired lease belongs to a process that died. */
const LEASE_MS = 20_000
/** The maximum delay of a retry, or of a replay by the operator's command line. */
const POLL_INTERVAL_MS = 500
/** With many accounts a poll takes milliseconds; pausing three times as long limits it to a quarter of the time. */
const PAUSE_RATIO = 3
const DRAIN_TIMEOUT_MS = 3_000
/** Less makes no difference to any delay. */
const CLOCK_TOLERANCE_MS = 1_000
/** Before the next attempt of a delivery of which something could not be read. */
const RETURN_AFTER_MS = 2_000

/**
 * Reads what an attempt needs before it sends. If that fails, the delivery is given back: it would wait for the end of its
 * lease, and a call does not ring that long.
 */
export async function readBeforeSending<T>(
  read: () => Promise<T>,
  giveBack: (atMs: number) => Promise<unknown>,
  clock: Clock,
): Promise<T> {
  try {
    return await read()
  } catch (error) {
    await giveBack(clock() + RETURN_AFTER_MS).catch(() => {}) // then at the end of the lease
    throw error
  }
}

/**
 * Sends due deliveries. The store is authoritative: a delivery is leased while it is in flight, so that after a crash
 * another attempt follows with the same id.
 */
export class DeliveryQueue<Delivery extends { id: string }> {
  readonly #parts: QueueParts<Delivery>
  readonly #limiter: ConcurrencyLimiter
  readonly #token = randomUUID()
  readonly #inFlight = new Map<string, { done: Promise<void>; controller: AbortController }>()
  #timer?: NodeJS.Timeout
  #polling: Promise<void> | null = null
  #isPollRequested = false
  #lastPollMs = 0
  #polledAtMs = Number.NEGATIVE_INFINITY
  /** By how much the clock was set back, as far as the store does not know yet. */
  #setBackMs: number
  #stopped = false

  constructor(parts: QueueParts<Delivery>) {
    this.#parts = parts
    this.#limiter = parts.limiter
    this.#setBackMs = parts.setBackMs ?? 0
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
      await this.#followClock()
      while (!this.#stopped && this.#limiter.free > 0) {
        const chosen = await this.#selectDue()
        if (chosen.length === 0) break
        await this.#lease(chosen)
      }
    } catch (error) {
      this.#isPollRequested = false // the timer retries, less often
      this.#parts.log.error(
        { err: error },
        `${this.#parts.kind} deliveries could not be read: none are sent until the database answers`,
      )
    }
    await sleep(PAUSE_RATIO * this.#lastPollMs)
  }

  async #followClock(): Promise<void> {
    const { store, clock } = this.#parts
    const nowMs = clock()
    this.#setBackMs += Math.max(0, this.#polledAtMs - nowMs)
    this.#polledAtMs = nowMs
    if (this.#setBackMs < CLOCK_TOLERANCE_MS) return
    await store.bringForward(this.#setBackMs, nowMs)
    this.#setBackMs = 0
  }

  /** Due deliveries within the limits, whose slots it acquires. */
  async #selectDue(): Promise<DueDelivery[]> {
    const { store, clock } = this.#parts
    const { free, perTarget } = this.#limiter
    const begun = performance.now()
    const due = await store.due(clock(), { all: free, each: perTarget, except: this.#limiter.saturated() })
    this.#lastPollMs = performance.now() - begun
    return due.filter(({ id, target }) => !this.#inFlight.has(id) && this.#limiter.acquire(target))
  }

  async #lease(chosen: DueDelivery[]) {
    const { store, clock, leaseMs = LEASE_MS } = this.#parts
    const leased = new Map<string, Delivery>()
    try {
      const lease = { token: this.#token, untilMs: clock() + leaseMs }
      const ids = chosen.map(({ id }) => id)
      for (const delivery of await store.lease(ids, lease, clock())) leased.set(delivery.id, delivery)
    } finally {
      for (const { id, target } of chosen) {
        const delivery = leased.get(id)
        if (delivery) this.#start(delivery, target)
        else this.#limiter.release(target)
      }
    }
  }

  #start(delivery: Delivery, target: string) {
    const { attempt, kind, log } = this.#parts
    const controller = new AbortController()
    const done = attempt({ delivery, leaseToken: this.#token, signal: controller.signal })
      .catch(error => {
        // The delivery is sent again when the lease expires.
        log.error(
          { err: error, delivery: delivery.id },
          `a ${kind} attempt could not be made or recorded: the delivery is sent again`,
        )
        return undefined
      })
      .then(healthy => {
        this.#inFlight.delete(delivery.id)
        this.#limiter.release(target, healthy)
        this.wake()
      })
    this.#inFlight.set(delivery.id, { done, controller })
  }
}
