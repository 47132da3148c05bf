const BACKOFF_FIRST_MS = 250
/** The default, for programs: many may reconnect at once, and no person waits for one of them. */
export const BACKOFF_CAP_MS = 10_000

/** The delay before retry `attempt` (rule C16): none the first time, then exponential with full jitter. */
export function backoffMs(attempt: number, random: () => number, capMs = BACKOFF_CAP_MS): number {
  if (attempt === 0) return 0
  return random() * Math.min(capMs, BACKOFF_FIRST_MS * 2 ** (attempt - 1))
}
