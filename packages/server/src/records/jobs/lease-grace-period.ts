import { LEASE_MS } from './limits.ts'

/** Holders renew more often: a shorter pause lets no lease of theirs expire. */
const PAUSE_MAX_MS = LEASE_MS / 2
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

  /** Leases that ran out until then have expired. */
  expiredAtMs(nowMs: number): number {
    return this.#isPaused(nowMs) || nowMs - this.#reachedSinceMs < GRACE_MS ? 0 : nowMs
  }

  /** Also when the clock was set, in either direction. */
  #isPaused(nowMs: number): boolean {
    return Math.abs(nowMs - this.#reachedAtMs) > PAUSE_MAX_MS
  }
}
