import { loudness, msOf } from './samples.ts'

/** -60 dB below the loudest: rooms are louder where somebody speaks. */
const QUIET = 33
/** So much silence ends a phrase for certain. */
const PASSES_MS = 3_000
/** The beginning of a word may be quiet. */
const BEFORE_MS = 300

/** Lets nothing through while somebody is quiet for long, so that only who speaks costs anything. */
export class Gate {
  #quietMs = PASSES_MS
  #before: Int16Array[] = []

  pass(samples: Int16Array): Int16Array[] {
    if (loudness(samples) < QUIET) {
      this.#quietMs += msOf(samples)
      if (this.#quietMs <= PASSES_MS) return [samples]
      this.#keep(samples)
      return []
    }
    this.#quietMs = 0
    return [...this.#before.splice(0), samples]
  }

  #keep(samples: Int16Array): void {
    this.#before.push(samples)
    let ms = this.#before.reduce((sum, each) => sum + msOf(each), 0)
    while (ms > BEFORE_MS && this.#before.length > 1) ms -= msOf(this.#before.shift() as Int16Array)
  }
}
