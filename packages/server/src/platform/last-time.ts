import { readFile, writeFile } from 'node:fs/promises'
import type { Clock } from './clock.ts'

/** The time at which a server ran last, in a file: its clock may be set back while it does not run. */
export class LastTime {
  readonly #file: string
  readonly #clock: Clock
  /** By how much the clock was set back since then, at least; 0 before `read`. */
  setBackMs = 0

  constructor(file: string, clock: Clock) {
    this.#file = file
    this.#clock = clock
  }

  /** A file that is missing or damaged says nothing. */
  async read(): Promise<void> {
    const lastMs = Number(await readFile(this.#file, 'utf8').catch(() => ''))
    this.setBackMs = Math.max(0, lastMs - this.#clock()) || 0
  }

  save = (): Promise<void> => writeFile(this.#file, String(this.#clock()), { mode: 0o600 })
}
