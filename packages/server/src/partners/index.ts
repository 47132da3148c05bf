import { ensure } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import type { AuthSessions } from '../accounts/auth-sessions.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { Keys } from '../accounts/keys.ts'
import type { ConferenceSummary, Integration } from '../hooks.ts'
import type { Clock } from '../platform/clock.ts'
import type { ConferenceEntry } from '../sessions/ports.ts'
import { RoomCalendar } from './calendar.ts'
import { ClientSecrets } from './client-secrets.ts'
import { Links } from './links.ts'
import { Memberships } from './memberships.ts'
import { Owners } from './owners.ts'
import type { PartnerSlides, Room, RoomSessions } from './ports.ts'
import { RoomPresenter } from './present.ts'
import { ensureOpen, Rooms } from './rooms.ts'
import { partnerAuth } from './routes/authentication.ts'
import { calendarRoutes } from './routes/calendar.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { publicRoutes } from './routes/public.ts'
import { roomRoutes } from './routes/rooms.ts'
import { serverInfoRoutes } from './routes/service.ts'
import { slideRoutes } from './routes/slides.ts'
import { webhookRoutes } from './routes/webhook.ts'
import { ServiceAccounts } from './service-accounts.ts'
import type { DeliveryStore } from './stores/deliveries.ts'
import type { ParticipantStore } from './stores/participants.ts'
import type { RoomStore } from './stores/rooms.ts'
import type { ServiceAccountStore } from './stores/service-accounts.ts'
import type { WebhookStore } from './stores/webhooks.ts'
import { ownerLimiter, ToolLimits } from './tool-limits.ts'
import { createPartnerApi, type PartnerApiParts } from './v2/index.ts'
import { conferenceSettings, roomPage, settingsOf } from './v2/rooms/settings.ts'
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
  slides: PartnerSlides
  accounts: Accounts
  sessions: AuthSessions
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
  /** The parts of version 2. */
  v2: PartnerApiParts
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
  v2: Pick<ReturnType<typeof createPartnerApi>, 'publisher' | 'tick' | 'sweep' | 'lti'>
} {
  const { stores, conferences, accounts, sessions, jwt, keys, clock, version, hasTranscriber } = parts
  const serviceAccounts = new ServiceAccounts({ store: stores.serviceAccounts, accounts, jwt, keys, clock })
  const memberships = new Memberships({ participants: stores.participants, conferences })
  const rooms = new Rooms({ store: stores.rooms, conferences, memberships, clock })
  const links = new Links(keys)
  const present = new RoomPresenter(links, parts.publicUrl)
  const authenticateUser = (token: string) => sessions.authenticate(token)
  const owners = new Owners({
    accounts,
    serviceAccounts: stores.serviceAccounts,
    owners: parts.v2.stores.owners,
  })
  const v2 = createPartnerApi(
    {
      ...parts,
      ...stores,
      rooms,
      memberships,
      roomStore: stores.rooms,
      present,
      secrets: new ClientSecrets({ store: stores.serviceAccounts, keys, clock }),
      isUsable: clientId => serviceAccounts.hasUsable(clientId),
      allowInsecure: parts.allowInsecureWebhooks,
    },
    parts.v2,
  )
  const { personalLinks } = v2
  const visitors = new Visitors({
    rooms,
    links,
    personalLinks,
    participants: stores.participants,
    accounts,
    keys,
    clock,
  })
  const webhookSettings = new Webhooks({
    store: stores.webhooks,
    allowInsecure: parts.allowInsecureWebhooks,
    clock,
  })
  const ownDeliveries = new OwnDeliveries({ ...stores, queue: parts.deliveries, clock })
  const toolLimits = new ToolLimits(clock, parts.isLimited)
  const calendar = new RoomCalendar({ store: stores.rooms, present })
  const authParts = { accounts: serviceAccounts, owners, jwt, limits: ownerLimiter(clock, parts.isLimited) }
  const allAuth = partnerAuth({ ...authParts, authenticateUser }, 'integration:rooms')
  const auth = allAuth.service

  const integration: Integration = {
    name: 'partner',

    routes: limits => async app => {
      const findRoom = (clientId: number, externalId: string) => rooms.find(clientId, externalId)
      const slides = { findRoom, slides: parts.slides, operations: SLIDES_OPERATIONS }
      const operationId = 'getRoomCalendar'
      await app.register(publicRoutes({ serviceAccounts, visitors, rooms, present, sessions, limits }))
      await app.register(roomRoutes({ auth, rooms, present, limits: toolLimits }))
      await app.register(calendarRoutes({ auth, calendar, limits: toolLimits, operationId }))
      await app.register(slideRoutes({ auth, ...slides, limits: toolLimits }))
      await app.register(webhookRoutes({ auth, webhooks: webhookSettings, limits: toolLimits }))
      await app.register(deliveryRoutes({ auth, deliveries: ownDeliveries, limits: toolLimits }))
      await app.register(serverInfoRoutes({ auth, version, hasTranscriber }))
    },

    routesOfVersion2: async app => {
      await app.register(v2.routes(allAuth, toolLimits))
      const operationId = 'getHostedRoomCalendar'
      await app.register(calendarRoutes({ auth, calendar, limits: toolLimits, operationId }))
    },

    ...(v2.lti && { lti: v2.lti.routes }),

    verifyJoinToken: (joinToken, userId) => visitors.admit(joinToken, userId),

    identify: async token =>
      jwt.claimedAudience(token) === 'lectern:service' ? serviceAccounts.authenticate(token) : null,

    enterByLink: joinToken => visitors.enter(joinToken),

    studentLink: async (tag, clientId) => {
      const room = await stores.rooms.findOwnByTag(clientId, tag)
      ensure(room, 'room_not_found')
      return present.linkToken(room, 'student')
    },

    ownedBy: async user => {
      const owned = await owners.list(user)
      return owned.map(({ name, login, isUsable }) => ({ name, login, enabled: isUsable }))
    },

    ownerOf: async tag => (await rooms.findByTag(tag))?.clientId ?? null,

    externalIdsOf: async (tag, userIds) => {
      const room = await rooms.findByTag(tag)
      if (!room) return new Map()
      const [found] = await stores.participants.externalIds([{ clientId: room.clientId, userIds }])
      return found ?? new Map()
    },

    notifyPartner: async (tag, news) => {
      await parts.deliveries.emit(tag, news)
      return true
    },

    withdraw: subject => stores.deliveries.removeSubjects([subject]),

    findConference: async tag => {
      const room = await rooms.findByTag(tag)
      if (!room) return null
      ensureOpen(room, clock())
      return summaryOf(room, await rooms.isLive(room), parts.plainLink)
    },
  }
  return { integration, services: { rooms, webhookSettings, ownDeliveries }, v2 }
}

const SLIDES_OPERATIONS = { put: 'putSlides', get: 'getSlides', tag: 'Rooms' } as const

function summaryOf(room: Room, live: boolean, plainLink: ConferenceEntry): ConferenceSummary {
  const { tag, title, startsAt, endsAt, board } = room
  const { plain_link, recording } = settingsOf(room)
  return {
    ...{ tag, kind: 'partner', title, startsAt, endsAt, live, board },
    entry: plain_link ?? plainLink,
    recording: recording.mode === 'automatic' ? 'automatic' : null,
    settings: conferenceSettings(room),
    page: roomPage(room),
  }
}
