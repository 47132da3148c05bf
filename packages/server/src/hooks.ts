import {
  type OwnedServiceAccount,
  Refusal,
  type RoomPage,
  type WebhookEvent,
  type WebhookEventName,
} from '@lectern/protocol'
import type { FastifyPluginAsync } from 'fastify'
import type { User } from './accounts/ports.ts'
import type { Limits } from './platform/route-limits.ts'
import type {
  BoardMode,
  Conference,
  ConferenceEntry,
  ConferenceSettings,
  LinkGrant,
} from './sessions/ports.ts'

/** Facts about a conference that are public before joining. */
export interface ConferenceSummary {
  tag: string
  title: string
  kind: Conference['kind']
  startsAt: string | null
  endsAt: string | null
  live: boolean
  /** The people inside; absent where they are not shown. */
  participants?: { names: string[]; count: number } | null
  entry: ConferenceEntry
  /** Made for a call between users. */
  isForCall?: boolean
  /** How recordings start; null: manually. */
  recording: 'automatic' | null
  /** Settings of a partner's room that has any. */
  settings?: ConferenceSettings | undefined
  page?: RoomPage | undefined
  /** Whether the board of a partner's room stays for the next session. */
  board?: BoardMode
}

/** A partner's backend: its technical user, and the scopes that its token was issued with (rule TOKEN-3). */
export interface ServiceCaller {
  clientId: number
  scopes: string[]
  /** Whether the token would be refused now, unless it has merely expired (rules TOKEN-4 and TOKEN-7). */
  isRevoked(): Promise<boolean>
}

/** An event of which partners are notified, without the room, which the module adds. */
export type PartnerEvent = {
  [Name in WebhookEventName]: {
    event: Name
    /** The subject, e.g. `recording:<job id>`. A partner is notified once for each event and subject. */
    subject: string
    data: Omit<Extract<WebhookEvent, { type: Name }>['data'], 'room'>
  }
}[WebhookEventName]

/** Everything that the optional partner module adds to the service: its only entry point. */
export interface Integration {
  name: string
  /** Mounted under `/api/v1/integration`. */
  routes?: (limits: Limits) => FastifyPluginAsync
  /** Mounted under `/api/v2/integration`. */
  routesOfVersion2?: FastifyPluginAsync
  /** Mounted under `/lti`, if LTI is enabled. */
  lti?: (limits: Limits) => FastifyPluginAsync
  /**
   * The conference of a partner's room; null when the tag belongs to no room. Throws `room_closed` or `room_cancelled`.
   */
  findConference(tag: string): Promise<ConferenceSummary | null>
  /**
   * The grant of the link to this user at a login. Throws `link_invalid`, `link_rotated`, `room_closed`,
   * `room_cancelled`, or `permission_denied` when the link is another person's.
   */
  verifyJoinToken(joinToken: string, userId: number): Promise<LinkGrant>
  /**
   * The person of a signed link: the account of a personal link, which is created if necessary, else null. Throws as the
   * resolver of links does.
   */
  enterByLink(joinToken: string): Promise<{ tag: string; displayName: string; user: User | null }>
  /** The student's link of a partner's own room. Throws `room_not_found`. */
  studentLink(tag: string, clientId: number): Promise<string>
  /**
   * The sender of the token; null when the token is not a service account's. Throws `unauthenticated` or
   * `token_expired` for an invalid token of a service account.
   */
  identify(accessToken: string): Promise<ServiceCaller | null>
  /** The service accounts for which the person acts, by name (rule OWNED-1). */
  ownedBy(user: User): Promise<OwnedServiceAccount[]>
  /** The technical user who owns the room, whatever its status; null when the tag belongs to no room. */
  ownerOf(tag: string): Promise<number | null>
  /** The partner's own ids of accounts (rule PERSON-1); without those that it does not know, and other conferences. */
  externalIdsOf(tag: string, userIds: number[]): Promise<Map<number, string>>
  /**
   * Notifies the partner who owns the room, if it is a partner's. True when the notification is stored; false without
   * the module: the caller keeps the event. Idempotent.
   */
  notifyPartner(tag: string, news: PartnerEvent): Promise<boolean>
  /** Removes the notifications about a subject that was deleted meanwhile. */
  withdraw(subject: string): Promise<void>
}

/** The implementation while the partner module is disabled. */
export const standalone: Integration = {
  name: 'standalone',
  findConference: async () => null,
  verifyJoinToken: async () => {
    throw new Refusal('link_invalid')
  },
  enterByLink: async () => {
    throw new Refusal('link_invalid')
  },
  studentLink: async () => {
    throw new Refusal('room_not_found')
  },
  identify: async () => null,
  ownedBy: async () => [],
  ownerOf: async () => null,
  externalIdsOf: async () => new Map(),
  notifyPartner: async () => false,
  withdraw: async () => {},
}
