import type { EndpointDelivery as DeliveryBody, Endpoint as EndpointBody } from '@lectern/protocol'
import type { Endpoint, EndpointDelivery } from '../../ports.ts'

const utc = (ms: number) => new Date(ms).toISOString()

/** Never contains the secret. */
export const presentEndpoint = (endpoint: Endpoint): EndpointBody => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  enabled: endpoint.enabled,
  disabled_reason: endpoint.disabledReason,
  description: endpoint.description,
  previous_secret_expires_at: endpoint.previous ? utc(endpoint.previous.expiresAtMs) : null,
  created_at: utc(endpoint.createdAtMs),
})

export const presentEndpointDelivery = (delivery: EndpointDelivery): DeliveryBody => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  next_attempt_at: delivery.nextAttemptAtMs === null ? null : utc(delivery.nextAttemptAtMs),
  response_status: delivery.responseStatus,
  error: delivery.error,
  created_at: utc(delivery.createdAtMs),
})
