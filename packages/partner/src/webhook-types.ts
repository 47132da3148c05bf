export type WebhookEventName = 'recording.ready' | 'transcription.ready'

export interface WebhookRequest {
  url?: string
  /** 16 to 256 characters. */
  secret?: string
  events?: WebhookEventName[]
  enabled?: boolean
}

export interface WebhookResponse {
  result: 200
  configured: boolean
  url: string | null
  events: string[]
  enabled: boolean
  secret_configured: boolean
  /** Unix seconds; null while no secret is being replaced. */
  previous_secret_expires_at: number | null
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

export interface DeliveryRecord {
  /** The `id` of the event. */
  id: string
  /** The `type` of the event. */
  event: string
  subject: string
  status: DeliveryStatus
  /** Finished attempts. */
  attempts: number
  /** Unix milliseconds; null: no attempt follows. */
  next_attempt_at_ms: number | null
  /** The result of the last attempt. */
  response_status: number | null
  error: string | null
  /** Unix seconds. */
  created_at: number
  updated_at: number
}

export interface DeliveryAttempt {
  /** Unix milliseconds. */
  started_at_ms: number
  /** Null: the server stopped before the outcome was stored. */
  duration_ms: number | null
  response_status: number | null
  error: string | null
  /** The beginning of the response to a failed attempt. */
  excerpt: string | null
}

export interface DeliveryListResponse {
  result: 200
  /** Newest first. */
  deliveries: DeliveryRecord[]
  next: string | null
}

export interface DeliveryResponse extends DeliveryRecord {
  result: 200
}

export interface DeliveryDetailsResponse extends DeliveryResponse {
  /** The newest 20 attempts, newest first. */
  history: DeliveryAttempt[]
  /** The event: every attempt has this body. */
  payload: Record<string, unknown>
}
