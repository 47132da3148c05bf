import { Sequence } from '../frames/sequence.ts'

/** What was sent again is there within this time, or not at all. */
const PATIENCE_MS = 300
const MISSING_MAX = 500

/** Notices while packets arrive that some are missing for good, so that a new key frame can be asked for. */
export class GapWatch {
  readonly #sequence = new Sequence()
  readonly #missing = new Map<number, number>()
  #highest: number | null = null

  notice(sequenceNumber: number, atMs: number) {
    const sequence = this.#sequence.extend(sequenceNumber)
    this.#missing.delete(sequence)
    if (this.#highest !== null && sequence - this.#highest <= MISSING_MAX) {
      for (let each = this.#highest + 1; each < sequence; each++) this.#missing.set(each, atMs)
    }
    this.#highest = Math.max(this.#highest ?? 0, sequence)
  }

  /** Whether something is lost since this was asked last. */
  hasLost(nowMs: number): boolean {
    let lost = false
    for (const [sequence, sinceMs] of this.#missing) {
      if (nowMs - sinceMs < PATIENCE_MS) continue
      this.#missing.delete(sequence)
      lost = true
    }
    return lost
  }
}
