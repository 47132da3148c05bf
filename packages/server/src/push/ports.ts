import type { LeaseStore } from '../delivery/ports.ts'
import type { CallRinging, RingingStopped } from '../domain-events.ts'

/** Where pushes for an account go. Times are Unix seconds, unless named otherwise. */
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

/** A subscription that is to get a notification. */
export interface PushReceiver {
  clientId: number
  endpoint: string
  /** Chosen by the account; null: none. */
  language: string | null
}

export interface PushSubscriptionStore {
  /**
   * Stores it, in place of the one with the same endpoint, and removes in the same transaction: `replaces` of the same
   * account, the same browser's or device's subscriptions of other accounts (rule PUSH-8), and the oldest beyond `max`.
   * It lasts as long as the sign-in.
   */
  save(
    subscription: PushSubscription,
    options: { authSessionId: string; replaces: string | null; max: number },
  ): Promise<void>
  /** False when there was none. */
  remove(clientId: number, endpoint: string): Promise<boolean>
  find(clientId: number, endpoint: string): Promise<PushSubscription | null>
  /** The newest first. */
  listOf(clientId: number): Promise<PushSubscription[]>
  /** Those of the providers with permission, of present accounts and valid sign-ins. */
  receiversOf(
    userIds: readonly number[],
    providers: readonly string[],
    nowMs: number,
  ): Promise<PushReceiver[]>
  count(): Promise<number>
  /** Removes those that have expired, of deleted accounts, and of sign-ins that have ended. */
  sweep(nowMs: number): Promise<void>
}

export const PUSH_TYPES = ['message', 'request', 'call', 'call_ended', 'test'] as const
export type PushType = (typeof PUSH_TYPES)[number]

/** What a person sees, as the service worker receives it. */
export interface PushPayload {
  title: string
  body: string
  type: PushType
  /** A path of our pages. */
  url: string
  /** Of a call: what is shown instead when it arrives after that time, because the device was off. */
  late?: { after_ms: number; body: string }
}

/** Calls cannot wait, nor can their end: a phone may be ringing. */
export const isOfCall = ({ type }: Pick<PushPayload, 'type'>): boolean =>
  type === 'call' || type === 'call_ended'

/** A notification for one subscription. */
export interface NewPush extends Pick<PushReceiver, 'clientId' | 'endpoint'> {
  /** Of several pending ones with the same topic, a subscription gets the last. */
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

/** Times are in milliseconds. The target of a delivery is its subscription. */
export interface PushDeliveryStore extends LeaseStore<PushDelivery> {
  /**
   * Due at once, in one transaction. A pending one with the same topic is replaced, also while it is being sent, and keeps
   * its time. Beyond `maxPerAccount` the oldest of an account are dropped.
   */
  add(pushes: NewPush[], options: { nowMs: number; maxPerAccount: number }): Promise<void>
  /** False when the caller no longer holds the delivery, e.g. because it was replaced. */
  settle(id: string, leaseToken: string, settlement: PushSettlement): Promise<boolean>
  /**
   * These take the places of those with the same topic that were sent, or are being sent, in one transaction. What was not
   * sent is replaced, too, if `includesUnsent`, else dropped. Where there is nothing to replace, nothing is stored.
   */
  replace(
    topic: string,
    userIds: readonly number[],
    pushes: NewPush[],
    options: { nowMs: number; includesUnsent: boolean },
  ): Promise<void>
  pending(): Promise<{ count: number; oldestAtMs: number | null }>
  /** The longest pending first. */
  list(limit: number): Promise<PushRecord[]>
  /** Removes what has expired, and marks of delivered ones that are not needed any more. */
  sweep(nowMs: number): Promise<void>
}

/** A message of the outbox. The chat is null when the message does not exist any more. */
export interface OutboxMessage {
  messageId: number
  chatId: string | null
  sentAtMs: number | null
}

/** Messages are added to it in the transaction that stores them, and removed when their notifications are stored. */
export interface PushOutboxStore {
  /** Those that were stored before this time, oldest first. */
  list(storedBeforeMs: number, limit: number): Promise<OutboxMessage[]>
  remove(messageIds: readonly number[]): Promise<void>
}

/** A change of whom a call rings for, by the revision of the call. */
export interface CallChange {
  callId: number
  revision: number
}

/** Changes are added to it in the transaction that stores them, and removed when their notifications are stored. */
export interface PushCallOutboxStore {
  /** In the order of calls. */
  list(limit: number): Promise<CallChange[]>
  remove(changes: readonly CallChange[]): Promise<void>
}

/** What is true of a call: for whom it rings, and for whom it does not any more. */
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
