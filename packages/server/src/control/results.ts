import { hash } from 'node:crypto'
import type { ControlCommand, JsonObject } from '@lectern/protocol/control'
import type { Clock } from '../clock.ts'
import { RESULTS_KEPT, RETRY_WINDOW_MS } from './limits.ts'

/** What a command led to: the text of the result after the binding. */
interface Remembered {
  fingerprint: string
  answer: Promise<string>
  atMs: number
}

/** The results of the last while, so that a repetition is answered and not executed (rules K2 to K4). */
export class Results {
  /** Oldest first. */
  readonly #byKey = new Map<string, Remembered>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(key: string): Remembered | null {
    const found = this.#byKey.get(key)
    return found && !this.#isOld(found) ? found : null
  }

  remember(key: string, fingerprint: string, answer: Promise<string>): void {
    this.#byKey.delete(key)
    this.#byKey.set(key, { fingerprint, answer, atMs: this.#clock() })
    // Whoever fills it makes the oldest be forgotten, which costs them no more than a second execution.
    if (this.#byKey.size > RESULTS_KEPT) this.#byKey.delete(this.#byKey.keys().next().value as string)
  }

  forget(key: string): void {
    this.#byKey.delete(key)
  }

  /** Drops what is not needed any more. To be called every second or so. */
  tick(): void {
    for (const [key, remembered] of this.#byKey) {
      if (!this.#isOld(remembered)) return
      this.#byKey.delete(key)
    }
  }

  #isOld = ({ atMs }: Remembered) => this.#clock() - atMs > RETRY_WINDOW_MS
}

/** Equal for the same command, however its keys are ordered. How long it is worth waiting is no part of it. */
export function fingerprintOf({ target, name, body, expected_version }: ControlCommand): string {
  return hash('sha256', canonical([target, name, body, expected_version ?? null]), 'base64')
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const object = value as JsonObject
  const fields = Object.keys(object).sort()
  return `{${fields.map(key => `${JSON.stringify(key)}:${canonical(object[key])}`).join(',')}}`
}
