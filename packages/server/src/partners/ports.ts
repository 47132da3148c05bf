import type {
  Metadata,
  PartnerEventType,
  PersonRole,
  Role,
  RoomBoard,
  RoomSettings,
  RoomSlidesView,
  RoomStatus,
  TEST_EVENT,
  WebhookEventName,
} from '@lectern/protocol'
import type { ConferenceRole } from '@lectern/protocol/control'
import type { SlidesUpload } from '../records/ports.ts'
import type { SessionPreview } from '../sessions/participants/participant-preview.ts'

/** A row of the service accounts (docs/install.md#partners). */
export interface ServiceAccount {
  name: string
  clientId: number
  secretHash: string
  scopes: string[]
  enabled: boolean
  createdAt: number
  /** While the secret is being replaced: the hash of the one before. */
  previous?: { secretHash: string; expiresAt: number }
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
  /** Settings of version 2 of the API, as far as they are set. */
  settings: Partial<RoomSettings>
  board: RoomBoard
  revision: number
}

export type NewRoom = Omit<Room, 'roomId' | 'revision'>
export type RoomContent = Pick<
  Room,
  'title' | 'description' | 'startsAt' | 'endsAt' | 'status' | 'people' | 'board' | 'settings'
>

export interface RoomFilter {
  status?: StoredRoomStatus | undefined
  /** `external_id` of the person. */
  teacher?: string | undefined
  student?: string | undefined
  /** Part of title, external_id or tag. */
  search?: string | undefined
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

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One event for one service account. */
export interface NewDelivery {
  id: string
  serviceAccount: string
  event: WebhookEventName | typeof TEST_EVENT
  /** The subject of the event, e.g. `recording:<job id>`. Each account gets one delivery per event and subject. */
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
  /** The result of the last attempt. */
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

/** The part of the registry of sessions that the partner module uses. */
export interface RoomSessions {
  isLive(tag: string): Promise<boolean>
  /** The live ones among the conferences. */
  listLive(tags: readonly string[]): Promise<ReadonlySet<string>>
  /** The people inside; null: nobody, or it is not known at once. */
  preview(tag: string): Promise<SessionPreview | null>
  /** Ends the open session, if there is one, wherever it is open. */
  end(tag: string, reason: 'closed' | 'cancelled'): Promise<void>
  /** MUST be called when it has changed who has to wait: lets those in who need not wait any more. */
  reevaluateLobby(tag: string): Promise<void>
  /** The account is no member of the open session any more, if there is one, wherever it is open. */
  endMembership(tag: string, userId: number): Promise<void>
  /** The same for everybody who came by a link of that role that names nobody. */
  endSharedMemberships(tag: string, role: ConferenceRole): Promise<void>
}

/** Slides that are put for a conference, which the board of its session takes. */
export interface PartnerSlides {
  /** Null: none were put. */
  find(tag: string): Promise<RoomSlidesView | null>
  /** Throws `conversion_unavailable`, `payload_too_large`, `unsupported_media_type`, `file_quota_exceeded`. */
  put(tag: string, upload: SlidesUpload): Promise<RoomSlidesView>
}

/** A person whom a partner has added to a room. */
export interface Person {
  /** Grows with every person that is added. */
  id: number
  clientId: number
  tag: string
  externalId: string
  /** Random, part of the personal link. */
  key: string
  displayName: string
  role: PersonRole
  linkVersion: number
  metadata: Metadata
}

export type PersonContent = Pick<Person, 'displayName' | 'role' | 'metadata'>

/** Something that happened in a room and is no event yet. */
export interface Occurrence {
  id: number
  tag: string
  type: PartnerEventType
  /** Unique for the type and the room, e.g. `session:7`. */
  subject: string
  atMs: number
  data: Record<string, unknown>
}

/** An event as it is published: its number in the room is known only then. */
export interface NewEvent {
  occurrenceId: number
  clientId: number
  tag: string
  type: PartnerEventType
  subject: string
  atMs: number
  /** The content without `id` and `sequence`. */
  content: { type: PartnerEventType; created_at: string; room: object; data: object }
  usage: { participantMs: number; recordedMs: number }
}

export interface StoredEvent {
  /** Counts the events of the technical user. */
  position: number
  body: string
}

export interface Endpoint {
  id: string
  serviceAccount: string
  clientId: number
  url: string
  secret: string
  /** While the secret is being replaced. */
  previous?: { secret: string; expiresAtMs: number }
  events: PartnerEventType[]
  enabled: boolean
  description: string | null
  failingSinceMs: number | null
  disabledReason: string | null
  createdAtMs: number
}

export type EndpointChanges = Partial<Pick<Endpoint, 'url' | 'secret' | 'events' | 'enabled' | 'description'>>

export interface EndpointDelivery {
  seq: number
  id: string
  endpointId: string
  eventId: string
  type: string
  status: DeliveryStatus
  /** Finished attempts. */
  attempts: number
  nextAttemptAtMs: number | null
  responseStatus: number | null
  error: string | null
  createdAtMs: number
}

export interface DeliveryToSend extends EndpointDelivery {
  /** Identical bytes in every attempt. */
  body: string
}

export interface DeliveryWithHistory extends DeliveryToSend {
  history: AttemptRecord[]
}

export type Order = 'asc' | 'desc'

/** Entries after a position, in ascending order unless it says so. */
export interface AfterPage {
  after: number
  limit: number
  order?: Order
}
