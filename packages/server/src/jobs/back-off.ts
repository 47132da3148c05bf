import { backoffMs } from '@lectern/common'

const LONGEST_MS = 30_000
/** Who lived so long begins again without a wait. */
const HEALTHY_AFTER_MS = 60_000

/** How long to wait before a process is started anew: not at all at first, then longer with each failure. */
export class BackOff {
  readonly #firstMs: number
  #failures = 0

  constructor(firstMs: number) {
    this.#firstMs = firstMs
  }

  /** After another failure; `livedMs`: of a process that was well until then. */
  next(livedMs = 0): number {
    if (livedMs > HEALTHY_AFTER_MS) this.#failures = 0
    const again = this.#failures++
    return again && backoffMs(again - 1, { firstMs: this.#firstMs, maxMs: LONGEST_MS })
  }
}
