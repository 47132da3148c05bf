/** Earlier versions took generations from the clock. Every generation of an incarnation is greater than those until 2109. */
const INCARNATION_SHIFT = 42n

/** All generations of the incarnation are above it. */
export const generationFloor = (incarnation: number): bigint => BigInt(incarnation) << INCARNATION_SHIFT

/**
 * Numbers the routes of a room. Incarnations grow in the store, so that neither a restart nor another server or node
 * with a slow clock makes a generation go back.
 */
export class RouteGenerations {
  #last = 0n

  /** The next generation is above all of the incarnations before, and above `after`. */
  raise(incarnation: number, after = '0'): void {
    for (const floor of [generationFloor(incarnation), BigInt(after)])
      if (floor > this.#last) this.#last = floor
  }

  next(): string {
    this.#last += 1n
    return String(this.#last)
  }
}
