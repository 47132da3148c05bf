import { ensure, WEBHOOK_EVENTS, type WebhookRequest } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../../clock.ts'
import { ensureTargetAllowed } from '../../delivery/target.ts'
import type { WebhookStore, WebhookSubscription } from '../ports.ts'

/** The one webhook configuration of each service account (docs/partner-api.md#webhook-settings). */
export class Webhooks {
  readonly #store: WebhookStore
  readonly #allowInsecure: boolean
  readonly #clock: Clock

  constructor(parts: { store: WebhookStore; allowInsecure: boolean; clock: Clock }) {
    this.#store = parts.store
    this.#allowInsecure = parts.allowInsecure
    this.#clock = parts.clock
  }

  find(serviceAccount: string): Promise<WebhookSubscription | null> {
    return this.#store.find(serviceAccount)
  }

  /** Absent fields remain; the first request must have url and secret. */
  async configure(serviceAccount: string, request: WebhookRequest): Promise<WebhookSubscription> {
    const before = await this.#store.find(serviceAccount)
    const url = request.url ?? before?.url
    const secret = request.secret ?? before?.secret
    ensure(url !== undefined, 'invalid_argument', 'url is required the first time.')
    ensure(secret !== undefined, 'invalid_argument', 'secret is required the first time.')
    if (request.url !== undefined) await ensureTargetAllowed(request.url, this.#allowInsecure)

    const subscription: WebhookSubscription = {
      serviceAccount,
      url,
      secret,
      events: request.events ?? before?.events ?? [...WEBHOOK_EVENTS],
      enabled: request.enabled ?? before?.enabled ?? true,
    }
    await this.#store.save(subscription, unixSeconds(this.#clock))
    return subscription
  }
}
