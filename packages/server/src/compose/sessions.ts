import { getHeapStatistics } from 'node:v8'
import { sleep } from '@lectern/common'
import { boardLimiter } from '../control/limits/board-limiter.ts'
import { chatLimiter } from '../control/limits/chat-limiter.ts'
import { controlRates } from '../control/limits/rates.ts'
import { createMediaEventPublisher } from '../control/media-event-publisher.ts'
import type { AccountNotice } from '../control/streams/account-state.ts'
import { NameSource } from '../control/streams/name-source.ts'
import { ServerStreams } from '../control/streams/server-streams.ts'
import { Verification } from '../control/streams/verification.ts'
import { envelopeEncoder } from '../control/v2/envelopes.ts'
import type { DomainEvents } from '../domain-events.ts'
import { ConferenceLookup } from '../messaging/directory/conference-lookup.ts'
import { Directory } from '../messaging/directory/directory.ts'
import type { Config } from '../platform/config/index.ts'
import { shortDigest } from '../platform/short-digest.ts'
import type { DocumentChanges } from '../records/files/document-changes.ts'
import type { Documents } from '../records/files/documents.ts'
import type { RoomSlides } from '../records/files/room-slides.ts'
import { Jobs } from '../records/jobs/jobs.ts'
import type { DocumentNotice } from '../records/ports.ts'
import { Uploads } from '../records/uploads.ts'
import type { Boards } from '../sessions/board/boards.ts'
import type { BoardParts } from '../sessions/board/ports.ts'
import { createLiveSessions } from '../sessions/live-sessions.ts'
import type { ChatNotice } from '../sessions/ports.ts'
import type { Session } from '../sessions/session.ts'
import { SessionRegistry } from '../sessions/session-registry.ts'
import type { Cluster } from './cluster/cluster.ts'
import { composeConferenceFiles, slidesForBoard } from './conference-files.ts'
import type { ServerContext } from './context.ts'
import { CHAT_TOPIC, composeMessaging } from './messaging.ts'
import { composeRecords } from './records.ts'
import type { Stores } from './stores.ts'

export type SessionsPart = Awaited<ReturnType<typeof composeSessions>>

/** The live sessions, with their streams, their media, their jobs and the records of these jobs. */
export async function composeSessions(context: ServerContext, stores: Stores, cluster: Cluster) {
  const { config, clock, monotonicMs, lifetime, log, domainEvents, tracing } = context
  const leases = await cluster.openLeases(stores)
  const registry = new SessionRegistry({ leases, chat: stores.chat, clock, monotonicMs })
  const streams = openStreams(context, stores, cluster, registry)
  const mediaEvents = createMediaEventPublisher(domainEvents, streams)
  const media = await cluster.openMedia(mediaEvents)

  const lookup = new ConferenceLookup(stores.conferences)
  const { files, documents, slides, documentChanges } = composeConferenceFiles(context, stores, {
    registry,
    sessions: () => gateway,
    lookup,
    bus: cluster.bus<DocumentNotice>('documents'),
    jobs: () => jobs,
    messages: () => messaging.messaging.messages,
  })
  const records = composeRecords({
    stores,
    ownerOf: lookup.ownerOfRoom,
    files,
    documents,
    domainEvents,
    clock,
    log,
  })
  const jobs: Jobs = new Jobs({
    store: stores.jobs,
    sessions: registry,
    domainEvents,
    workers: { publishToAccount: (userId, event) => streams.accounts.publish(userId, event) },
    recordingParams: recordingParamsOf(config.Recorder),
    results: records.results,
    onFailure: { conversion: job => documents.fail(job) },
    externalIdsOf: lookup.externalIdsOf,
    clock,
    log,
    tracing,
  })
  lifetime.own('jobs', jobs, each => each.close())
  const uploads = new Uploads({
    blobs: stores.blobs,
    listLeasedJobs: userId => jobs.leased.listHeldBy(userId),
    ownerOf: lookup.ownerOf,
    files,
    documents,
  })
  const rates = controlRates(config.Limits)
  const graceMs = config.Conferences.EmptyGraceSeconds * 1000
  const limiter = chatLimiter(clock, rates.chat)
  const chatBus = cluster.bus<ChatNotice>('chat')
  const messaging = composeMessaging(context, stores, {
    streams,
    lookup,
    registry,
    chatLimiter: limiter,
    chatFiles: files,
    chatBus,
    vanishedBus: cluster.bus<number>('vanished'),
  })
  const { presence } = messaging.messaging
  const shared = cluster.sharePresence(presence)
  /** Nothing is decided by a presence that may be incomplete. */
  const callPresence = {
    presence: {
      isOffline: (userId: number) =>
        shared.isComplete && cluster.delivery.isReliable && presence.isOffline(userId),
    },
    isInCallElsewhere: presence.isInCallElsewhere,
  }
  const live = createLiveSessions({
    directory: lookup,
    registry,
    domainEvents,
    sessions: stores.sessions,
    chat: messaging.chat,
    chatLimiter: limiter,
    chatFiles: files,
    board: config.Board.Enabled ? boardOf(stores, streams, { documents, slides }, context) : null,
    media,
    ...cluster.takeover(stores, media),
    attendance: stores.attendance,
    events: messaging.events,
    jobs,
    clock,
    monotonicMs,
    graceMs,
    onFailure: what => error => log.warn({ err: error }, what),
  })
  const { conferences, reports, upkeep, boards } = live
  if (boards) showSlides(domainEvents, boards, documentChanges)
  chatBus.subscribe(CHAT_TOPIC, notice => reports.applyChatNotice(notice))
  const chatVerification = new Verification<Session>(cluster.delivery, clock)
  const verifyChats = () => reports.verifyChats(chatVerification.takeDue(registry.all))
  cluster.reportStatus(() => ({
    load: { sessions: registry.size },
    draining: upkeep.isHandedOver,
  }))
  const gateway = cluster.openGateway({ conferences, registry, leases })
  const directory = new Directory({
    store: stores.conferences,
    lookup,
    registry,
    sessions: gateway,
    admitsGuests: config.Conferences.AllowGuests,
    onChanged: messaging.onConferenceChanged,
    onRemoved: tag => {
      messaging.onConferenceRemoved(tag)
      void files.sweep().catch(error => log.warn({ err: error }, FILES_REMAIN))
    },
    clock,
  })
  return {
    registry,
    streams,
    messaging,
    media,
    lookup,
    records,
    files,
    slides,
    jobs,
    uploads,
    rates,
    graceMs,
    ...live,
    gateway,
    callPresence,
    verifyChats,
    documentChanges,
    directory,
  }
}

