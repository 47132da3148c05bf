import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import type { Post } from '../../../platform/delivery/guarded-post.ts'
import { type MakeAttempt, readBeforeSending } from '../../../platform/delivery/queue.ts'
import type { DeliveryToSend, Endpoint, Settlement } from '../../ports.ts'
import type { EndpointDeliveryStore } from '../../stores/v2/deliveries.ts'
import type { EndpointStore } from '../../stores/v2/endpoints.ts'
import { excerptOf } from '../../webhooks/response-excerpt.ts'
import { eventHeaders } from './headers.ts'
import { DISABLE_AFTER_MS, settlementOf } from './retry-policy.ts'

export interface EndpointAttemptParts {
  store: EndpointDeliveryStore
  endpoints: EndpointStore
  /** Whether the service account, and its technical user, are active. */
  isUsable: (endpoint: Endpoint) => Promise<boolean>
  post: Post
  /** Tells the operator that the endpoint is disabled. */
  onDisabled: (endpoint: Endpoint) => unknown
  clock: Clock
  log: Pick<Logger, 'warn' | 'debug'>
}

/** Slower responses make the receiver unhealthy. */
const SLOW_RESPONSE_MS = 5_000
/** The pause for a partner whose account is disabled: it may be enabled again. */
const POSTPONED_MS = 600_000

/** Attempts to deliver to the endpoint, and records their outcomes. */
export const endpointAttempts =
  (parts: EndpointAttemptParts): MakeAttempt<DeliveryToSend> =>
  async ({ delivery, leaseToken, signal }) => {
    const { store, endpoints, isUsable, post, onDisabled, clock, log } = parts
    const settle = (settlement: Settlement, record?: Parameters<EndpointDeliveryStore['settle']>[4]) =>
      store.settle(
        delivery,
        leaseToken,
        settlement,
        { nowMs: clock(), disableAfterMs: DISABLE_AFTER_MS },
        record,
      )
    // Read for each attempt, because url, secret and state may have changed.
    const [endpoint, mayReceive] = await readBeforeSending(
      async () => {
        const found = await endpoints.get(delivery.endpointId)
        return [found, found !== null && (await isUsable(found))] as const
      },
      atMs => settle({ is: 'returned', atMs }),
      clock,
    )
    if (!endpoint?.enabled) return void (await settle({ is: 'cancelled' }))
    if (!mayReceive) return void (await settle({ is: 'returned', atMs: clock() + POSTPONED_MS }))

    const startedAtMs = clock()
    const begun = performance.now()
    const { eventId: id, type, body } = delivery
    const outcome = await post(
      endpoint.url,
      { headers: eventHeaders({ id, type, body }, endpoint, startedAtMs), body },
      signal,
    )
    const durationMs = Math.round(performance.now() - begun)
    const isBrokenOff = outcome.is === 'unreachable' && signal.aborted
    const settlement: Settlement = isBrokenOff
      ? { is: 'returned', atMs: clock() }
      : settlementOf(outcome, delivery.attempts, clock())
    const isAnswered = outcome.is === 'answered'
    const excerpt =
      isAnswered && settlement.is !== 'delivered'
        ? await excerptOf(outcome.body, { webhook: endpoint, delivery })
        : null
    const error = 'error' in settlement ? settlement.error : null
    const { isSettled, isDisabled } = await settle(settlement, {
      startedAtMs,
      durationMs,
      responseStatus: isAnswered ? outcome.status : null,
      error: isAnswered ? error : outcome.reason,
      excerpt,
    })
    if (isSettled) log.debug({ delivery: delivery.id, endpoint: endpoint.id, ...settlement }, 'event attempt')
    if (isDisabled) {
      const about = { endpoint: endpoint.id, service_account: endpoint.serviceAccount }
      log.warn(about, 'an endpoint of a partner is disabled: it has accepted nothing for 5 days')
      onDisabled(endpoint)
    }
    return isAnswered && outcome.status < 500 && durationMs < SLOW_RESPONSE_MS
  }
