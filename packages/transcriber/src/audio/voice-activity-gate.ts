import { durationMs, rms } from './samples.ts'

/** -60 dBFS: rooms in which somebody speaks are louder. */
const SILENCE_RMS = 33
/** Long enough for the engine to end the phrase. */
const HANGOVER_MS = 3_000
/** Word onsets may be quiet. */
const PRE_ROLL_MS = 300

/** Drops audio during long silence, so that silent participants cost nothing. */
export class VoiceActivityGate {
  #silentMs = HANGOVER_MS
  #preRoll: Int16Array[] = []

  filter(samples: Int16Array): Int16Array[] {
    if (rms(samples) < SILENCE_RMS) {
      this.#silentMs += durationMs(samples)
      if (this.#silentMs <= HANGOVER_MS) return [samples]
      this.#buffer(samples)
      return []
    }
    this.#silentMs = 0
    return [...this.#preRoll.splice(0), samples]
  }

  /** The engine has ended the phrase: silence after it costs as much as speech, and says nothing. */
  phraseEnded(): void {
    if (this.#silentMs > 0) this.#silentMs = HANGOVER_MS
  }

  #buffer(samples: Int16Array): void {
    this.#preRoll.push(samples)
    let ms = this.#preRoll.reduce((sum, each) => sum + durationMs(each), 0)
    while (ms > PRE_ROLL_MS && this.#preRoll.length > 1) ms -= durationMs(this.#preRoll.shift() as Int16Array)
  }
}
