import { backoffMs } from '@lectern/common'
import { type AttemptOutcome, isRetryable } from '../../platform/delivery/guarded-post.ts'
import { isOfCall, type PushDelivery, type PushSettlement } from './ports.ts'

/** `gone`: the push service does not know the subscription any more. */
export type PushResult = PushSettlement | { is: 'gone' }

/** Within a quiet time a conversation causes at most one notification on each device (rule PUSH-14). */
const QUIET_MS = 10_000
/** A call that was notified may have to be withdrawn until it has stopped ringing, also after a restart (rule PUSH-10). */
const WITHDRAWAL_MS = 120_000
const MAX_BACKOFF_MS = 15 * 60_000
const MAX_RETRY_AFTER_MS = 24 * 3_600_000
const JITTER = 0.5

/** The consequence of an attempt (rules PUSH-16 to PUSH-19). */
export function settle(outcome: AttemptOutcome, push: PushDelivery, nowMs: number): PushResult {
  const responseStatus = outcome.is === 'answered' ? outcome.status : null
  const error = outcome.is === 'answered' ? `HTTP ${outcome.status}` : outcome.reason
  if (responseStatus === 404 || responseStatus === 410) return { is: 'gone' }
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { is: 'delivered', quietUntilMs: quietUntilMs(push, nowMs) }
  if (!isRetryable(outcome)) return { is: 'dropped', responseStatus, error }
  const atMs =
    nowMs + Math.max(delayOf(push), outcome.is === 'answered' ? retryAfterMs(outcome.retryAfter, nowMs) : 0)
  if (atMs >= push.expiresAtMs) return { is: 'dropped', responseStatus, error }
  return { is: 'retry', atMs, responseStatus, error }
}

const quietUntilMs = ({ payload, expiresAtMs }: PushDelivery, nowMs: number) =>
  payload.type === 'call' ? Math.max(nowMs, expiresAtMs) + WITHDRAWAL_MS : nowMs + QUIET_MS

/** A call is worth a quick second attempt. */
const delayOf = ({ attempts, payload }: PushDelivery) =>
  backoffMs(attempts, {
    firstMs: isOfCall(payload) ? 2_000 : 10_000,
    maxMs: MAX_BACKOFF_MS,
    jitter: JITTER,
  })

/** Retry-After is a number of seconds or a date; anything else counts as absent. */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0
}
