import type { Clock } from '../../platform/clock.ts'

/** How far events of other servers can be relied on. */
export interface EventDelivery {
  /** The interval in which everything is compared with the store, in milliseconds; null: nothing is ever lost. */
  verifyEveryMs(): number | null
  /** Events of the time before may have been lost. */
  onLost(handler: () => void): void
}

/** Each of them is a handful of queries. */
const STARTED_AT_ONCE_MAX = 100

/** Chooses what has to be compared with the store, because events that changed it may have been lost. */
export class Verification<T extends object> {
  readonly #delivery: EventDelivery
  readonly #clock: Clock
  readonly #verifiedAtMs = new WeakMap<T, number>()
  #lostAtMs = Number.NEGATIVE_INFINITY

  constructor(delivery: EventDelivery, clock: Clock) {
    this.#delivery = delivery
    this.#clock = clock
    delivery.onLost(() => {
      this.#lostAtMs = clock()
    })
  }

  /** Takes the items whose turn it is, the longest overdue first. MUST be called about every second. */
  takeDue(all: Iterable<T>): T[] {
    const everyMs = this.#delivery.verifyEveryMs()
    if (everyMs === null) return []
    const nowMs = this.#clock()
    const dueBefore = Math.max(this.#lostAtMs, nowMs - everyMs)
    const due = [...all]
      .map(item => ({ item, verifiedAtMs: this.#lastOf(item, nowMs) }))
      .filter(({ verifiedAtMs }) => verifiedAtMs <= dueBefore)
      .sort((a, b) => a.verifiedAtMs - b.verifiedAtMs)
      .slice(0, STARTED_AT_ONCE_MAX)
      .map(({ item }) => item)
    for (const item of due) this.#verifiedAtMs.set(item, nowMs)
    return due
  }

  /** The attempt has failed. */
  repeat(item: T): void {
    this.#verifiedAtMs.set(item, Number.NEGATIVE_INFINITY)
  }

  /** A state that is new here was read from the store a moment ago. */
  #lastOf(item: T, nowMs: number): number {
    const last = this.#verifiedAtMs.get(item)
    if (last === undefined) this.#verifiedAtMs.set(item, nowMs)
    return last ?? nowMs
  }
}
