import { Refusal, type WebhookEvent, type WebhookEventName } from '@lectern/protocol'
import type { FastifyPluginAsync } from 'fastify'
import type { Limits } from './http/limits.ts'
import type { Conference, ConferenceEntry, LinkGrant } from './sessions/ports.ts'

/** What anyone may know of a conference before entering it. */
export interface ConferenceSummary {
  tag: string
  title: string
  kind: Conference['kind']
  startsAt: string | null
  endsAt: string | null
  live: boolean
  entry: ConferenceEntry
  /** How recordings start; null: by hand. */
  recording: 'automatic' | null
}

/** A partner's backend: its technical user, and the scopes that its token was issued with (rule TOKEN-3). */
export interface ServiceCaller {
  clientId: number
  scopes: string[]
}

/** What partners are told of, without the room, which the module knows. */
export type PartnerEvent = {
  [Name in WebhookEventName]: {
    event: Name
    /** What it is about, e.g. `recording:<job id>`. Told again, it is not news. */
    subject: string
    data: Omit<Extract<WebhookEvent, { type: Name }>['data'], 'room'>
  }
}[WebhookEventName]

/** Everything the optional partner module adds to the service. It is entered here and nowhere else. */
export interface Integration {
  name: string
  /** Mounted under `/api/v1/integration`. */
  routes?: (limits: Limits) => FastifyPluginAsync
  /**
   * The conference of a partner's room; null when the tag is none of the module's. Throws `room_closed` or
   * `room_cancelled`.
   */
  findConference(tag: string): Promise<ConferenceSummary | null>
  /**
   * What the link is worth at a login of this user. Throws `link_invalid`, `link_rotated`, `room_closed`,
   * `room_cancelled`, or `permission_denied` when the link is another person's.
   */
  verifyJoinToken(joinToken: string, userId: number): Promise<LinkGrant>
  /**
   * Who sends this token; null when it is not a service account's. Throws `unauthenticated` or `token_expired`
   * when it is, and not good.
   */
  identify(accessToken: string): Promise<ServiceCaller | null>
  /** The technical user who owns the room, whatever its status; null when the tag is none of the module's. */
  ownerOf(tag: string): Promise<number | null>
  /**
   * Tells the partner whose room it is, if it is one. True when that is done for good, whatever happens to the
   * process then; false while there is no module that could know: the news is to be kept. May be repeated.
   */
  notifyPartner(tag: string, news: PartnerEvent): Promise<boolean>
}

/** What the server runs with when the module is off. */
export const standalone: Integration = {
  name: 'standalone',
  findConference: async () => null,
  verifyJoinToken: async () => {
    throw new Refusal('link_invalid')
  },
  identify: async () => null,
  ownerOf: async () => null,
  notifyPartner: async () => false,
}
