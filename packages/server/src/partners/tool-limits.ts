import type { Clock } from '../platform/clock.ts'
import { RateLimiter } from '../platform/rate-limiter.ts'

/** The cost of each request in the budget of a minute: lists search tables, tests and replays send requests elsewhere,
 * slides are converted. */
export const TOOL_COSTS = { read: 1, replay: 2, test: 10, rotate: 10, slides: 5 } as const

const BUDGET_PER_MINUTE = 120
const BURST_SECONDS = 60

/** Limits what a service account, by its name, reads in lists and has sent (docs/partner-api.md#limits). */
export const toolLimiter = (clock: Clock, isLimited: boolean) =>
  new RateLimiter<string>(clock, isLimited ? BUDGET_PER_MINUTE : null, BURST_SECONDS)
