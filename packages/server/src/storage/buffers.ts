/** Each read is a trip to another thread; fewer and larger ones leave more time for sending. */
export const PIECE_BYTES = 1024 * 1024

/** Enough for some downloads at once; what more of them need is fresh. */
const KEPT = 16

/**
 * A large allocation begins 16 bytes after a page does. Copying a page of a file to there takes three times as long
 * as to elsewhere in a page, on AMD's Zen 3 and 4.
 */
const OFFSET = 1024

/** Memory that files are read into, used again: fresh memory costs more than reading into it. */
export class Buffers {
  readonly #free: Buffer[] = []

  /** With anything in it. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(OFFSET + PIECE_BYTES).subarray(OFFSET)
  }

  /** For one that nobody looks at any more. */
  give(buffer: Buffer): void {
    if (this.#free.length < KEPT) this.#free.push(buffer)
  }
}
