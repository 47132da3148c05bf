import { backoffMs } from './backoff.ts'
import { consequence, type Loss } from './loss.ts'

export type EndReason =
  | { is: 'closed' }
  | { is: 'forbidden'; code: string }
  | { is: 'signed-out'; code: string }
  | { is: 'incompatible'; code: string }
  | { is: 'account-deleted' }

export type Verdict =
  | { is: 'end'; reason: EndReason }
  | { is: 'retry'; reason: string; attempt: number; delayMs: number; patient: boolean; fresh: boolean }

/** A connection that was ready for this long makes the next loss a first one again (rule C17). */
const STABLE_MS = 10_000

/** Remembers what went wrong lately, and judges every loss by that (rules C16 to C21). */
export class Patience {
  #random: () => number
  #capMs: number | undefined
  #attempt = 0
  #wrongFrames = 0
  #refused: string | undefined

  /** `capMs`: the longest wait between two tries, where it is not the usual one. */
  constructor(random: () => number, capMs?: number) {
    this.#random = random
    this.#capMs = capMs
  }

  /** Why the last token was refused, until a login succeeds: the next one must be another. */
  get refusedToken(): string | undefined {
    return this.#refused
  }

  loggedIn(): void {
    this.#refused = undefined
  }

  wasReadyFor(ms: number): void {
    if (ms < STABLE_MS) return
    this.#attempt = 0
    this.#wrongFrames = 0
  }

  judge(loss: Loss): Verdict {
    if (loss.is === 'signed-out') return end({ is: 'signed-out', code: this.#refused ?? 'unauthenticated' })
    const { step, reason, patient = false, afterMs } = consequence(loss)
    switch (step) {
      case 'stop':
        return end({ is: 'forbidden', code: reason })
      case 'forget the account':
        return end({ is: 'account-deleted' })
      case 'get a new token':
        if (this.#refused) return end({ is: 'signed-out', code: reason })
        this.#refused = reason
        return this.#retry({ reason, patient, fresh: false })
      case 'sync fresh, at most once':
        if (this.#wrongFrames++ > 0) return end({ is: 'incompatible', code: reason })
        return this.#retry({ reason, patient, fresh: true })
      case 'reconnect':
        return this.#retry({ reason, patient, fresh: false, afterMs })
    }
  }

  #retry(how: { reason: string; patient: boolean; fresh: boolean; afterMs?: number | undefined }): Verdict {
    const { reason, patient, fresh, afterMs } = how
    const attempt = this.#attempt++
    const delayMs = afterMs ?? backoffMs(patient ? attempt + 1 : attempt, this.#random, this.#capMs)
    return { is: 'retry', reason, attempt: attempt + 1, delayMs, patient, fresh }
  }
}

const end = (reason: EndReason): Verdict => ({ is: 'end', reason })
