import { Refusal } from '@lectern/protocol'
import type { Clock } from '../clock.ts'
import { RateLimiter } from '../rate-limiter.ts'

const BURST_SECONDS = 60

/** How many people an account may ask to become contacts, or write to without being one (rule MSG-27). */
export class ContactRequestLimiter {
  readonly #accounts: RateLimiter<number>

  constructor(clock: Clock, perMinute: number | null) {
    this.#accounts = new RateLimiter(clock, perMinute, BURST_SECONDS)
  }

  /** Throws `too_many_contact_requests`. */
  take(userId: number): void {
    const retryAfterMs = this.#accounts.take(userId, 1)
    if (retryAfterMs > 0) throw new Refusal('too_many_contact_requests', undefined, { retryAfterMs })
  }
}
