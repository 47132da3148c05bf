import { createHmac } from 'node:crypto'

interface SignedRequest {
  id: string
  event: string
  body: string
}

export interface SigningSecrets {
  secret: string
  /** The one that `secret` is replacing. */
  previous?: { secret: string; expiresAtMs: number }
}

/**
 * The headers of a signed request (docs/webhooks.md#signature, rule SIGNATURE-3). Timestamp and signatures are computed
 * per attempt; the body never changes. While a secret is being replaced, receivers that know one header and one of the
 * secrets still verify it (rule SECRET-2).
 */
export function signedHeaders(
  request: SignedRequest,
  { secret, previous }: SigningSecrets,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const sign = (key: string) =>
    `sha256=${createHmac('sha256', key).update(`${timestamp}.`).update(request.body).digest('hex')}`
  const headers = {
    'Content-Type': 'application/json',
    'X-Service-Event': request.event,
    'X-Service-Delivery': request.id,
    'X-Service-Timestamp': timestamp,
  }
  if (!previous || previous.expiresAtMs <= nowMs) return { ...headers, 'X-Service-Signature': sign(secret) }
  const old = sign(previous.secret)
  return { ...headers, 'X-Service-Signature': old, 'X-Service-Signatures': `${sign(secret)}, ${old}` }
}
