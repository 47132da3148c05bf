import { interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { EventBus } from '../control/streams/event-bus.ts'
import type { DomainEvents } from '../domain-events.ts'
import type { ConferenceLookup } from '../messaging/directory/conference-lookup.ts'
import type { Messages } from '../messaging/messages.ts'
import { clamdAddress } from '../platform/config/clamd.ts'
import { ConferenceFiles } from '../records/files/conference-files.ts'
import { DocumentChanges } from '../records/files/document-changes.ts'
import { Documents } from '../records/files/documents.ts'
import { Quotas } from '../records/files/quotas.ts'
import { RoomSlides } from '../records/files/room-slides.ts'
import { ClamdScanner, noScanner } from '../records/files/scanner.ts'
import type { Jobs } from '../records/jobs/jobs.ts'
import type { DocumentNotice, FileMembers } from '../records/ports.ts'
import { ensureDiskSpace, RESERVE_BYTES } from '../records/storage/disk-space.ts'
import type { RoomSlides as SlidesOfBoard } from '../sessions/board/ports.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { SessionGateway } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

const DOCUMENTS_TOPIC = 'documents'

interface ConferenceFilesParts {
  registry: SessionRegistry
  /** A function, because sessions need the files themselves. */
  sessions: () => Pick<SessionGateway, 'findInside'>
  lookup: ConferenceLookup
  bus: EventBus<DocumentNotice>
  /** A function, because jobs need the documents themselves. */
  jobs: () => Jobs
  /** A function, because messages need the files of chats. */
  messages: () => Pick<Messages, 'assertMaySendFile' | 'mayRead'>
}

/** Files of conferences, and the documents among them. */
export function composeConferenceFiles(
  { config, clock, monotonicMs, log, lifetime, domainEvents }: ServerContext,
  stores: Pick<Stores, 'files' | 'blobs' | 'insiders' | 'boards'>,
  parts: ConferenceFilesParts,
) {
  const { registry, bus, jobs } = parts
  const { files: store, blobs } = stores
  const documents = new Documents({
    store,
    blobs,
    jobs,
    onChanged: notice => bus.publish(DOCUMENTS_TOPIC, notice),
  })
  const clamd = clamdAddress(config)
  const shared = {
    ...{ store, blobs, documents, clock },
    quotas: new Quotas({ store, clock, isLimited: config.Limits.Enabled }),
    hasConverter: () => jobs().hasConverter(),
    convertsOffice: () => jobs().convertsOffice(),
    scanner: clamd ? new ClamdScanner(clamd, log) : noScanner,
  }
  const files = new ConferenceFiles({
    ...shared,
    members: membersOf(stores, parts),
    listLeasedJobs: userId => jobs().leased.listHeldBy(userId),
  })
  const { DataDir } = config.Server
  const slides = new RoomSlides({
    ...shared,
    files,
    filesOnBoard: tag => stores.boards.filesShown(tag),
    folder: DataDir,
    ensureSpace: bytes => ensureDiskSpace(DataDir, bytes, RESERVE_BYTES),
  })
  const closing = lifetime.own('changes of documents', new AbortController(), each => each.abort())
  const publish = async (fileId: string) => {
    try {
      return closing.signal.aborted ? 0 : await publishDocument(fileId, documents, domainEvents)
    } catch (error) {
      log.error(
        { err: error, file_id: fileId },
        'a change of a document could not be published: retried for two minutes',
      )
      throw error
    }
  }
  const documentChanges = new DocumentChanges({
    publish,
    pause: ms => interruptibleSleep(ms, closing.signal),
    isHere: tag => registry.getByTag(tag) !== undefined,
    clock: monotonicMs,
  })
  // A converter uploads to any server; the session is on one.
  bus.subscribe(DOCUMENTS_TOPIC, notice => documentChanges.add(notice))
  return { files, documents, slides, documentChanges }
}

/** The slides of a room, as the board of its conference takes them: pages up to the first gap. */
export async function slidesForBoard(slides: RoomSlides, tag: string): Promise<SlidesOfBoard | null> {
  const document = await slides.find(tag)
  if (!document) return null
  const { file, pages } = document
  const gap = pages.findIndex(({ pageNumber }, index) => pageNumber !== index + 1)
  return { fileId: file.id, pages: gap < 0 ? pages : pages.slice(0, gap) }
}

/** Returns how many pages are done. */
async function publishDocument(
  fileId: string,
  documents: Documents,
  domainEvents: DomainEvents,
): Promise<number> {
  const document = await documents.find(fileId)
  if (!document) return 0
  const { id: _, sessionId, conferenceTag, userId, purpose, name, state, failure, pageCount } = document.file
  const about = { fileId, sessionId, conferenceTag, userId, purpose, name, state, failure, pageCount }
  domainEvents.publish('document-changed', { ...about, pages: document.pages })
  return document.pages.length
}

/** Turns a refusal of a message, which has no HTTP status of its own, into `permission_denied`. */
function asHttp(error: unknown): never {
  if (!(error instanceof Refusal) || error.status !== undefined) throw error
  throw new Refusal('permission_denied', error.message)
}

function membersOf(
  { insiders }: Pick<Stores, 'insiders'>,
  { sessions, lookup, messages }: ConferenceFilesParts,
): FileMembers {
  return {
    findInside: (tag, userId) => sessions().findInside(tag, userId),
    wasInside: insiders.wasInside,
    ownerOf: lookup.ownerOf,
    assertMaySendTo: (user, chatId) => messages().assertMaySendFile(user, chatId).catch(asHttp),
    mayReadChat: (user, chatId) => messages().mayRead(user, chatId),
  }
}
