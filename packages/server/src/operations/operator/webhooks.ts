import type { Delivery, DeliveryStatus } from '../../partners/ports.ts'
import type { DeliveryStore } from '../../partners/stores/deliveries.ts'
import type { WebhookStore } from '../../partners/stores/webhooks.ts'
import type { Clock } from '../../platform/clock.ts'
import { OperatorError } from './checks.ts'

export type DeliveryRecord = Omit<Delivery, 'body'>

/** Lists and replays webhook deliveries for the operator. Their bodies are confidential to the partner. */
export class WebhookAdminService {
  readonly #deliveries: DeliveryStore
  readonly #webhooks: WebhookStore
  readonly #clock: Clock

  constructor(deliveries: DeliveryStore, webhooks: WebhookStore, clock: Clock) {
    this.#deliveries = deliveries
    this.#webhooks = webhooks
    this.#clock = clock
  }

  /** The newest first; `more` says whether older ones exist. */
  async deliveries(filter: { status?: DeliveryStatus; limit: number }) {
    const found = await this.#deliveries.list({ ...filter, limit: filter.limit + 1 })
    return { deliveries: found.slice(0, filter.limit), more: found.length > filter.limit }
  }

  /** Resets the attempts; id and body stay the same. A running service sends the delivery within a second. */
  async replay(id: string): Promise<DeliveryRecord> {
    const delivery = await this.#deliveries.find(id)
    if (!delivery) throw new OperatorError(`There is no delivery ${id}.`, 'delivery_not_found')
    const { serviceAccount } = delivery
    if ((await this.#webhooks.active({ serviceAccount })).length === 0)
      throw new OperatorError(
        `The webhook of ${serviceAccount}, or the account itself, is disabled.`,
        'delivery_not_replayable',
      )
    if (!(await this.#deliveries.replay(id, this.#clock())))
      throw new OperatorError(`The delivery ${id} is being sent right now.`, 'delivery_not_replayable')
    return (await this.#deliveries.find(id)) ?? delivery
  }
}
