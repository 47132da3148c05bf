import type { Clock } from '../../platform/clock.ts'
import { networksOf } from '../../platform/networks.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'

/** Allows a page to repeat its request after a network failure. */
const BURST_SECONDS = 20

/** Requests to be admitted, counted for each account and for each client network. Null: no limit. */
export class LobbyRateLimiter {
  readonly #accounts: RateLimiter<number>
  readonly #networks: RateLimiter<string>

  constructor(clock: Clock, perMinute: { account: number | null; address: number | null }) {
    const code = 'too_many_admission_requests'
    this.#accounts = new RateLimiter(clock, perMinute.account, BURST_SECONDS, code)
    this.#networks = new RateLimiter(clock, perMinute.address, BURST_SECONDS, code)
  }

  /** Throws `too_many_admission_requests`. */
  enforce(userId: number, address: string): void {
    this.#accounts.enforce(userId)
    this.#networks.enforce(networksOf(address).narrow)
  }
}
