import { SAMPLE_RATE, SILENCE_SAMPLES } from '../frames/opus.ts'

/** A packet may be this far from where its clock wants it, so that jitter is not heard. */
const TOLERANCE_SAMPLES = 1440

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/**
 * Gives each Opus packet its place on the time line of samples, once and for all: one directly behind the other
 * as long as that is right, else after as many whole silent packets as fit. Null: there is no place, the clock of
 * the sender is ahead of the others' and this packet would overlap what is there.
 */
export class AudioPlacer {
  #next: number | null = null

  place(sentAtMs: number, samples: number): number | null {
    const wanted = Math.round(sentAtMs * SAMPLES_PER_MS)
    this.#next ??= wanted
    const off = wanted - this.#next
    if (off < -TOLERANCE_SAMPLES) return null
    if (off > TOLERANCE_SAMPLES) this.#next += Math.floor(off / SILENCE_SAMPLES) * SILENCE_SAMPLES
    const start = this.#next
    this.#next += samples
    return start
  }
}
