import { createHmac } from 'node:crypto'
import { ensure } from '@lectern/protocol'
import { type SigningSecrets, signedHeaders } from '../../../platform/delivery/signature.ts'

const PREFIX = 'whsec_'

/** The key as the libraries of Standard Webhooks read it; a secret without the prefix is its bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)

/** The minimum of Standard Webhooks. */
const KEY_MIN_BYTES = 24

/**
 * Throws `invalid_argument` for a secret that has the prefix and is no key: receivers that decode it leniently would have a
 * short or empty key.
 */
export function ensureSecret(secret: string): void {
  if (!secret.startsWith(PREFIX)) return
  const key = keyOf(secret)
  const isKey = key.length >= KEY_MIN_BYTES && key.toString('base64') === secret.slice(PREFIX.length)
  ensure(
    isKey,
    'invalid_argument',
    `A secret that begins with whsec_ must go on with at least ${KEY_MIN_BYTES} bytes as base64.`,
  )
}

interface SignedEvent {
  id: string
  type: string
  body: string
}

/**
 * The headers of version 1 and those of Standard Webhooks, whose signature covers the id, too. While a secret is being
 * replaced both have a signature of each.
 */
export function eventHeaders(
  { id, type, body }: SignedEvent,
  secrets: SigningSecrets,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const { secret, previous } = secrets
  const valid = previous && previous.expiresAtMs > nowMs ? [secret, previous.secret] : [secret]
  const signatures = valid.map(each => {
    const mac = createHmac('sha256', keyOf(each)).update(`${id}.${timestamp}.`).update(body)
    return `v1,${mac.digest('base64')}`
  })
  return {
    ...signedHeaders({ id, event: type, body }, secrets, nowMs),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
