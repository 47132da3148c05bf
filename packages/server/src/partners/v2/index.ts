import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import type { Keys } from '../../accounts/keys.ts'
import type { Clock } from '../../platform/clock.ts'
import type { BlobStore, Transcript } from '../../records/ports.ts'
import type { SendBlob } from '../../records/routes/blobs/send.ts'
import type { ClientSecrets } from '../client-secrets.ts'
import { createLti, type LtiParts } from '../lti/index.ts'
import type { Memberships } from '../memberships.ts'
import type { PartnerSlides, RoomSessions } from '../ports.ts'
import type { RoomPresenter } from '../present.ts'
import { ensureOpen, type Rooms } from '../rooms.ts'
import type { PartnerAuth } from '../routes/authentication.ts'
import { slideRoutes } from '../routes/slides.ts'
import type { Caller } from '../service-accounts.ts'
import type { DeliveryStore } from '../stores/deliveries.ts'
import type { ParticipantStore } from '../stores/participants.ts'
import type { RoomStore } from '../stores/rooms.ts'
import type { PartnerArchive } from '../stores/v2/archive.ts'
import type { RoomDeletionStore } from '../stores/v2/deletions.ts'
import type { EndpointDeliveryStore } from '../stores/v2/deliveries.ts'
import type { EndpointStore } from '../stores/v2/endpoints.ts'
import type { PartnerEventStore } from '../stores/v2/events.ts'
import type { PartnerFacts } from '../stores/v2/facts.ts'
import type { OwnerStore } from '../stores/v2/owners.ts'
import type { PeopleStore } from '../stores/v2/people.ts'
import type { RequestStore } from '../stores/v2/requests.ts'
import type { PartnerRetentionStore } from '../stores/v2/retention.ts'
import type { UsageStore } from '../stores/v2/usage.ts'
import type { ToolLimits } from '../tool-limits.ts'
import { Endpoints } from './events/endpoints.ts'
import { KnownPeople } from './events/known-people.ts'
import { EventPublisher } from './events/publisher.ts'
import { sweepIdempotencyKeys, useIdempotencyKeys } from './idempotency.ts'
import { LiveControl, type PlatformSessions } from './live.ts'
import { ForgottenPeople } from './people/forgotten-people.ts'
import { People } from './people/people.ts'
import { PersonLinks } from './people/person-links.ts'
import { PartnerRecordings, type RecordingsParts } from './recordings/recordings.ts'
import { RoomDeletions, type RoomDeletionsParts } from './rooms/deletions.ts'
import { HostedRooms } from './rooms/hosted-rooms.ts'
import { endpointDeliveryRoutes } from './routes/deliveries.ts'
import { endpointRoutes } from './routes/endpoints.ts'
import { eventRoutes } from './routes/events.ts'
import { fileLinkRoutes } from './routes/files.ts'
import { liveRoutes } from './routes/live.ts'
import { ownerRoutes } from './routes/owners.ts'
import { peopleRoutes } from './routes/people.ts'
import { partnerRecordingRoutes } from './routes/recordings.ts'
import { hostedRoomRoutes } from './routes/rooms.ts'

/** The parts that version 2 needs beside those of version 1. */
export interface PartnerApiParts {
  stores: {
    people: PeopleStore
    events: PartnerEventStore
    facts: PartnerFacts
    endpoints: EndpointStore
    endpointDeliveries: EndpointDeliveryStore
    requests: RequestStore
    archive: PartnerArchive
    deletions: RoomDeletionStore
    usage: UsageStore
    retention: PartnerRetentionStore
    owners: OwnerStore
  }
  /** `[Retention] Recordings`; null: for ever. */
  keptDaysMax: number | null
  sessions: PlatformSessions
  queue: { wake(): void }
  archive: RoomDeletionsParts['archive'] & { removeRecording(id: string): Promise<boolean> }
  findTranscript: (id: string) => Promise<Transcript | null>
  forgetPerson: RoomDeletionsParts['forgetPerson']
  auditRecordingRemoval: RecordingsParts['auditRemoval']
  exclusively: RoomDeletionsParts['exclusively']
  blobs: Pick<BlobStore, 'find'>
  sendBlob: SendBlob
  /** Null while LTI is disabled. */
  lti: LtiParts | null
  log: Logger
  /** Writes the audit row of what owners change; routes for owners that change something need a rule. */
  auditOwners: (
    app: FastifyInstance,
    owners: {
      ownerOf: (request: FastifyRequest) => Caller['owner'] | null
      isForOwners: (route: RouteOptions) => boolean
    },
  ) => void
}

interface SharedParts {
  rooms: Rooms
  memberships: Memberships
  roomStore: RoomStore
  participants: ParticipantStore
  deliveries: DeliveryStore
  conferences: RoomSessions
  slides: PartnerSlides
  present: RoomPresenter
  secrets: ClientSecrets
  keys: Keys
  /** Whether a service account of the technical user is active. */
  isUsable: (clientId: number) => Promise<boolean>
  publicUrl: () => string
  allowInsecure: boolean
  clock: Clock
}

