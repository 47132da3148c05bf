import type { Clock } from '../../platform/clock.ts'
import type { PushDeliveryStore } from '../stores/push-deliveries.ts'
import type { PushSubscriptionStore } from '../stores/push-subscriptions.ts'
import type { PushSettlement } from './ports.ts'

type Outcome = PushSettlement['is'] | 'gone'

/** Metrics of subscriptions, of pending pushes, and of attempts since the start. */
export class PushMetrics {
  readonly #stores: { deliveries: PushDeliveryStore; subscriptions: PushSubscriptionStore }
  readonly #clock: Clock
  readonly #counts: Record<Outcome, number> = { delivered: 0, retry: 0, dropped: 0, returned: 0, gone: 0 }
  #pending: { count: number; oldestAtMs: number | null } = { count: 0, oldestAtMs: null }
  #subscriptions = 0

  constructor(stores: { deliveries: PushDeliveryStore; subscriptions: PushSubscriptionStore }, clock: Clock) {
    this.#stores = stores
    this.#clock = clock
  }

  count(outcome: Outcome): void {
    this.#counts[outcome]++
  }

  /** Updates the numbers of rows. */
  async refresh(): Promise<void> {
    this.#pending = await this.#stores.deliveries.pending()
    this.#subscriptions = await this.#stores.subscriptions.count()
  }

  get metrics() {
    const counted = (outcome: Outcome, help: string) => ({
      help,
      type: 'counter' as const,
      read: () => this.#counts[outcome],
    })
    return {
      push_subscriptions: { help: 'Push subscriptions.', read: () => this.#subscriptions },
      push_deliveries_pending: {
        help: 'Pushes that wait for an attempt or are under way.',
        read: () => this.#pending.count,
      },
      push_oldest_pending_seconds: {
        help: 'Age of the oldest pending push.',
        read: () => {
          const { oldestAtMs } = this.#pending
          return oldestAtMs === null ? 0 : Math.max(0, Math.floor((this.#clock() - oldestAtMs) / 1000))
        },
      },
      push_attempts_delivered: counted('delivered', 'Push attempts that were accepted.'),
      push_attempts_retried: counted('retry', 'Push attempts that are followed by another.'),
      push_attempts_dropped: counted('dropped', 'Pushes that were dropped: refused, or expired.'),
      push_subscriptions_gone: counted('gone', 'Subscriptions that the push service did not know any more.'),
    }
  }
}
