import type { Clock } from '../clock.ts'

/** Saved up for so long. */
const BURST_SECONDS = 10

/** A token bucket: so many per minute, with a burst of what ten seconds give. */
export class Allowance {
  readonly #clock: Clock
  readonly #perMs: number
  readonly #most: number
  #left: number
  #atMs: number

  constructor(clock: Clock, perMinute: number | null) {
    this.#clock = clock
    this.#perMs = (perMinute ?? Number.POSITIVE_INFINITY) / 60_000
    this.#most = this.#perMs * BURST_SECONDS * 1000
    this.#left = this.#most
    this.#atMs = clock()
  }

  /** False when there is not enough left. */
  spend(cost: number): boolean {
    if (this.#most === Number.POSITIVE_INFINITY) return true
    const now = this.#clock()
    this.#left = Math.min(this.#most, this.#left + (now - this.#atMs) * this.#perMs)
    this.#atMs = now
    if (this.#left < cost) return false
    this.#left -= cost
    return true
  }
}
