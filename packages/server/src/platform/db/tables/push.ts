/** Tables of pushes. Times are Unix seconds unless named _ms. */
export interface PushSchema {
  push_subscriptions: PushSubscriptionsTable
  push_subscription_sign_ins: PushSubscriptionSignInsTable
  push_deliveries: PushDeliveriesTable
  push_outbox: PushOutboxTable
  push_call_outbox: PushCallOutboxTable
}

/** Unique by (client_id, endpoint). */
export interface PushSubscriptionsTable {
  client_id: number
  endpoint: string
  provider: string
  token: string
  p256dh: string
  auth: string
  permission: string
  platform: string
  user_agent: string
  /** Unix milliseconds. */
  expiration_time: number | null
  subscription_json: string
  updated_at: number
}

/** The sign-in that a subscription belongs to, and ends with. */
interface PushSubscriptionSignInsTable {
  client_id: number
  endpoint: string
  auth_session_id: string
  /** Grows with each update of a subscription of the account; 0 in rows of earlier versions. */
  revision: number
}

/** New messages whose notifications may not be stored in push_deliveries yet. */
interface PushOutboxTable {
  message_id: number
}

/** Changes of who a call rings for, as revisions of the call, whose notifications may not be stored yet. */
interface PushCallOutboxTable {
  call_id: number
  revision: number
}

/** Unique by (target, topic). */
export interface PushDeliveriesTable {
  id: string
  client_id: number
  endpoint: string
  /** The subscription, as a hash of client_id and endpoint. */
  target: string
  topic: string
  type: string
  /** JSON; empty once delivered. */
  payload: string
  /** 0: calls, 1: all others. */
  priority: number
  /** pending or delivered */
  state: string
  attempts: number
  /** For a delivered row, the end of the time in which the next one with the same topic waits. */
  next_attempt_at_ms: number
  lease: string | null
  expires_at_ms: number
  created_at_ms: number
  response_status: number | null
  error: string | null
}
