import type { Role, RoomStatus, WebhookEventName } from '@lectern/protocol'

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
}

export type StoredRoomStatus = Exclude<RoomStatus, 'active'>

/** A role's person in a room, and the one link of that role that works. */
export interface RoomPerson {
  displayName: string
  externalId: string | null
  /** The version grows when externalId changes. The name is the one the link was made with. */
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

export interface RoomStore {
  /** The room of that owner and external_id, made only if there was none. One room, however many callers. */
  findOrAdd(room: NewRoom, at: number): Promise<Room>
  find(clientId: number, externalId: string): Promise<Room | null>
  findByTag(tag: string): Promise<Room | null>
  /** Null when the room has changed since `room` was read. */
  update(room: Room, content: RoomContent, at: number): Promise<Room | null>
}

export interface ParticipantStore {
  /** The account bound to an identity key (rule PERSON-1). */
  find(ownerClientId: number, externalId: string): Promise<number | null>
  /** Binds it unless it is bound; gives the account it is bound to then. */
  bind(ownerClientId: number, externalId: string, clientId: number, at: number): Promise<number>
}

export interface WebhookSubscription {
  serviceAccount: string
  url: string
  secret: string
  events: WebhookEventName[]
  enabled: boolean
}

export interface WebhookStore {
  find(serviceAccount: string): Promise<WebhookSubscription | null>
  /** One that is switched off loses its pending deliveries in the same moment (rule RETRY-7). */
  save(subscription: WebhookSubscription, at: number): Promise<void>
  /** Those that are switched on, of service accounts that are: of an owner of rooms, or of one account. */
  active(of: { clientId: number } | { serviceAccount: string }): Promise<WebhookSubscription[]>
}

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One event for one service account. */
export interface NewDelivery {
  id: string
  serviceAccount: string
  event: WebhookEventName
  /** What the event tells of, e.g. `recording:<job id>`. An account gets one delivery of an event and subject. */
  subject: string
  /** Sent byte for byte, however often. */
  body: string
}

export interface Delivery extends NewDelivery {
  status: DeliveryStatus
  /** Those that came to an end. */
  attempts: number
  /** Null when there will be none. */
  nextAttemptAtMs: number | null
  responseStatus: number | null
  /** What the last attempt failed of. */
  error: string | null
  createdAt: number
  updatedAt: number
}

export type DueDelivery = Pick<Delivery, 'id' | 'serviceAccount'>

/** What an attempt makes of its delivery. */
export type Settlement =
  | { is: 'delivered'; responseStatus: number }
  | { is: 'retry'; atMs: number; responseStatus: number | null; error: string }
  | { is: 'failed'; responseStatus: number | null; error: string }
  | { is: 'cancelled' }
  | { is: 'returned'; atMs: number } // the attempt was broken off and does not count

export interface Lease {
  /** Who holds it. */
  token: string
  untilMs: number
}

/** Times of attempts are in milliseconds, all others in seconds. */
export interface DeliveryStore {
  /** Due at once. Those whose account has the event and subject already are left out. */
  add(deliveries: NewDelivery[], nowMs: number): Promise<void>
  /** The longest due first, no more than `each` of one account, none of the accounts `except`. */
  due(nowMs: number, limits: { all: number; each: number; except: string[] }): Promise<DueDelivery[]>
  /** Takes what is still due of these. It is due again when the lease ends. */
  lease(ids: string[], lease: Lease, nowMs: number): Promise<Delivery[]>
  /**
   * Only from who holds the lease; but a success counts whoever brings it, since the receiver has it. False when
   * the delivery is no longer the caller's.
   */
  settle(id: string, token: string, settlement: Settlement, nowMs: number): Promise<boolean>
  find(id: string): Promise<Delivery | null>
  /** The newest first. */
  list(filter: { status?: DeliveryStatus; limit: number }): Promise<Omit<Delivery, 'body'>[]>
  /** Makes it due at once with all attempts before it. False while it is being sent, or when there is none. */
  replay(id: string, nowMs: number): Promise<boolean>
  pending(): Promise<{ count: number; oldestAt: number | null }>
  /** Removes the delivered ones from before that time, and the oldest when there are more than `keep`. */
  sweep(limits: { before: number; keep: number }): Promise<void>
}

/** What the module asks of the conferences themselves. */
export interface LiveConferences {
  isLive(tag: string): Promise<boolean>
  /** Ends the running session, if there is one. */
  end(tag: string, reason: 'closed' | 'cancelled'): Promise<void>
}
