/** A value that changes only when another one has been measured for a while. */
export class Settling<T> {
  #value: T
  readonly #delayMs: (next: T) => number
  /** Since when something else is measured; null: it is not. */
  #otherSinceMs: number | null = null

  constructor(value: T, delayMs: (next: T) => number) {
    this.#value = value
    this.#delayMs = delayMs
  }

  /** The value that holds after this measurement. Measurements that change among others count as one change. */
  next(measured: T, nowMs: number): T {
    if (measured === this.#value) {
      this.#otherSinceMs = null
      return this.#value
    }
    this.#otherSinceMs ??= nowMs
    if (nowMs - this.#otherSinceMs < this.#delayMs(measured)) return this.#value
    this.#otherSinceMs = null
    this.#value = measured
    return measured
  }
}
