import type { Role, RoomStatus, WebhookEventName } from '@lectern/protocol'

/** Contract §2.1. */
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
  /** The account bound to an identity key (contract §2.2 rule 1). */
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
  save(subscription: WebhookSubscription, at: number): Promise<void>
  /** Stops the retries that still wait (contract §6.4). */
  cancelPending(serviceAccount: string, at: number): Promise<void>
}

/** What the module asks of the conferences themselves. */
export interface LiveConferences {
  isLive(tag: string): Promise<boolean>
  /** Ends the running session, if there is one. */
  end(tag: string, reason: 'closed' | 'cancelled'): Promise<void>
}
