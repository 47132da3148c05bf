import { type AttemptOutcome, isRetryable } from '../../platform/delivery/guarded-post.ts'
import type { Settlement } from '../ports.ts'

/** Delays between the six attempts (rule RETRY-3). */
const RETRY_DELAYS_MS = [10, 30, 120, 600, 1800].map(seconds => seconds * 1000)

/** Settles an attempt; `attempts` is the number of earlier ones (rules RETRY-3 and RETRY-4). */
export function settlementFor(outcome: AttemptOutcome, attempts: number, now: number): Settlement {
  const responseStatus = outcome.is === 'answered' ? outcome.status : null
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { is: 'delivered', responseStatus }
  const error = outcome.is === 'answered' ? `HTTP ${outcome.status}` : outcome.reason
  const delay = isRetryable(outcome) ? RETRY_DELAYS_MS[attempts] : undefined
  if (delay === undefined) return { is: 'failed', responseStatus, error }
  return { is: 'retry', atMs: now + delay, responseStatus, error }
}
