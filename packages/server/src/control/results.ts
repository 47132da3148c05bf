import { hash } from 'node:crypto'
import type { ControlCommand, JsonObject } from '@lectern/protocol/control'
import { LRUCache } from 'lru-cache'
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
  readonly #byKey = new LRUCache<string, Remembered>({ max: RESULTS_KEPT })
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(key: string): Remembered | null {
    const found = this.#byKey.get(key)
    return found && this.#clock() - found.atMs <= RETRY_WINDOW_MS ? found : null
  }

  remember(key: string, fingerprint: string, answer: Promise<string>): void {
    this.#byKey.set(key, { fingerprint, answer, atMs: this.#clock() })
  }

  forget(key: string): void {
    this.#byKey.delete(key)
  }
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
