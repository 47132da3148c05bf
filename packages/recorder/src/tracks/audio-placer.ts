import { SAMPLE_RATE, SILENCE_SAMPLES } from '../frames/opus.ts'

/** Maximum deviation from the clock before a packet is moved, so that jitter stays inaudible. */
const TOLERANCE_SAMPLES = 1440

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/**
 * Assigns each Opus packet its final position in samples: directly after the previous packet while that is accurate, else
 * after a whole number of silent packets. Null if the packet would overlap the previous one because the clock of the
 * sender is ahead.
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
