import type { DeliveryAttempt, DeliveryStatus } from '../webhook-types.ts'
import type { Metadata } from './types.ts'

/** More types may follow: ignore those that you do not know. */
export type HostedEventType =
  | 'room.started'
  | 'room.ended'
  | 'participant.waiting'
  | 'participant.joined'
  | 'participant.left'
  | 'recording.started'
  | 'recording.ready'
  | 'recording.failed'
  | 'recording.deleted'
  | 'transcription.ready'
  | 'room.deleted'

export interface HostedEvent {
  /** `evt_` and hexadecimal digits: the same in every delivery and in the list. */
  id: string
  type: HostedEventType
  created_at: string
  /** Counts the events of the room, without gaps. */
  sequence: number
  room: { external_id: string; tag: string; metadata: Metadata }
  /** Depends on the type (docs of the server at /docs/reference). */
  data: Record<string, unknown>
}

/** Sent when `testEndpoint` requests it. */
export interface EndpointTest {
  id: string
  type: 'webhook.test'
  created_at: string
  data: Record<string, unknown>
}

export interface EventListResponse {
  result: 200
  /** Oldest first. */
  events: HostedEvent[]
  next: number | null
  /** The position of the last event of the page: store it, and pass it as `after`. */
  last: number
}

export interface EndpointRequest {
  url: string
  /** By default the server makes one; it is in the response to this call only. */
  secret?: string
  /** By default all. */
  events?: HostedEventType[]
  enabled?: boolean
  description?: string | null
}

/** A `secret` replaces the one before at once; `rotateEndpointSecret` has an overlap. */
export type EndpointChange = Partial<EndpointRequest>

export interface Endpoint {
  id: string
  url: string
  events: string[]
  enabled: boolean
  /** `failing`: 5 days without a success. */
  disabled_reason: string | null
  description: string | null
  previous_secret_expires_at: string | null
  created_at: string
}

export interface NewEndpoint extends Endpoint {
  secret: string
}

export interface EndpointDelivery {
  id: string
  event_id: string
  type: string
  status: DeliveryStatus
  attempts: number
  next_attempt_at: string | null
  response_status: number | null
  error: string | null
  created_at: string
}

export interface EndpointDeliveryDetails extends EndpointDelivery {
  history: DeliveryAttempt[]
  /** The event. */
  payload: Record<string, unknown>
}
