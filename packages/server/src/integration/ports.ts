import type { Role, RoomStatus, TEST_EVENT, WebhookEventName } from '@lectern/protocol'
import type { LeaseStore } from '../delivery/ports.ts'
import type { Page, TimePage } from '../paging.ts'

/** A row of the service accounts (docs/install.md#partners). */
export interface ServiceAccount {
  name: string
  clientId: number
  secretHash: string
  scopes: string[]
  enabled: boolean
  createdAt: number
}

export interface ServiceAccountStore {
  /** False when the name is taken. */
  add(account: ServiceAccount): Promise<boolean>
  find(name: string): Promise<ServiceAccount | null>
  list(): Promise<ServiceAccount[]>
  /** Null when there is no such account. */
  update(name: string, changes: { scopes?: string[]; enabled?: boolean }): Promise<ServiceAccount | null>
  /** Has no effect if the hash is another one by now. */
  replaceHash(name: string, from: string, to: string): Promise<void>
}

export type StoredRoomStatus = Exclude<RoomStatus, 'active'>

/** The person of a role in a room, and the role's valid link. */
export interface RoomPerson {
  displayName: string
  externalId: string | null
  /** The version grows when externalId changes. The name is the one in the signed link. */
  link: { version: number; name: string }
}

export interface Room {
  roomId: number
  /** The technical user who owns the room. */
  clientId: number
  externalId: string
  tag: string
  title: string
  description: string | null
  startsAt: string | null
  endsAt: string | null
  status: StoredRoomStatus
  people: Record<Role, RoomPerson>
  revision: number
}

export type NewRoom = Omit<Room, 'roomId' | 'revision'>
export type RoomContent = Pick<Room, 'title' | 'description' | 'startsAt' | 'endsAt' | 'status' | 'people'>

export interface RoomFilter {
  status?: StoredRoomStatus | undefined
  /** `external_id` of the person. */
  teacher?: string | undefined
  student?: string | undefined
  /** Part of title, external_id or tag. */
  search?: string | undefined
}

export interface RoomStore {
  /** The room of that owner and external_id, created if there is none; exactly one of concurrent callers creates it. */
  findOrAdd(room: NewRoom, at: number): Promise<{ room: Room; created: boolean }>
  find(clientId: number, externalId: string): Promise<Room | null>
  /** Of that owner, the newest first. */
  list(clientId: number, filter: RoomFilter, page: Page): Promise<Room[]>
  findByTag(tag: string): Promise<Room | null>
  /** Null when the room has changed since `room` was read. */
  update(room: Room, content: RoomContent, at: number): Promise<Room | null>
}

export interface ParticipantStore {
  /** The account bound to an identity key (rule PERSON-1). */
  find(ownerClientId: number, externalId: string): Promise<number | null>
  /** Binds the key unless it is bound, and returns the bound account. */
  bind(ownerClientId: number, externalId: string, clientId: number, at: number): Promise<number>
}

export interface WebhookSubscription {
  serviceAccount: string
  url: string
  secret: string
  /** While the secret is being replaced (rule SECRET-1). */
  previous?: { secret: string; expiresAtMs: number }
  events: WebhookEventName[]
  enabled: boolean
}

export type WebhookChanges = Partial<Pick<WebhookSubscription, 'url' | 'secret' | 'events' | 'enabled'>>

export interface SecretRotation {
  from: string
  to: string
  /** Unix milliseconds, until when deliveries are signed with the previous secret, too. */
  untilMs: number
}

/** A webhook that gets events, with the technical user of its service account. */
export interface ActiveWebhook extends WebhookSubscription {
  clientId: number
}