/** Version 2 of the partner API, beside version 1, on the same rooms and accounts (docs/partner-api-v2.md). */
export function createPartnerApi(shared: SharedParts, parts: PartnerApiParts) {
  const { rooms, roomStore, participants, conferences, present, keys, publicUrl, clock } = shared
  const { stores, sessions, queue, archive, log } = parts
  const known = new KnownPeople({ participants, people: stores.people })
  const publisher = new EventPublisher({
    events: stores.events,
    facts: stores.facts,
    rooms: roomStore,
    deletions: stores.deletions,
    known,
    queue,
    clock,
    log,
  })
  const { forgetPerson } = parts
  const forgotten = new ForgottenPeople({
    rooms: roomStore,
    people: stores.people,
    participants,
    forgetPerson,
  })
  const people = new People({
    store: stores.people,
    memberships: shared.memberships,
    forgotten,
    requests: stores.requests,
    links: new PersonLinks(keys),
    present,
    publicUrl,
    findRoom: tag => rooms.findByTag(tag),
    ensureOpen: room => ensureOpen(room, clock()),
    clearRole: (room, role) => rooms.change(room.clientId, room.externalId, { [role]: null }),
    rotateRole: (room, role) => rooms.rotateLink(room.clientId, room.externalId, role),
  })
  const deletions = new RoomDeletions({
    store: stores.deletions,
    rooms: roomStore,
    people: stores.people,
    participants,
    deliveries: shared.deliveries,
    conferences,
    archive,
    forgotten,
    forgetPerson,
    onOccurred: () => void publisher.poll(),
    exclusively: parts.exclusively,
    clock,
    log,
  })
  const hostedRooms = new HostedRooms({
    ...{ store: roomStore, conferences, deletions, publicUrl, clock },
    retention: stores.retention,
    keptDaysMax: parts.keptDaysMax,
  })
  const recordings = new PartnerRecordings({
    store: stores.archive,
    retention: stores.retention,
    rooms: roomStore,
    deliveries: shared.deliveries,
    findTranscript: parts.findTranscript,
    removeRecording: archive.removeRecording,
    auditRemoval: parts.auditRecordingRemoval,
    known,
    isUsable: shared.isUsable,
    keys,
    publicUrl,
    clock,
  })
  const endpoints = new Endpoints({
    store: stores.endpoints,
    deliveries: stores.endpointDeliveries,
    queue,
    allowInsecure: shared.allowInsecure,
    clock,
  })
  const live = new LiveControl(sessions, known)

  const routes =
    (auth: PartnerAuth, toolLimits: ToolLimits): FastifyPluginAsync =>
    async app => {
      // First: a repetition changes nothing, and has no row in the audit log.
      useIdempotencyKeys(app, { auth, store: stores.requests, clock })
      parts.auditOwners(app, {
        ownerOf: ({ authenticated }) =>
          authenticated?.policy === auth.owner || authenticated?.policy === auth.serviceOrOwner
            ? ((authenticated.caller as Caller).owner ?? null)
            : null,
        isForOwners: ({ config }) => config?.auth === auth.owner || config?.auth === auth.serviceOrOwner,
      })
      const common = { auth, rooms: hostedRooms, limits: toolLimits }
      await app.register(hostedRoomRoutes(common))
      await app.register(
        slideRoutes({
          auth: auth.service,
          findRoom: (clientId, externalId) => hostedRooms.find(clientId, externalId),
          slides: shared.slides,
          limits: toolLimits,
          operations: { put: 'putHostedSlides', get: 'getHostedSlides', tag: 'Hosted rooms' },
        }),
      )
      await app.register(peopleRoutes({ ...common, people }))
      await app.register(liveRoutes({ ...common, live }))
      await app.register(eventRoutes({ ...common, events: stores.events, usage: stores.usage }))
      await app.register(endpointRoutes({ ...common, endpoints }))
      await app.register(endpointDeliveryRoutes({ ...common, endpoints }))
      await app.register(partnerRecordingRoutes({ ...common, recordings }))
      await app.register(ownerRoutes({ ...common, secrets: shared.secrets }))
      await app.register(fileLinkRoutes({ recordings, blobs: parts.blobs, sendBlob: parts.sendBlob }))
    }

  const lti =
    parts.lti &&
    createLti(parts.lti, {
      rooms: hostedRooms,
      people,
      peopleStore: stores.people,
      facts: stores.facts,
      known,
      isUsable: shared.isUsable,
      publicUrl,
      clock,
    })

  return {
    routes,
    /** Null while it is disabled. */
    lti,
    personalLinks: people,
    publisher,
    /** Call it about every second. */
    tick: () => Promise.all([publisher.poll(), deletions.poll()]),
    sweep: async () => {
      await recordings.sweep()
      await publisher.sweep()
      await sweepIdempotencyKeys(stores.requests, clock)
    },
  }
}