const FILES_REMAIN = 'files of a removed conference could not be removed: retried by the next sweep'

function openStreams(
  { clock, log, domainEvents }: ServerContext,
  { users }: Stores,
  cluster: Cluster,
  registry: SessionRegistry,
): ServerStreams {
  const streams = new ServerStreams({
    bus: cluster.bus<AccountNotice>('accounts'),
    encoder: envelopeEncoder,
    sessions: {
      incarnation: id => registry.get(id)?.lease.incarnation ?? null,
      state: id => registry.state(id)?.state ?? null,
    },
    clock,
    log,
    delivery: cluster.delivery,
  })
  streams.accounts.addSource('name', new NameSource(id => users.find(id)))
  domainEvents.subscribe('account-renamed', ({ user }) => streams.accounts.publishName(user))
  return streams
}

/** Pages of slides appear on the board while they are converted. What fails is published again. */
function showSlides(domainEvents: DomainEvents, { decks }: Boards, changes: DocumentChanges): void {
  domainEvents.subscribe('document-changed', async ({ purpose, sessionId, state, ...file }) => {
    if (purpose !== 'slides') return
    const hasEnded = state !== 'converting'
    try {
      if (sessionId === 0) await decks.takeSlides(file.conferenceTag)
      else await decks.addSlides(file, hasEnded)
    } catch (error) {
      changes.failed({ fileId: file.fileId, conferenceTag: file.conferenceTag, hasEnded })
      throw error
    }
  })
}

/**
 * Composes the boards. The content of pages takes an eighth of the memory that this process may use for objects, and
 * their streams as much again.
 */
const boardOf = (
  { boards }: Stores,
  { pages }: ServerStreams,
  { documents, slides }: { documents: Documents; slides: RoomSlides },
  { config, clock }: ServerContext,
): BoardParts => ({
  store: boards,
  pages,
  slidesOf: tag => slidesForBoard(slides, tag),
  limiter: boardLimiter(clock, { isEnabled: config.Limits.Enabled }),
  findFile: async id => {
    const found = await documents.find(id)
    return found && { fileId: id, conferenceTag: found.file.conferenceTag, pages: found.pages }
  },
  delay: sleep,
  digest: shortDigest,
  maxOpenBytes: getHeapStatistics().heap_size_limit / 8,
})

/** Parameters of recorders about the files that they make. */
export const recordingParamsOf = ({ Profile, AudioFormat }: Config['Recorder']) => ({
  profile: Profile,
  ...(Profile === 'decoded_audio' && { format: AudioFormat }),
})
