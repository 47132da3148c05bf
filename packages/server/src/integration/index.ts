import { ensure } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { Keys } from '../accounts/keys.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Clock } from '../clock.ts'
import type { DeliveryStore } from '../db/integration/deliveries.ts'
import type { ParticipantStore } from '../db/integration/participants.ts'
import type { RoomStore } from '../db/integration/rooms.ts'
import type { ServiceAccountStore } from '../db/integration/service-accounts.ts'
import type { WebhookStore } from '../db/integration/webhooks.ts'
import type { Integration } from '../hooks.ts'
import type { Limits } from '../route-limits.ts'
import type { ConferenceEntry } from '../sessions/ports.ts'
import { Links } from './links.ts'
import type { RoomSessions } from './ports.ts'
import { RoomPresenter } from './present.ts'
import { ensureOpen, Rooms } from './rooms.ts'
import { serviceAuth } from './routes/authentication.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { publicRoutes } from './routes/public.ts'
import { roomRoutes } from './routes/rooms.ts'
import { serverInfoRoutes } from './routes/service.ts'
import { webhookRoutes } from './routes/webhook.ts'
import { ServiceAccounts } from './service-accounts.ts'
import { toolLimiter } from './tool-limits.ts'
import { Visitors } from './visitors.ts'
import type { Deliveries } from './webhooks/deliveries.ts'
import { OwnDeliveries } from './webhooks/own-deliveries.ts'
import { Webhooks } from './webhooks/webhooks.ts'

export interface IntegrationParts {
  stores: {
    serviceAccounts: ServiceAccountStore
    rooms: RoomStore
    participants: ParticipantStore
    webhooks: WebhookStore
    deliveries: DeliveryStore
  }
  deliveries: Pick<Deliveries, 'emit' | 'wake'>
  conferences: RoomSessions
  accounts: Accounts
  sessions: Sessions
  jwt: Jwt
  keys: Keys
  clock: Clock
  version: string
  /** Whether this server can transcribe. */
  hasTranscriber: () => Promise<boolean>
  publicUrl: () => string
  plainLink: ConferenceEntry
  allowInsecureWebhooks: boolean
  /** False: requests are not limited. */
  isLimited: boolean
}

/** Services that partners use, and administrators for them. */
export interface PartnerServices {
  rooms: Rooms
  webhookSettings: Webhooks
  ownDeliveries: OwnDeliveries
}

/** The partner module: rooms by one HTTP call, signed links, webhooks (docs/partner-api.md). */
export function createIntegration(parts: IntegrationParts): {
  integration: Integration
  services: PartnerServices
} {
  const { stores, conferences, accounts, sessions, jwt, keys, clock, version, hasTranscriber } = parts
  const serviceAccounts = new ServiceAccounts({ store: stores.serviceAccounts, accounts, jwt, keys })
  const rooms = new Rooms({ store: stores.rooms, conferences, clock })
  const links = new Links(keys)
  const visitors = new Visitors({ rooms, links, participants: stores.participants, accounts, keys, clock })
  const webhookSettings = new Webhooks({
    store: stores.webhooks,
    allowInsecure: parts.allowInsecureWebhooks,
    clock,
  })
  const ownDeliveries = new OwnDeliveries({ ...stores, queue: parts.deliveries, clock })
  const toolLimits = toolLimiter(clock, parts.isLimited)
  const present = new RoomPresenter(links, parts.publicUrl)

  const integration: Integration = {
    name: 'partner',

    routes: (limits: Limits) => async app => {
      await app.register(publicRoutes({ serviceAccounts, visitors, rooms, present, sessions, limits }))
      const auth = serviceAuth(serviceAccounts, 'integration:rooms')
      await app.register(roomRoutes({ auth, rooms, present, limits: toolLimits }))
      await app.register(webhookRoutes({ auth, webhooks: webhookSettings, limits: toolLimits }))
      await app.register(deliveryRoutes({ auth, deliveries: ownDeliveries, limits: toolLimits }))
      await app.register(serverInfoRoutes({ auth, version, hasTranscriber }))
    },

    verifyJoinToken: (joinToken, userId) => visitors.admit(joinToken, userId),

    identify: async token =>
      jwt.claimedAudience(token) === 'lectern:service' ? serviceAccounts.authenticate(token) : null,

    enterByLink: joinToken => visitors.enter(joinToken),

    studentLink: async (tag, clientId) => {
      const room = await rooms.findByTag(tag)
      ensure(room?.clientId === clientId, 'room_not_found')
      return present.linkToken(room, 'student')
    },

    ownerOf: async tag => (await rooms.findByTag(tag))?.clientId ?? null,

    notifyPartner: async (tag, news) => {
      await parts.deliveries.emit(tag, news)
      return true
    },

    findConference: async tag => {
      const room = await rooms.findByTag(tag)
      if (!room) return null
      ensureOpen(room)
      const { title, startsAt, endsAt, board } = room
      const live = await rooms.isLive(room)
      const entry = parts.plainLink
      return { tag, kind: 'partner', title, startsAt, endsAt, live, entry, recording: 'automatic', board }
    },
  }
  return { integration, services: { rooms, webhookSettings, ownDeliveries } }
}
