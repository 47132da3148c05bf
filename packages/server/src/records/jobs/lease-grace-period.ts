import { LEASE_MS } from './limits.ts'

/** Holders renew more often: a shorter pause lets no lease of theirs expire. */
const PAUSE_MAX_MS = LEASE_MS / 2
/** A lease that lasts longer was made before the clock was set back. Clocks of servers may differ a little. */
const LONGEST_LEASE_MS = 2 * LEASE_MS
/** Within that time every holder that lives has renewed its lease. */
const GRACE_MS = LEASE_MS / 2

/**
 * Which leases have expired. After a time in which this server did not run or did not reach the store, holders get the
 * time to renew what has run out meanwhile (rule J22): their jobs would be taken from them although they never stopped.
 */
export class LeaseGracePeriod {
  #reachedSinceMs = Number.POSITIVE_INFINITY
  #reachedAtMs = Number.NEGATIVE_INFINITY

  /** The store has answered. */
  onReached(nowMs: number): void {
    if (this.#isPaused(nowMs)) this.#reachedSinceMs = nowMs
    this.#reachedAtMs = nowMs
  }

  /** Leases that ran out until then have expired, and so have those that last longer than a lease can. */
  expired(nowMs: number): { expiredAtMs: number; impossibleAfterMs: number } {
    const isGraceTime = this.#isPaused(nowMs) || nowMs - this.#reachedSinceMs < GRACE_MS
    return isGraceTime
      ? { expiredAtMs: 0, impossibleAfterMs: Number.MAX_SAFE_INTEGER }
      : { expiredAtMs: nowMs, impossibleAfterMs: nowMs + LONGEST_LEASE_MS }
  }

  /** Also when the clock was set, in either direction. */
  #isPaused(nowMs: number): boolean {
    return Math.abs(nowMs - this.#reachedAtMs) > PAUSE_MAX_MS
  }
}
