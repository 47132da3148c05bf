const BACKOFF_FIRST_MS = 250
/** For programs, of which many may come back at once, and nobody waits for one of them. */
export const BACKOFF_CAP_MS = 10_000

/** How long to wait before retry `attempt` (rule C16): at once the first time, then with full jitter. */
export function backoffMs(attempt: number, random: () => number, capMs = BACKOFF_CAP_MS): number {
  if (attempt === 0) return 0
  return random() * Math.min(capMs, BACKOFF_FIRST_MS * 2 ** (attempt - 1))
}