export interface WebhookStore {
  find(serviceAccount: string): Promise<WebhookSubscription | null>
  /** Creates the webhook, or replaces all of it. */
  save(subscription: WebhookSubscription, at: number): Promise<void>
  /**
   * Changes only the given fields, so that concurrent requests lose nothing. A new secret replaces the previous one, too. False
   * without a webhook. Disabling it, here and in `save`, cancels its pending deliveries in the same transaction (rule RETRY-7).
   */
  update(serviceAccount: string, changes: WebhookChanges, at: number): Promise<boolean>
  /** Replaces the secret. False if the webhook does not have the secret `from`, or a previous one that is still valid. */
  rotate(serviceAccount: string, rotation: SecretRotation, nowMs: number): Promise<boolean>
  /** Ends the validity of the previous secret. */
  dropPreviousSecret(serviceAccount: string, at: number): Promise<void>
  /** Removes the webhook, and cancels its pending deliveries in the same transaction. */
  remove(serviceAccount: string, at: number): Promise<void>
  /** Enabled webhooks of enabled service accounts: of an owner of rooms, or of one account. */
  active(of: { clientId: number } | { serviceAccount: string }): Promise<ActiveWebhook[]>
}

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One event for one service account. */
export interface NewDelivery {
  id: string
  serviceAccount: string
  event: WebhookEventName | typeof TEST_EVENT
  /** What the event is about, e.g. `recording:<job id>`. Each account gets one delivery per event and subject. */
  subject: string
  /** Identical bytes in every attempt. */
  body: string
}

export interface Delivery extends NewDelivery {
  status: DeliveryStatus
  /** Finished attempts. */
  attempts: number
  /** Null when no attempt follows. */
  nextAttemptAtMs: number | null
  responseStatus: number | null
  /** Of the last attempt. */
  error: string | null
  createdAt: number
  updatedAt: number
}

/** The outcome of an attempt for its delivery. */
export type Settlement =
  | { is: 'delivered'; responseStatus: number }
  | { is: 'retry'; atMs: number; responseStatus: number | null; error: string }
  | { is: 'failed'; responseStatus: number | null; error: string }
  | { is: 'cancelled' }
  | { is: 'returned'; atMs: number } // the attempt was aborted and does not count

/** One attempt to deliver, as administrators see it. */
export interface AttemptRecord {
  startedAtMs: number
  /** Null: the server stopped meanwhile, and nobody knows what the receiver got. */
  durationMs: number | null
  responseStatus: number | null
  error: string | null
  /** The beginning of the response to a failed attempt, without secrets. */
  excerpt: string | null
}

/** The target of a delivery is its service account. Times of attempts are in milliseconds, all others in seconds. */
export interface DeliveryStore extends LeaseStore<Delivery> {
  /** Due at once. Duplicates by account, event and subject are ignored, and so are those of accounts without a webhook. */
  add(deliveries: NewDelivery[], nowMs: number): Promise<void>
  /**
   * Only the holder of the lease may settle; but a success always counts, because the receiver has the event. False when
   * the caller no longer holds the delivery.
   */
  settle(
    id: string,
    token: string,
    settlement: Settlement,
    nowMs: number,
    /** Stored in the same transaction, also if the caller no longer holds the delivery. */
    attempt?: AttemptRecord,
  ): Promise<boolean>
  find(id: string): Promise<Delivery | null>
  /** The newest 20 attempts, newest first, those before a replay and those without a known outcome included. */
  attemptsOf(id: string): Promise<AttemptRecord[]>
  /** The newest first. */
  list(filter: { status?: DeliveryStatus; limit: number }): Promise<Omit<Delivery, 'body'>[]>
  /** Of one account, the newest first. */
  page(
    serviceAccount: string,
    filter: { status?: DeliveryStatus | undefined },
    page: TimePage,
  ): Promise<Omit<Delivery, 'body'>[]>
  /** Resets the attempts and makes it due at once. False while it is being sent, or when there is none. */
  replay(id: string, nowMs: number): Promise<boolean>
  pending(): Promise<{ count: number; oldestAt: number | null }>
  /** Removes delivered ones from before that time, the oldest beyond `keep`, and finished tests from before `testsBefore`. */
  sweep(limits: { before: number; keep: number; testsBefore: number }): Promise<void>
}

/** What the partner module needs of the registry of sessions. */
export interface RoomSessions {
  isLive(tag: string): Promise<boolean>
  /** Those of the conferences that are live. */
  listLive(tags: readonly string[]): Promise<ReadonlySet<string>>
  /** Ends the open session, if there is one, wherever it is open. */
  end(tag: string, reason: 'closed' | 'cancelled'): Promise<void>
}
