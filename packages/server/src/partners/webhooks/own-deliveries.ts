import { randomBytes } from 'node:crypto'
import { ensure, Refusal, TEST_EVENT } from '@lectern/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { TimePage } from '../../platform/paging.ts'
import type { AttemptRecord, Delivery, DeliveryStatus } from '../ports.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'
import type { WebhookStore } from '../stores/webhooks.ts'

interface OwnDeliveriesOptions {
  deliveries: DeliveryStore
  webhooks: WebhookStore
  /** Sends what is due. */
  queue: { wake(): void }
  clock: Clock
}

export type DeliveryRecord = Omit<Delivery, 'body'>

/** The deliveries of one service account, for itself. Those of others do not exist for it. */
export class OwnDeliveries {
  readonly #parts: OwnDeliveriesOptions

  constructor(parts: OwnDeliveriesOptions) {
    this.#parts = parts
  }

  /** The newest first. */
  list(
    serviceAccount: string,
    filter: { status?: DeliveryStatus | undefined },
    page: TimePage,
  ): Promise<DeliveryRecord[]> {
    return this.#parts.deliveries.page(serviceAccount, filter, page)
  }

  /** Throws `delivery_not_found`. */
  async get(serviceAccount: string, id: string): Promise<{ delivery: Delivery; attempts: AttemptRecord[] }> {
    const delivery = await this.#find(serviceAccount, id)
    return { delivery, attempts: await this.#parts.deliveries.attemptsOf(id) }
  }

  /** Sends it again with the same id and content, and all attempts. Throws `delivery_not_replayable`. */
  async replay(serviceAccount: string, id: string): Promise<DeliveryRecord> {
    const { deliveries, webhooks, queue, clock } = this.#parts
    const delivery = await this.#find(serviceAccount, id)
    const [webhook] = await webhooks.active({ serviceAccount })
    ensure(webhook, 'delivery_not_replayable', 'The webhook is not configured, or disabled.')
    ensure(await deliveries.replay(id, clock()), 'delivery_not_replayable', 'It is being sent right now.')
    queue.wake()
    return (await deliveries.find(id)) ?? delivery
  }

  /** Stores a test event, which is sent like any other. Throws `webhook_not_configured` or `webhook_disabled`. */
  async sendTest(serviceAccount: string): Promise<DeliveryRecord> {
    const { deliveries, webhooks, queue, clock } = this.#parts
    ensure(await webhooks.find(serviceAccount), 'webhook_not_configured')
    const [webhook] = await webhooks.active({ serviceAccount })
    ensure(webhook, 'webhook_disabled')
    const nowMs = clock()
    const token = randomBytes(16).toString('hex')
    const id = `wh_${token}`
    const body = JSON.stringify({
      id,
      type: TEST_EVENT,
      created_at: new Date(nowMs).toISOString(),
      data: { service_account: serviceAccount },
    })
    await deliveries.add([{ id, serviceAccount, event: TEST_EVENT, subject: `test:${token}`, body }], nowMs)
    queue.wake()
    const stored = await deliveries.find(id)
    if (!stored) throw new Refusal('webhook_not_configured') // removed meanwhile
    return stored
  }

  async #find(serviceAccount: string, id: string): Promise<Delivery> {
    const delivery = await this.#parts.deliveries.find(id, serviceAccount)
    ensure(delivery, 'delivery_not_found')
    return delivery
  }
}
