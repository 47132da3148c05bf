import { createHmac } from 'node:crypto'

interface SignedRequest {
  id: string
  event: string
  body: string
}

/**
 * The headers of a signed request (docs/webhooks.md#signature, rule SIGNATURE-3). Timestamp and signature are computed
 * per attempt; the body never changes.
 */
export function signedHeaders(request: SignedRequest, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(request.body).digest('hex')
  return {
    'Content-Type': 'application/json',
    'X-Service-Event': request.event,
    'X-Service-Delivery': request.id,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': `sha256=${signature}`,
  }
}
