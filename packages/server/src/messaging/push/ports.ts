import type { CallRinging, MessageStored, RingingStopped } from '../../domain-events.ts'

/** The address of pushes for an account. Times are Unix seconds, unless named otherwise. */
export interface PushSubscription {
  clientId: number
  /** The address at the push service; for other providers than `webpush`, the token. */
  endpoint: string
  /** `webpush`, `native_push`, or one of the future. */
  provider: string
  /** The registration token of native_push; empty for webpush. */
  token: string
  /** The browser's encryption keys, base64url without padding; empty for native_push. */
  p256dh: string
  auth: string
  permission: 'granted' | 'denied' | 'default' | 'unsupported'
  platform: string
  userAgent: string
  /** Unix milliseconds, as in the browser's PushSubscription; null: it does not expire. */
  expirationTime: number | null
  /** The subscription as it was sent, for diagnosis. */
  subscriptionJson: string
  updatedAt: number
}

/** A subscription that may be sent to, and the language that its account has chosen. */
export interface PushTarget extends PushSubscription {
  language: string | null
}

/** A subscription that is to get a notification. */
export interface PushReceiver {
  clientId: number
  endpoint: string
  /** Chosen by the account; null: none. */
  language: string | null
}

export const PUSH_TYPES = ['message', 'request', 'call', 'call_ended', 'test'] as const
export type PushType = (typeof PUSH_TYPES)[number]

/** A notification as the service worker receives it. */
export interface PushPayload {
  title: string
  body: string
  type: PushType
  /** A path of our pages. */
  url: string
  /** The id of a message. */
  message_id?: string
  /** Of a call: the text that is shown instead when the push arrives after `after_ms`, because the device was off. */
  late?: { after_ms: number; body: string }
}

/** Calls cannot wait, nor can their end: a phone may be ringing. */
export const isOfCall = ({ type }: Pick<PushPayload, 'type'>): boolean =>
  type === 'call' || type === 'call_ended'

/** A notification for one subscription. */
export interface NewPush extends Pick<PushReceiver, 'clientId' | 'endpoint'> {
  /** A subscription gets only the last of several pending pushes with the same topic. */
  topic: string
  payload: PushPayload
  expiresAtMs: number
}

export interface PushDelivery extends NewPush {
  id: string
  /** Finished attempts. */
  attempts: number
  createdAtMs: number
}

/** A row of the queue without its content. */
export interface PushRecord extends Omit<PushDelivery, 'payload' | 'endpoint' | 'topic'> {
  type: PushType
  /** The push service, e.g. `https://push.example`; empty for a native sender. */
  origin: string
  nextAttemptAtMs: number
  responseStatus: number | null
  error: string | null
}

/** The outcome of an attempt for its delivery. */
export type PushSettlement =
  /** Until then it is known that it was delivered, and further ones with the same topic wait. */
  | { is: 'delivered'; quietUntilMs: number }
  | { is: 'retry'; atMs: number; responseStatus: number | null; error: string }
  | { is: 'dropped'; responseStatus: number | null; error: string }
  | { is: 'returned'; atMs: number } // the attempt was aborted and does not count

/**
 * What is to be notified of a stored message now, to those who have not read it, or to one account; null: nothing any
 * more.
 */
export type DescribeMessage = (
  chatId: string,
  messageId: number,
  userId?: number,
) => Promise<MessageStored | null>

/** A message of the outbox. The chat is null when the message does not exist any more. */
export interface OutboxMessage {
  messageId: number
  chatId: string | null
  sentAtMs: number | null
}

/** A change of whom a call rings for, by the revision of the call. */
export interface CallChange {
  callId: number
  revision: number
}

/** The state of a call: for whom it rings, and for whom it no longer does. */
export interface CallNow {
  call: CallRinging['call']
  ringing: number[]
  stopped: RingingStopped['people']
}

/** Whether people already see what a push would notify them of. */
export interface Presence {
  /** Whether a connection of the account is logged in. */
  hasConnection(userId: number): boolean
  /** Whether the page of such a connection is visible. */
  hasVisibleConnection(userId: number): boolean
}
