import type { Clock } from '../../platform/clock.ts'
import { type AttemptOutcome, createPost, type PostSettings } from '../../platform/delivery/guarded-post.ts'
import { signedHeaders } from '../../platform/delivery/signature.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import type { Delivery, WebhookSubscription } from '../ports.ts'

export type Send = (
  delivery: Delivery,
  to: WebhookSubscription,
  signal: AbortSignal,
) => Promise<AttemptOutcome>

export interface SendSettings extends PostSettings {
  clock: Clock
  tracing?: Tracing
}

/** Posts deliveries with a signature of the moment and, if traces are on, the W3C `traceparent` of the attempt. */
export function createSend({ clock, tracing = noTracing, ...settings }: SendSettings): Send {
  const post = createPost(settings)
  return (delivery, to, signal) => {
    const { traceparent } = tracing
    const headers = { ...signedHeaders(delivery, to, clock()), ...(traceparent && { traceparent }) }
    return post(to.url, { headers, body: delivery.body }, signal)
  }
}
