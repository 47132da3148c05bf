import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookEvent } from './types.ts'

export interface Delivery {
  /** The unmodified request body: parsing and serializing it changes its bytes. */
  rawBody: Uint8Array | string
  /** Node's `request.headers`, or the Headers of a Fetch API Request. */
  headers: Headers | Record<string, string | string[] | undefined>
  /** The secret given to `setWebhook`; during a rotation the secrets that may have signed. */
  secret: string | readonly string[]
  /** Unix milliseconds; default: now. */
  now?: number
  toleranceSeconds?: number
}

export type VerificationFailure =
  | 'header_missing'
  | 'header_repeated'
  | 'timestamp_malformed'
  | 'timestamp_out_of_tolerance'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'body_malformed'
  | 'id_mismatch'
  | 'type_mismatch'

/** More signatures than any rotation needs are malformed. */
export const SIGNATURES_MAX = 5

/** An invalid delivery. Respond with 4xx: a retry cannot succeed. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Verifies a delivery and returns its event (rule SIGNATURE-1); throws a `WebhookVerificationError` if it is not
 * authentic. Does not parse the body before its signature is verified.
 *
 * Store the event before you respond with 2xx, and drop events whose `id` you already have. You MUST ignore unknown
 * fields and values: events are extended without a new version (rule EVENT-1).
 */
export function verifyWebhook(delivery: Delivery): WebhookEvent {
  const { rawBody, headers, secret, now = Date.now(), toleranceSeconds = 300 } = delivery
  const secrets = secretsOf(secret)

  const timestamp = headerOf(headers, 'x-service-timestamp')
  ensureRecent(timestamp, now, toleranceSeconds)
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody
  ensureSigned(signaturesOf(headers), timestamp, body, secrets)

  const event = parseEvent(body)
  if (headerOf(headers, 'x-service-delivery') !== event.id) {
    throw new WebhookVerificationError('id_mismatch', 'X-Service-Delivery is not the id of the body.')
  }
  if (headerOf(headers, 'x-service-event') !== event.type) {
    throw new WebhookVerificationError('type_mismatch', 'X-Service-Event is not the type of the body.')
  }
  return event
}

export function secretsOf(secret: Delivery['secret']): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!secrets?.length || !secrets.every(each => each))
    throw new TypeError('The verification requires the secret of the webhook.')
  return secrets
}

export function ensureRecent(timestamp: string, now: number, toleranceSeconds: number): void {
  if (!/^[0-9]{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError('timestamp_malformed', 'The timestamp is not in Unix seconds.')
  }
  const ageSeconds = Math.abs(Math.floor(now / 1000) - Number(timestamp))
  // Also rejects NaN.
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The timestamp differs from the current time by ${ageSeconds} s.`,
    )
  }
}

/** While a secret is being replaced, a second header has the signatures under both (rule SIGNATURE-4). */
function signaturesOf(headers: Delivery['headers']): string[] {
  const isReplaced = valuesOf(headers, 'x-service-signatures').length > 0
  return isReplaced
    ? headerOf(headers, 'x-service-signatures').split(', ')
    : [headerOf(headers, 'x-service-signature')]
}

/**
 * A signature is HMAC-SHA256 over the timestamp, a dot and the raw body, in lowercase hex. One of the signatures under one
 * of the secrets suffices.
 */
function ensureSigned(
  headers: readonly string[],
  timestamp: string,
  body: Uint8Array,
  secrets: readonly string[],
): void {
  const signatures = headers.map(each => /^sha256=([0-9a-f]{64})$/.exec(each)?.[1])
  if (signatures.length > SIGNATURES_MAX || !signatures.every(each => each !== undefined)) {
    throw new WebhookVerificationError('signature_malformed', 'A signature is not sha256=<hex>.')
  }
  const sent = signatures.map(hex => Buffer.from(hex, 'hex'))
  const matches = secrets.flatMap(secret => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
    return sent.map(each => timingSafeEqual(expected, each)) // compares all of them, in constant time
  })
  if (!matches.includes(true)) {
    throw new WebhookVerificationError('signature_mismatch', 'The signature does not match the body.')
  }
}

export function parseEvent(body: Uint8Array): WebhookEvent {
  let event: Partial<WebhookEvent> | null = null
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // Reported below, like JSON that is not an event.
  }
  const { id, type, data } = event ?? {}
  if (typeof id !== 'string' || typeof type !== 'string' || typeof data !== 'object' || data === null) {
    throw new WebhookVerificationError('body_malformed', 'The body is not a webhook event.')
  }
  return event as WebhookEvent
}

/** The only value of a header. */
export function headerOf(headers: Delivery['headers'], name: string): string {
  const [value, ...others] = valuesOf(headers, name)
  if (value === undefined) throw new WebhookVerificationError('header_missing', `There is no ${name} header.`)
  if (others.length > 0) {
    throw new WebhookVerificationError('header_repeated', `The ${name} header came more than once.`)
  }
  return value
}

/** The values of a header; its name is case-insensitive. */
function valuesOf(headers: Delivery['headers'], name: string): string[] {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return pairs.flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []))
}
