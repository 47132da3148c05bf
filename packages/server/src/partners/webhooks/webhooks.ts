import { randomBytes } from 'node:crypto'
import { ensure, OVERLAP_DEFAULT_SECONDS, WEBHOOK_EVENTS, type WebhookRequest } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import { ensureTargetAllowed } from '../../platform/delivery/target.ts'
import type { WebhookSubscription } from '../ports.ts'
import type { WebhookStore } from '../stores/webhooks.ts'

/** A secret for a partner that chooses none. */
export const makeWebhookSecret = (): string => randomBytes(32).toString('base64url')

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

  /** A previous secret that has expired is left out. */
  async find(serviceAccount: string): Promise<WebhookSubscription | null> {
    const found = await this.#store.find(serviceAccount)
    if (!found?.previous || found.previous.expiresAtMs > this.#clock()) return found
    const { previous: _, ...rest } = found
    return rest
  }

  /**
   * Absent fields remain, also those that another request changes meanwhile; the first request must have url and secret. A
   * new secret replaces all earlier ones at once. Null if the webhook is removed meanwhile.
   */
  async configure(serviceAccount: string, request: WebhookRequest): Promise<WebhookSubscription | null> {
    if (request.url !== undefined) await ensureTargetAllowed(request.url, this.#allowInsecure)
    if (!(await this.#store.update(serviceAccount, request, this.#now())))
      await this.#store.save(firstSettings(serviceAccount, request), this.#now())
    return this.find(serviceAccount)
  }

  /** Removes the webhook; may be repeated. Pending deliveries are cancelled, past ones stay listed. */
  remove(serviceAccount: string): Promise<void> {
    return this.#store.remove(serviceAccount, this.#now())
  }

  /**
   * Replaces the secret: until the overlap ends, deliveries are signed with both (rule SECRET-1). A repetition with the
   * same secret changes nothing. Throws `webhook_not_configured` or `rotation_in_progress`.
   */
  async rotate(
    serviceAccount: string,
    secret: string,
    overlapSeconds = OVERLAP_DEFAULT_SECONDS,
  ): Promise<WebhookSubscription> {
    const before = await this.find(serviceAccount)
    ensure(before, 'webhook_not_configured')
    if (before.secret !== secret) {
      const nowMs = this.#clock()
      const untilMs = nowMs + overlapSeconds * 1000
      await this.#store.rotate(serviceAccount, { from: before.secret, to: secret, untilMs }, nowMs)
    }
    const after = await this.find(serviceAccount)
    ensure(after, 'webhook_not_configured')
    ensure(after.secret === secret, 'rotation_in_progress')
    return after
  }

  /** Ends the overlap: the previous secret is not used any more. May be repeated. Throws `webhook_not_configured`. */
  async finishRotation(serviceAccount: string): Promise<WebhookSubscription> {
    await this.#store.dropPreviousSecret(serviceAccount, this.#now())
    const after = await this.find(serviceAccount)
    ensure(after, 'webhook_not_configured')
    return after
  }

  #now = () => unixSeconds(this.#clock)
}

function firstSettings(serviceAccount: string, request: WebhookRequest): WebhookSubscription {
  const { url, secret, events = [...WEBHOOK_EVENTS], enabled = true } = request
  ensure(url !== undefined, 'invalid_argument', 'url is required the first time.')
  ensure(secret !== undefined, 'invalid_argument', 'secret is required the first time.')
  return { serviceAccount, url, secret, events, enabled }
}
