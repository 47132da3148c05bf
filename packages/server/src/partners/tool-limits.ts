import type { Clock } from '../platform/clock.ts'
import { RateLimiter } from '../platform/rate-limiter.ts'
import type { Caller } from './service-accounts.ts'

/** The cost of each request in the budget of a minute: lists search tables, tests and replays send requests elsewhere,
 * slides are converted. */
export const TOOL_COSTS = { read: 1, replay: 2, test: 10, rotate: 10, slides: 5 } as const

const BUDGET_PER_MINUTE = 120
const BURST_SECONDS = 60

/** All requests of an owner: pages load several things at once, and refresh some. */
const OWNER_REQUESTS_PER_MINUTE = 300

/**
 * Limits a service account's reading of lists and sending of deliveries (docs/partner-api.md#limits). Each of its
 * owners has a budget of their own: nobody in a browser uses up the backend's.
 */
export class ToolLimits {
  readonly #limiter: RateLimiter<string>

  constructor(clock: Clock, isLimited: boolean) {
    this.#limiter = new RateLimiter(clock, isLimited ? BUDGET_PER_MINUTE : null, BURST_SECONDS)
  }

  /** Throws `rate_limited`. */
  enforce({ name, owner }: Caller, cost: number): void {
    // Names have no spaces.
    this.#limiter.enforce(owner ? `${name} ${owner.userId}` : name, cost)
  }
}

/** Limits the requests of owners, by user id. */
export const ownerLimiter = (clock: Clock, isLimited: boolean) =>
  new RateLimiter<number>(clock, isLimited ? OWNER_REQUESTS_PER_MINUTE : null, BURST_SECONDS)
