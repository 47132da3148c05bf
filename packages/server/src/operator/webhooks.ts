import type { Clock } from '../clock.ts'
import type { Delivery, DeliveryStatus, DeliveryStore, WebhookStore } from '../integration/ports.ts'
import { OperatorError } from './checks.ts'

export type DeliveryRecord = Omit<Delivery, 'body'>

/** Webhook deliveries, as the operator sees them. What they tell stays between service and partner. */
export class WebhookDesk {
  readonly #deliveries: DeliveryStore
  readonly #webhooks: WebhookStore
  readonly #clock: Clock

  constructor(deliveries: DeliveryStore, webhooks: WebhookStore, clock: Clock) {
    this.#deliveries = deliveries
    this.#webhooks = webhooks
    this.#clock = clock
  }

  /** The newest first; `more` tells that there are others beyond the limit. */
  async deliveries(filter: { status?: DeliveryStatus; limit: number }) {
    const found = await this.#deliveries.list({ ...filter, limit: filter.limit + 1 })
    return { deliveries: found.slice(0, filter.limit), more: found.length > filter.limit }
  }

  /** The same id and bytes with fresh attempts. The running service sends it within a second. */
  async replay(id: string): Promise<DeliveryRecord> {
    const delivery = await this.#deliveries.find(id)
    if (!delivery) throw new OperatorError(`There is no delivery ${id}.`)
    const { serviceAccount } = delivery
    if ((await this.#webhooks.active({ serviceAccount })).length === 0)
      throw new OperatorError(`The webhook of ${serviceAccount}, or the account itself, is switched off.`)
    if (!(await this.#deliveries.replay(id, this.#clock())))
      throw new OperatorError(`The delivery ${id} is being sent right now.`)
    return (await this.#deliveries.find(id)) ?? delivery
  }
}
