import { SequenceExtender } from '@lectern/common'

/** Retransmissions arrive within this time or never. */
const RETRANSMISSION_WAIT_MS = 300
const MISSING_MAX = 500

/** Detects permanently lost packets, after which a key frame must be requested. */
export class LossDetector {
  readonly #sequence = new SequenceExtender()
  readonly #missing = new Map<number, number>()
  #highest: number | null = null

  onPacket(sequenceNumber: number, atMs: number) {
    const sequence = this.#sequence.extend(sequenceNumber)
    this.#missing.delete(sequence)
    if (this.#highest !== null && sequence - this.#highest <= MISSING_MAX) {
      for (let missing = this.#highest + 1; missing < sequence; missing++) this.#missing.set(missing, atMs)
    }
    this.#highest = Math.max(this.#highest ?? 0, sequence)
  }

  /** Whether packets were lost since the last call. */
  hasLost(nowMs: number): boolean {
    let lost = false
    for (const [sequence, sinceMs] of this.#missing) {
      if (nowMs - sinceMs < RETRANSMISSION_WAIT_MS) continue
      this.#missing.delete(sequence)
      lost = true
    }
    return lost
  }
}
