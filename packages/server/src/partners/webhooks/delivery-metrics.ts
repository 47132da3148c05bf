import { type Clock, unixSeconds } from '../../platform/clock.ts'
import type { Settlement } from '../ports.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'

/** Metrics of pending deliveries and of attempts since the start. */
export class DeliveryMetrics {
  readonly #store: DeliveryStore
  readonly #clock: Clock
  readonly #counts = { delivered: 0, retry: 0, failed: 0, cancelled: 0, returned: 0 }
  #pending: { count: number; oldestAt: number | null } = { count: 0, oldestAt: null }

  constructor(store: DeliveryStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  count({ is }: Settlement) {
    this.#counts[is]++
  }

  /** Updates the number of pending deliveries. */
  async refresh() {
    this.#pending = await this.#store.pending()
  }

  get metrics() {
    const counted = (is: Settlement['is'], help: string) => ({
      help,
      type: 'counter' as const,
      read: () => this.#counts[is],
    })
    return {
      webhook_deliveries_pending: {
        help: 'Webhook deliveries that wait for an attempt or are under way.',
        read: () => this.#pending.count,
      },
      webhook_oldest_pending_seconds: {
        help: 'Age of the oldest pending webhook delivery.',
        read: () => {
          const { oldestAt } = this.#pending
          return oldestAt === null ? 0 : Math.max(0, unixSeconds(this.#clock) - oldestAt)
        },
      },
      webhook_attempts_delivered: counted('delivered', 'Webhook attempts that were accepted.'),
      webhook_attempts_retried: counted('retry', 'Webhook attempts that are followed by another.'),
      webhook_attempts_failed: counted(
        'failed',
        'Webhook attempts after which the delivery has failed for good.',
      ),
    }
  }
}
