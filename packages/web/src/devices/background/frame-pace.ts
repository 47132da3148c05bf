/** Longer, and the machine has no time left for the call. */
export const BUDGET_MS = 25
/** Every frame, every second, every fourth. */
const SLOWEST = 4
/** The first frames take longer: code is compiled, memory is allocated. */
const WARM_UP = 5
/** One slow frame is not a slow machine. */
const WINDOW = 15
/** The rate doubles if a frame would take less than this share of the time then. */
const SPARE = 0.5

/**
 * How many frames are processed, by what they take. Those between are dropped, not shown with an earlier mask: it would leave
 * the room visible beside a person who moves.
 */
export class FramePace {
  readonly #budgetMs: number
  #every = 1
  #count = 0
  #warmUp = WARM_UP
  #times: number[] = []

  constructor(budgetMs = BUDGET_MS) {
    this.#budgetMs = budgetMs
  }

  /** Whether the next frame is to be processed. */
  isDue(): boolean {
    return this.#count++ % this.#every === 0
  }

  /** False: even the lowest rate is too much. */
  add(ms: number): boolean {
    if (this.#warmUp > 0) {
      this.#warmUp--
      return true
    }
    this.#times.push(ms)
    if (this.#times.length < WINDOW) return true
    // A single frame during which the machine slept would make up the mean.
    const median = this.#times.sort((a, b) => a - b)[(WINDOW - 1) / 2] ?? 0
    this.#times = []
    if (median > this.#budgetMs * this.#every) {
      if (this.#every === SLOWEST) return false
      this.#every *= 2
    } else if (this.#every > 1 && median < (this.#budgetMs * this.#every * SPARE) / 2) this.#every /= 2
    return true
  }
}
