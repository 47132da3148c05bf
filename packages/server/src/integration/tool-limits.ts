import { Refusal } from '@lectern/protocol'
import type { Clock } from '../clock.ts'
import { RateLimiter } from '../rate-limiter.ts'

/** What each request costs of the budget of a minute: lists search tables, tests and replays send requests elsewhere. */
const COSTS = { read: 1, replay: 2, test: 10, rotate: 10 } as const
export type ToolUse = keyof typeof COSTS

const BUDGET_PER_MINUTE = 120
const BURST_SECONDS = 60

/** Limits what a service account reads in lists and has sent (docs/partner-api.md#limits). */
export class ToolLimits {
  readonly #limiter: RateLimiter<string>

  /** Without limits everything is granted. */
  constructor(clock: Clock, isLimited: boolean) {
    this.#limiter = new RateLimiter(clock, isLimited ? BUDGET_PER_MINUTE : null, BURST_SECONDS)
  }

  /** Throws `rate_limited`. */
  charge(serviceAccount: string, use: ToolUse): void {
    const retryAfterMs = this.#limiter.take(serviceAccount, COSTS[use])
    if (retryAfterMs > 0) throw new Refusal('rate_limited', undefined, { retryAfterMs })
  }
}
