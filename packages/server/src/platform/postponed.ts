import { type Clock, steadyClock } from './clock.ts'

/**
 * Items that have failed and are passed over for a while, so that they hold up nothing else. In memory: after a start
 * all are tried.
 */
export class Postponed<K> {
  readonly #monotonicMs: Clock
  readonly #forMs: number
  readonly #untilMs = new Map<K, number>()

  constructor(clock: Clock, forMs: number) {
    this.#monotonicMs = steadyClock(clock)
    this.#forMs = forMs
  }

  add(key: K): void {
    this.#untilMs.set(key, this.#monotonicMs() + this.#forMs)
  }

  /** The keys whose time is not over. */
  keys(): K[] {
    const nowMs = this.#monotonicMs()
    for (const [key, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(key)
    return [...this.#untilMs.keys()]
  }
}
