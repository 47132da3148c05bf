import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { type Attempt, type MakeAttempt, readBeforeSending } from '../../platform/delivery/queue.ts'
import { noTracing, type Span, type SpanOptions, type Tracing } from '../../platform/tracing.ts'
import type { AttemptRecord, Delivery, Settlement } from '../ports.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'
import type { WebhookStore } from '../stores/webhooks.ts'
import type { DeliveryMetrics } from './delivery-metrics.ts'
import { excerptOf } from './response-excerpt.ts'
import { settlementFor } from './retry-policy.ts'
import type { Send } from './send.ts'

export interface AttemptParts {
  store: DeliveryStore
  webhooks: WebhookStore
  send: Send
  clock: Clock
  log: Pick<Logger, 'warn' | 'debug'>
  metrics: DeliveryMetrics
  tracing?: Tracing
}

/** Slower responses make the receiver unhealthy. */
const SLOW_RESPONSE_MS = 5_000

/** Attempts to deliver to the webhook of the delivery's service account, and records their outcomes. */
export function webhookAttempts(parts: AttemptParts): MakeAttempt<Delivery> {
  const { tracing = noTracing } = parts
  return attempt =>
    tracing.run('webhook attempt', spanOf(attempt.delivery), span => makeAttempt(parts, attempt, span))
}

/** Deliveries about a job belong to the trace of the job. */
const spanOf = ({ id, event, subject, attempts }: Delivery): SpanOptions => ({
  kind: 'client',
  attributes: { 'lectern.delivery_id': id, 'lectern.event': event, 'lectern.attempt': attempts + 1 },
  partOf: /^\w+:(job_[0-9a-f]+)$/.exec(subject)?.[1],
})

async function makeAttempt(
  parts: AttemptParts,
  attempt: Attempt<Delivery>,
  span: Span,
): Promise<boolean | undefined> {
  const { webhooks, send, clock } = parts
  const { delivery, signal } = attempt
  // Read for each attempt, because url, secret and state may have changed.
  const [webhook] = await readBeforeSending(
    () => webhooks.active({ serviceAccount: delivery.serviceAccount }),
    atMs => settle(parts, attempt, { is: 'returned', atMs }),
    clock,
  )
  if (!webhook) {
    await settle(parts, attempt, { is: 'cancelled' })
    return undefined
  }
  const startedAtMs = clock()
  const begun = performance.now()
  const outcome = await send(delivery, webhook, signal)
  const durationMs = Math.round(performance.now() - begun)
  const isBrokenOff = outcome.is === 'unreachable' && signal.aborted
  const settlement: Settlement = isBrokenOff
    ? { is: 'returned', atMs: clock() }
    : settlementFor(outcome, delivery.attempts, clock())
  await settle(parts, attempt, settlement, {
    startedAtMs,
    durationMs,
    responseStatus: outcome.is === 'answered' ? outcome.status : null,
    error: outcome.is === 'answered' ? errorOf(settlement) : outcome.reason,
    excerpt:
      outcome.is === 'answered' && settlement.is !== 'delivered'
        ? await excerptOf(outcome.body, { webhook, delivery })
        : null,
  })
  span.set({ 'lectern.outcome': settlement.is })
  if (outcome.is === 'answered') span.set({ 'http.response.status_code': outcome.status })
  const failure = errorOf(settlement)
  if (failure !== null) span.fail(failure)
  return outcome.is === 'answered' && outcome.status < 500 && durationMs < SLOW_RESPONSE_MS
}

const errorOf = (settlement: Settlement) => ('error' in settlement ? settlement.error : null)

async function settle(
  { store, clock, log, metrics }: AttemptParts,
  { delivery, leaseToken }: Attempt<Delivery>,
  settlement: Settlement,
  record?: AttemptRecord,
) {
  if (!(await store.settle(delivery.id, leaseToken, settlement, clock(), record))) return
  metrics.count(settlement)
  // Without the url, which may contain a secret, and without the receiver's response.
  const { id, event, serviceAccount, attempts } = delivery
  const about = { delivery: id, event, service_account: serviceAccount, attempt: attempts + 1, ...settlement }
  if (settlement.is === 'failed')
    log.warn(about, 'a webhook delivery has failed for good: "lectern webhook replay" sends it again')
  else log.debug(about, 'webhook attempt')
}
