import type { Clock } from '../../clock.ts'
import { networksOf } from '../../networks.ts'
import { RateLimiter } from '../../rate-limiter.ts'

/** Allows a page to repeat its request after a network failure. */
const BURST_SECONDS = 20

/** Requests to be admitted, counted for each account and for each client network. Null: no limit. */
export class LobbyRateLimiter {
  readonly #accounts: RateLimiter<number>
  readonly #networks: RateLimiter<string>

  constructor(clock: Clock, perMinute: { account: number | null; address: number | null }) {
    this.#accounts = new RateLimiter(clock, perMinute.account, BURST_SECONDS)
    this.#networks = new RateLimiter(clock, perMinute.address, BURST_SECONDS)
  }

  /** 0 when it is granted, otherwise the milliseconds after which it may be. */
  take(userId: number, address: string): number {
    return this.#accounts.take(userId, 1) || this.#networks.take(networksOf(address).narrow, 1)
  }
}
