import type { Clock } from '../../platform/clock.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import { RINGS_PER_PAIR_PER_MINUTE } from './limits.ts'

/** All calls of a minute may be made at once. */
const BURST_SECONDS = 60

/** How often an account rings others together, and each of them (rule CALL-4). */
export class InvitationLimiter {
  readonly #accounts: RateLimiter<number>
  readonly #pairs: RateLimiter<string>

  /** `perMinute`: the people that an account calls; null: no limits. */
  constructor(clock: Clock, perMinute: number | null) {
    this.#accounts = new RateLimiter(clock, perMinute, BURST_SECONDS)
    this.#pairs = new RateLimiter(clock, perMinute && RINGS_PER_PAIR_PER_MINUTE, BURST_SECONDS)
  }

  /** 0, or the milliseconds until the account may ring these people; nothing counts then. */
  take(inviterId: number, userIds: readonly number[]): number {
    const pairs = userIds.map(id => `${inviterId}-${id}`)
    const waitMs = Math.max(0, ...pairs.map(pair => this.#pairs.waitMs(pair, 1)))
    if (waitMs > 0) return waitMs
    const accountWaitMs = this.#accounts.take(inviterId, userIds.length)
    if (accountWaitMs === 0) for (const pair of pairs) this.#pairs.take(pair, 1)
    return accountWaitMs
  }
}
