import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Delivery,
  ensureRecent,
  headerOf,
  parseEvent,
  SIGNATURES_MAX,
  secretsOf,
  WebhookVerificationError,
} from '../webhook.ts'
import type { EndpointTest, HostedEvent } from './event-types.ts'

/** A secret with this prefix is in base64; others are their own bytes. */
const PREFIX = 'whsec_'
/** Symmetric signatures; others in the header are ignored. */
const VERSION = 'v1,'

/**
 * Verifies a delivery to an endpoint of version 2 by its headers of Standard Webhooks (https://www.standardwebhooks.com), whose
 * signature covers the id, too. Returns its event; throws a `WebhookVerificationError` if it is not authentic.
 *
 * Store the event before you respond with 2xx, and drop events whose `id` you already have.
 */
export function verifyStandardWebhook(delivery: Delivery): HostedEvent | EndpointTest {
  const { rawBody, headers, secret, now = Date.now(), toleranceSeconds = 300 } = delivery
  const secrets = secretsOf(secret)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  ensureRecent(timestamp, now, toleranceSeconds)
  const body = typeof rawBody === 'string' ? Buffer.from(rawBody) : rawBody
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'))
  const matches = secrets.flatMap(each => {
    const expected = createHmac('sha256', keyOf(each)).update(`${id}.${timestamp}.`).update(body).digest()
    return signatures.map(signature => timingSafeEqual(expected, signature)) // compares all of them, in constant time
  })
  if (!matches.includes(true))
    throw new WebhookVerificationError('signature_mismatch', 'The signature does not match the body.')
  const event = parseEvent(body)
  if (event.id !== id)
    throw new WebhookVerificationError('id_mismatch', 'webhook-id is not the id of the body.')
  return event as unknown as HostedEvent | EndpointTest
}

function signaturesOf(header: string): Buffer[] {
  const all = header.split(' ')
  const signatures = all
    .filter(each => each.startsWith(VERSION))
    .map(each => /^[A-Za-z0-9+/]{43}=$/.exec(each.slice(VERSION.length))?.[0])
  const isWellFormed = signatures.length > 0 && all.length <= SIGNATURES_MAX
  if (!isWellFormed || !signatures.every(each => each !== undefined))
    throw new WebhookVerificationError('signature_malformed', 'A signature is not v1,<base64>.')
  return signatures.map(each => Buffer.from(each, 'base64'))
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
