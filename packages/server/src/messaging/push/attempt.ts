import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { type Attempt, type MakeAttempt, readBeforeSending } from '../../platform/delivery/queue.ts'
import type { PushDeliveryStore } from '../stores/push-deliveries.ts'
import type { PushSubscriptionStore } from '../stores/push-subscriptions.ts'
import type { PushMetrics } from './metrics.ts'
import type { PushDelivery, PushPayload, PushSubscription } from './ports.ts'
import { type PushResult, settle } from './retry-policy.ts'
import type { PushSender } from './sender.ts'

export interface AttemptParts {
  deliveries: PushDeliveryStore
  subscriptions: PushSubscriptionStore
  sender: PushSender
  /** What the notification says now, in that language; null: nothing any more (rule PUSH-22). */
  contentNow: (delivery: PushDelivery, language: string | null) => Promise<PushPayload | null>
  metrics: PushMetrics
  clock: Clock
  log: Pick<Logger, 'debug' | 'warn' | 'info'>
}

/** Slower responses make the endpoint unhealthy. */
const SLOW_RESPONSE_MS = 5_000
/** A notification with a TTL of zero is sent once, at once: within this time. */
const FIRST_ATTEMPT_WITHIN_MS = 10_000

/** Attempts to deliver pushes, and records their outcomes. */
export function pushAttempts(parts: AttemptParts): MakeAttempt<PushDelivery> {
  return async attempt => {
    const { deliveries, subscriptions, sender, contentNow, clock } = parts
    const { delivery, leaseToken, signal } = attempt
    const read = <T>(work: () => Promise<T>) =>
      readBeforeSending(
        work,
        atMs => deliveries.settle(delivery.id, leaseToken, { is: 'returned', atMs }),
        clock,
      )
    // Read for each attempt: its keys may have changed, it was removed, or its sign-in has ended.
    const to = await read(() => subscriptions.findValid(delivery.clientId, delivery.endpoint, clock()))
    if (!to || !sender.providers.includes(to.provider)) return drop(parts, attempt, 'NO_SUBSCRIPTION')
    if (isExpired(delivery, clock())) return drop(parts, attempt, 'EXPIRED')
    const payload = await read(() => contentNow(delivery, to.language))
    if (!payload) return drop(parts, attempt, 'OBSOLETE')
    const begun = performance.now()
    const outcome = await sender.send(to, { ...delivery, payload }, signal)
    const isBrokenOff = outcome.is === 'unreachable' && signal.aborted
    await record(
      parts,
      attempt,
      to,
      isBrokenOff ? { is: 'returned', atMs: clock() } : settle(outcome, delivery, clock()),
    )
    return outcome.is === 'answered' && outcome.status < 500 && performance.now() - begun < SLOW_RESPONSE_MS
  }
}

function isExpired({ attempts, expiresAtMs }: PushDelivery, nowMs: number): boolean {
  return nowMs > expiresAtMs + (attempts === 0 ? FIRST_ATTEMPT_WITHIN_MS : 0)
}

async function drop({ deliveries, metrics }: AttemptParts, attempt: Attempt<PushDelivery>, error: string) {
  const { delivery, leaseToken } = attempt
  const settlement = { is: 'dropped', responseStatus: null, error } as const
  if (await deliveries.settle(delivery.id, leaseToken, settlement)) metrics.count('dropped')
  return undefined
}

async function record(
  { deliveries, subscriptions, metrics, log }: AttemptParts,
  { delivery, leaseToken }: Attempt<PushDelivery>,
  to: PushSubscription,
  result: PushResult,
): Promise<void> {
  const about = aboutDelivery(delivery, to)
  if (result.is === 'gone') {
    await subscriptions.remove(to.clientId, to.endpoint)
    metrics.count('gone')
    log.info(about, 'a push subscription has ended at the push service and was removed')
    return
  }
  // False when it was replaced meanwhile: the newer content follows.
  if (!(await deliveries.settle(delivery.id, leaseToken, result))) return
  metrics.count(result.is)
  const level = result.is === 'dropped' ? 'warn' : 'debug'
  log[level]({ ...about, ...result }, result.is === 'dropped' ? 'a push was dropped' : 'push attempt')
}

/** Without the endpoint, which is a secret, and without the content. */
const aboutDelivery = (
  { id, clientId, attempts, payload }: PushDelivery,
  { provider, endpoint }: PushSubscription,
) => ({
  delivery: id,
  user_id: clientId,
  type: payload.type,
  attempt: attempts + 1,
  ...(provider === 'webpush' && { push_service: new URL(endpoint).origin }),
})
