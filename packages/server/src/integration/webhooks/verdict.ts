import type { Settlement } from '../ports.ts'
import type { Outcome } from './send.ts'

/** Between the attempts (rule RETRY-3); so there are six of them. */
const RETRY_DELAYS_MS = [10, 30, 120, 600, 1800].map(seconds => seconds * 1000)

const RETRIED = [408, 425, 429]

/** What becomes of a delivery after an attempt, of which it had `attempts` before. */
export function judge(outcome: Outcome, attempts: number, now: number): Settlement {
  const responseStatus = outcome.is === 'answered' ? outcome.status : null
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { is: 'delivered', responseStatus }
  const error = outcome.is === 'answered' ? `HTTP ${outcome.status}` : outcome.reason
  const delay = mayBeTriedAgain(outcome) ? RETRY_DELAYS_MS[attempts] : undefined
  if (delay === undefined) return { is: 'failed', responseStatus, error }
  return { is: 'retry', atMs: now + delay, responseStatus, error }
}

/** Other 4xx are final, and so are redirects: they are not followed (rule RETRY-4). */
function mayBeTriedAgain(outcome: Outcome): boolean {
  switch (outcome.is) {
    case 'unreachable':
      return true
    case 'forbidden':
      return false
    case 'answered':
      return RETRIED.includes(outcome.status) || (outcome.status >= 500 && outcome.status < 600)
  }
}
