import { createHmac } from 'node:crypto'
import type { Delivery } from '../ports.ts'

/** Rule SIGNATURE-3. Timestamp and signature are computed per attempt; the body never changes. */
export function headersOf(delivery: Delivery, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(delivery.body).digest('hex')
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(delivery.body)),
    'User-Agent': 'Lectern',
    'X-Service-Event': delivery.event,
    'X-Service-Delivery': delivery.id,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': `sha256=${signature}`,
  }
}
