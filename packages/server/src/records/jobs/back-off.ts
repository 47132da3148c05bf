import { backoffMs } from '@lectern/common'

const LONGEST_MS = 30_000
/** After running this long, a process is restarted without delay. */
const HEALTHY_AFTER_MS = 60_000

/** The delay before a process is restarted: none after the first failure, then longer with each one. */
export class BackOff {
  readonly #firstMs: number
  #failures = 0

  constructor(firstMs: number) {
    this.#firstMs = firstMs
  }

  /** Returns the delay after another failure; `uptimeMs`: how long the process ran before it. */
  next(uptimeMs = 0): number {
    if (uptimeMs > HEALTHY_AFTER_MS) this.#failures = 0
    const previousFailures = this.#failures++
    return previousFailures && backoffMs(previousFailures - 1, { firstMs: this.#firstMs, maxMs: LONGEST_MS })
  }
}
