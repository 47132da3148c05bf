import type { Logger } from 'pino'
import type { DomainEvents } from '../../domain-events.ts'
import type { Clock } from '../../platform/clock.ts'
import { ConcurrencyLimiter } from '../../platform/delivery/concurrency-limiter.ts'
import { DeliveryQueue } from '../../platform/delivery/queue.ts'
import { pushAttempts } from './attempt.ts'
import { type CallOutboxParts, PushCallOutbox } from './call-outbox.ts'
import { PushMetrics } from './metrics.ts'
import { type NotifierParts, PushNotifier } from './notifier.ts'
import { type OutboxParts, PushOutbox } from './outbox.ts'
import type { PushDelivery } from './ports.ts'
import type { PushSender } from './sender.ts'

export interface PushServiceParts extends Omit<NotifierParts, 'providers'>, OutboxParts, CallOutboxParts {
  sender: PushSender
  domainEvents: DomainEvents
  clock: Clock
  log: Logger
  setBackMs?: number
}

/** Attempts cost processor time for encryption; endpoints of one subscription get one at a time, in order. */
const CONCURRENCY = { total: 128, perTarget: 1 }

/** Notifies people of calls and messages, and keeps the queue moving. */
export class PushService {
  readonly #parts: PushServiceParts
  readonly #metrics: PushMetrics
  readonly #notifier: PushNotifier
  readonly #queue: DeliveryQueue<PushDelivery>
  readonly #outbox: PushOutbox
  readonly #callOutbox: PushCallOutbox

  constructor(parts: PushServiceParts) {
    const { deliveries, subscriptions, sender, domainEvents, clock, log } = parts
    this.#parts = parts
    const metrics = new PushMetrics({ deliveries, subscriptions }, clock)
    this.#metrics = metrics
    const notifier = new PushNotifier({ ...parts, providers: sender.providers })
    this.#notifier = notifier
    this.#queue = new DeliveryQueue({
      kind: 'push',
      store: deliveries,
      attempt: pushAttempts({
        ...{ deliveries, subscriptions, sender, metrics, clock, log },
        contentNow: (delivery, language) => notifier.contentNow(delivery, language),
      }),
      clock,
      log,
      limiter: new ConcurrencyLimiter(CONCURRENCY),
      setBackMs: parts.setBackMs,
    })
    const wakeAfter = async (stored: Promise<void>) => {
      await stored
      this.#queue.wake()
    }
    this.#outbox = new PushOutbox(parts, event => wakeAfter(notifier.onMessage(event)))
    this.#callOutbox = new PushCallOutbox(parts, {
      onCall: event => wakeAfter(notifier.onCall(event)),
      onRingingStopped: event => wakeAfter(notifier.onRingingStopped(event)),
      onCallRecovered: now => wakeAfter(notifier.onCallRecovered(now)),
    })
    domainEvents.subscribe('device-vanished', async ({ userId }) => notifier.onVanished(userId))
    domainEvents.subscribe('presence-changed', async ({ userId, presence }) => {
      if (presence !== 'offline' && presence !== 'away') return
      await notifier.onAbsent(userId)
      this.#queue.wake()
    })
    domainEvents.subscribe('call-ringing', event => this.#callOutbox.onCall(event))
    domainEvents.subscribe('message-stored', event => this.#outbox.onMessage(event))
    domainEvents.subscribe('ringing-stopped', event => this.#callOutbox.onRingingStopped(event))
  }

  get metrics(): PushMetrics['metrics'] {
    return this.#metrics.metrics
  }

  start(): void {
    this.#queue.start()
  }

  async stop(): Promise<void> {
    await this.tick().catch(() => {}) // the next process does it
    await this.#queue.stop()
  }

  /** MUST be called about every second. */
  async tick(): Promise<void> {
    await this.#callOutbox.tick()
    await this.#outbox.tick()
  }

  refreshMetrics(): Promise<void> {
    return this.#metrics.refresh()
  }

  /** Removes rows that are of no use any more. */
  async sweep(): Promise<void> {
    const { deliveries, subscriptions, clock } = this.#parts
    await deliveries.sweep(clock())
    await subscriptions.sweep(clock())
    this.#notifier.sweep()
  }
}
