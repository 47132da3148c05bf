import type { AttemptOutcome } from '../../../platform/delivery/guarded-post.ts'
import type { Settlement } from '../../ports.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

/** Delays between attempts: together three days (rule EVENTS-6). */
const RETRY_DELAYS_MS = [
  ...[10, 30, 120, 600, 1_800].map(seconds => seconds * SECOND),
  ...[1, 2, 4, 8, 12, 12, 12, 12, 8].map(hours => hours * HOUR),
]

/** A part of each delay is random, so that the events of an outage do not return all at once. */
const JITTER = 0.2

/** An endpoint without a success for so long is disabled (rule EVENTS-7). */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR

/** Settles an attempt; `attempts` is the number of earlier ones. Every answer but 2xx is tried again: the receiver may be broken. */
export function settlementOf(
  outcome: AttemptOutcome,
  attempts: number,
  nowMs: number,
  random: () => number = Math.random,
): Settlement {
  const responseStatus = outcome.is === 'answered' ? outcome.status : null
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { is: 'delivered', responseStatus }
  const error = outcome.is === 'answered' ? `HTTP ${outcome.status}` : outcome.reason
  const delay = RETRY_DELAYS_MS[attempts]
  if (delay === undefined) return { is: 'failed', responseStatus, error }
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
  return { is: 'retry', atMs: nowMs + jittered, responseStatus, error }
}
