import type { DeliveryAttempt, Delivery as DeliveryBody } from '@lectern/protocol'
import type { AttemptRecord, Delivery } from '../ports.ts'

/** Without its body, which is confidential to the partner. */
export const presentDelivery = (delivery: Omit<Delivery, 'body'>): DeliveryBody => ({
  id: delivery.id,
  event: delivery.event,
  subject: delivery.subject,
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at_ms: delivery.nextAttemptAtMs,
  response_status: delivery.responseStatus,
  error: delivery.error,
  created_at: delivery.createdAt,
  updated_at: delivery.updatedAt,
})

export const presentAttempt = (attempt: AttemptRecord): DeliveryAttempt => ({
  started_at_ms: attempt.startedAtMs,
  duration_ms: attempt.durationMs,
  response_status: attempt.responseStatus,
  error: attempt.error,
  excerpt: attempt.excerpt,
})
