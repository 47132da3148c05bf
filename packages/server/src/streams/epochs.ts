import { randomInt } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Earlier versions took epochs from the clock. Every epoch of an incarnation is greater than those until 2109. */
const INCARNATION_SHIFT = 42n

/**
 * The epoch of a session's stream (rule Q3). Each incarnation of a session has one stream, and incarnations grow in the
 * store, so that neither a restart nor another server with a slow clock makes an epoch go back.
 */
export const sessionEpoch = (incarnation: number): string => String(BigInt(incarnation) << INCARNATION_SHIFT)

/** A page is opened several times while one server runs its session; each time its stream starts again. */
export const pageEpoch = (incarnation: number, opening: number): string =>
  String((BigInt(incarnation) << INCARNATION_SHIFT) + BigInt(opening))

/** Leaves room for a random part, so that streams that two servers open in the same millisecond differ. */
const RANDOM_BITS = 20

/** Epochs of streams that have no incarnation. They grow while the process runs, even if its clock is set back. */
export class MonotonicEpochs {
  readonly #clock: Clock
  readonly #random = BigInt(randomInt(2 ** RANDOM_BITS))
  #last = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  next(): string {
    this.#last = Math.max(this.#last + 1, this.#clock())
    return String((BigInt(this.#last) << BigInt(RANDOM_BITS)) | this.#random)
  }
}
