import { backoffMs } from '@lectern/common'

const FIRST_MS = 250
/** The default, for programs: many may reconnect at once, and no person waits for one of them. */
export const BACKOFF_CAP_MS = 10_000

/** The delay before retry `attempt` (rule C16): none the first time, then exponential with full jitter. */
export function reconnectDelayMs(attempt: number, random: () => number, maxMs = BACKOFF_CAP_MS): number {
  return attempt === 0 ? 0 : backoffMs(attempt - 1, { firstMs: FIRST_MS, maxMs, jitter: 1, random })
}
