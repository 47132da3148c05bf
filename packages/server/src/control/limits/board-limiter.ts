import type { Clock } from '../../platform/clock.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import type { BoardLimiter } from '../../sessions/board/ports.ts'

const BURST_SECONDS = 20
/** Changes of one account: more than a hand can draw, and the batches of a cleared page that is restored. */
const CHANGES_PER_MINUTE = 900
const BYTES_PER_MINUTE = 16_777_216
/** Deliveries of one session to all who watch: 30 people who draw twice a second, and 500 who watch. */
const DELIVERIES_PER_MINUTE = 1_800_000

/** The rates of boards (rule BOARD-13). They belong to the account and to the session. */
export function boardLimiter(clock: Clock, { isEnabled }: { isEnabled: boolean }): BoardLimiter {
  const rate = (perMinute: number) =>
    new RateLimiter<number>(clock, isEnabled ? perMinute : null, BURST_SECONDS)
  const [changes, size, deliveries] = [
    rate(CHANGES_PER_MINUTE),
    rate(BYTES_PER_MINUTE),
    rate(DELIVERIES_PER_MINUTE),
  ]
  return {
    take({ userId, sessionId, receivers, bytes }) {
      const waitMs = Math.max(
        changes.waitMs(userId, 1),
        size.waitMs(userId, bytes),
        deliveries.waitMs(sessionId, receivers),
      )
      if (waitMs > 0) return waitMs
      changes.charge(userId, 1)
      size.charge(userId, bytes)
      deliveries.charge(sessionId, receivers)
      return 0
    },
  }
}
