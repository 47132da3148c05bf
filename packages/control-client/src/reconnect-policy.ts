import { reconnectDelayMs } from './backoff.ts'
import { type DisconnectReason, handlingOf } from './disconnect-reason.ts'

export type EndReason =
  | { is: 'closed' }
  | { is: 'forbidden'; code: string }
  | { is: 'signed-out'; code: string }
  | { is: 'incompatible'; code: string }
  | { is: 'account-deleted' }

export type ReconnectDecision =
  | { is: 'end'; reason: EndReason }
  | { is: 'retry'; reason: string; attempt: number; delayMs: number; mustBackOff: boolean; fresh: boolean }

/** A connection that was ready for this long resets the attempt counter (rule C17). */
const STABLE_MS = 10_000

/** Counts recent failures, and decides after each whether and when to reconnect (rules C16 to C21). */
export class ReconnectPolicy {
  #random: () => number
  #capMs: number | undefined
  #attempt = 0
  #invalidFrames = 0
  #tokenRefusal: string | undefined

  /** `capMs`: the longest delay between two attempts; absent: the default. */
  constructor(random: () => number, capMs?: number) {
    this.#random = random
    this.#capMs = capMs
  }

  /** Why the last token was refused, until a login succeeds: the next token MUST be another one. */
  get tokenRefusal(): string | undefined {
    return this.#tokenRefusal
  }

  onLogin(): void {
    this.#tokenRefusal = undefined
  }

  onReadyFor(ms: number): void {
    if (ms < STABLE_MS) return
    this.#attempt = 0
    this.#invalidFrames = 0
  }

  decide(disconnect: DisconnectReason): ReconnectDecision {
    if (disconnect.is === 'signed-out')
      return end({ is: 'signed-out', code: this.#tokenRefusal ?? 'unauthenticated' })
    const { action, reason, mustBackOff = false, afterMs } = handlingOf(disconnect)
    switch (action) {
      case 'stop':
        return end({ is: 'forbidden', code: reason })
      case 'forget the account':
        return end({ is: 'account-deleted' })
      case 'get a new token':
        if (this.#tokenRefusal) return end({ is: 'signed-out', code: reason })
        this.#tokenRefusal = reason
        return this.#retry({ reason, mustBackOff, fresh: false })
      case 'sync fresh, at most once':
        if (this.#invalidFrames++ > 0) return end({ is: 'incompatible', code: reason })
        return this.#retry({ reason, mustBackOff, fresh: true })
      case 'reconnect':
        return this.#retry({ reason, mustBackOff, fresh: false, afterMs })
    }
  }

  #retry(how: {
    reason: string
    mustBackOff: boolean
    fresh: boolean
    afterMs?: number | undefined
  }): ReconnectDecision {
    const { reason, mustBackOff, fresh, afterMs } = how
    const attempt = this.#attempt++
    const delayMs =
      afterMs ?? reconnectDelayMs(mustBackOff ? attempt + 1 : attempt, this.#random, this.#capMs)
    return { is: 'retry', reason, attempt: attempt + 1, delayMs, mustBackOff, fresh }
  }
}

const end = (reason: EndReason): ReconnectDecision => ({ is: 'end', reason })
