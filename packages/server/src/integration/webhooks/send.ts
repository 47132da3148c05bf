import type { Clock } from '../../clock.ts'
import { type AttemptOutcome, createPost, type PostSettings } from '../../delivery/guarded-post.ts'
import { signedHeaders } from '../../delivery/signature.ts'
import type { Delivery, WebhookSubscription } from '../ports.ts'

export type Send = (
  delivery: Delivery,
  to: WebhookSubscription,
  signal: AbortSignal,
) => Promise<AttemptOutcome>

export interface SendSettings extends PostSettings {
  clock: Clock
}

/** Posts deliveries with a signature of the moment. */
export function createSend({ clock, ...settings }: SendSettings): Send {
  const post = createPost(settings)
  return (delivery, to, signal) =>
    post(to.url, { headers: signedHeaders(delivery, to, clock()), body: delivery.body }, signal)
}
