import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { type AttemptOutcome, createPost, type PostSettings } from '../../platform/delivery/guarded-post.ts'
import { signedHeaders } from '../../platform/delivery/signature.ts'
import { isOfCall, type PushDelivery, type PushSubscription } from './ports.ts'
import { VapidHeaders, type VapidKeys } from './vapid.ts'
import { webPush } from './web-push.ts'

export interface PushSenderSettings extends PostSettings {
  /** Null: no web push. */
  vapid: VapidKeys | null
  /** Null: native subscriptions get nothing. */
  native: { url: string; secret: string } | null
  /** [Push] TTL in milliseconds. */
  ttlMs: number
  clock: Clock
}

/** The notification of an attempt. */
export type PushContent = Pick<PushDelivery, 'id' | 'topic' | 'payload' | 'expiresAtMs' | 'createdAtMs'>

const RESPONSE_TIMEOUT_MS = 10_000
/** A Topic has at most 32 characters of base64url (RFC 8030 section 5.4). */
const TOPIC_CHARACTERS = 32
/** A TTL of zero seconds is for a device that is reachable right now. */
const MAX_TTL_SECONDS = 2_419_200

/** Sends notifications to push services, and to the sender for native apps (docs/push.md#sending). */
export class PushSender {
  readonly #settings: PushSenderSettings
  readonly #vapid: VapidHeaders | null
  readonly #post
  readonly #postNative

  constructor(settings: PushSenderSettings) {
    const { vapid, clock, timeoutMs = RESPONSE_TIMEOUT_MS, allowInsecure, resolve } = settings
    this.#settings = settings
    this.#vapid = vapid && new VapidHeaders(vapid, clock)
    this.#post = createPost({ allowInsecure, timeoutMs, ...(resolve && { resolve }) })
    // The operator chose its address: it may be on the own network.
    this.#postNative = createPost({ allowInsecure: true, timeoutMs })
  }

  /** Those that it can reach. */
  get providers(): string[] {
    return [
      ...(this.#vapid ? ['webpush' as const] : []),
      ...(this.#settings.native ? ['native_push' as const] : []),
    ]
  }

  /** Never throws for what a push service does; throws for a subscription of another provider than `providers`. */
  send(to: PushSubscription, push: PushContent, signal: AbortSignal): Promise<AttemptOutcome> {
    return to.provider === 'webpush' ? this.#sendWeb(to, push, signal) : this.#sendNative(to, push, signal)
  }

  #sendWeb({ endpoint, p256dh, auth }: PushSubscription, push: PushContent, signal: AbortSignal) {
    if (!this.#vapid) throw new Error('web push has no VAPID keys')
    const { headers, body } = webPush().generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(push.payload),
      {
        TTL: this.#secondsToLive(push),
        urgency: isOfCall(push.payload) ? 'high' : 'normal',
        topic: createHash('sha256').update(push.topic).digest('base64url').slice(0, TOPIC_CHARACTERS),
        headers: { Authorization: this.#vapid.for(endpoint) },
      },
    )
    return this.#post(endpoint, { headers: asText(headers), body: body ?? '' }, signal)
  }

  /** A call that a device gets after the ringing is shown as missed, so that it is worth as long as other notifications. */
  #secondsToLive({ expiresAtMs, payload }: PushContent): number {
    const { ttlMs, clock } = this.#settings
    const leftMs = payload.late ? ttlMs : expiresAtMs - clock()
    return Math.min(MAX_TTL_SECONDS, Math.max(0, Math.ceil(leftMs / 1000)))
  }

  #sendNative({ clientId, token, platform }: PushSubscription, push: PushContent, signal: AbortSignal) {
    const { native, clock } = this.#settings
    if (!native) throw new Error('there is no sender for native apps')
    const event = 'push.notification'
    const body = JSON.stringify({
      id: push.id,
      type: event,
      created_at: new Date(push.createdAtMs).toISOString(),
      data: {
        client_id: clientId,
        token,
        platform,
        topic: push.topic,
        urgency: isOfCall(push.payload) ? 'high' : 'normal',
        expires_at: new Date(push.expiresAtMs).toISOString(),
        notification: push.payload,
      },
    })
    const headers = signedHeaders({ id: push.id, event, body }, { secret: native.secret }, clock())
    return this.#postNative(native.url, { headers, body }, signal)
  }
}

const asText = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
