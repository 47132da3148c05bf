import { createHmac } from 'node:crypto'
import { type SigningSecrets, signedHeaders } from '../../../platform/delivery/signature.ts'

const PREFIX = 'whsec_'

/** As the libraries of Standard Webhooks read it; a secret without the prefix is its bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)

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
