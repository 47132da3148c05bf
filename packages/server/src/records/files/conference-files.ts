import { KeyedMutex, Mutex, tryEach } from '@lectern/common'
import type { RandomAccess } from '@lectern/common/zip'
import {
  cleanDisplayName,
  type ErrorCode,
  ensure,
  type FilePurpose,
  ParticipantUploadMetadata,
  Refusal,
} from '@lectern/protocol'
import type { ChatFile } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../platform/clock.ts'
import { shape } from '../../platform/shape.ts'
import type { Job } from '../jobs/ports.ts'
import type {
  Blob,
  BlobIntake,
  BlobStore,
  ConferenceFile,
  FileMembers,
  MessageKey,
  NewBlob,
  NewFile,
  PagePart,
} from '../ports.ts'
import { readAll } from '../read-all.ts'
import { FILE_SCOPE } from '../scope.ts'
import type { FileStore } from '../stores/files.ts'
import { isAccepted } from './content-type.ts'
import { type Document, type Documents, fileOfJob } from './documents.ts'
import { MAX_BYTES, UNSENT_MAX_MS, UPLOAD_MAX_MS } from './limits.ts'
import { findPlace } from './planning.ts'
import { ensureMayUpload, isReadInside, isTooLarge, REFUSED_TYPES, refusedSlides } from './policy.ts'
import type { Quotas } from './quotas.ts'
import type { Scanner } from './scanner.ts'
import { storeStripped } from './stripped-image.ts'
import { typeOf } from './type-of.ts'

interface FilesOptions {
  store: FileStore
  blobs: BlobStore & BlobIntake
  documents: Documents
  members: FileMembers
  quotas: Quotas
  hasConverter: () => boolean
  /** Whether a converter takes office documents. */
  convertsOffice: () => boolean
  scanner: Scanner
  /** Jobs that workers of the account hold. */
  listLeasedJobs: (userId: number) => Promise<Job[]>
  clock: Clock
}

/** Why a whole file is refused; after other failures the client asks again. */
const FINAL: readonly ErrorCode[] = [
  'permission_denied',
  'file_quota_exceeded',
  'unsupported_media_type',
  'payload_too_large',
  'file_infected',
  'scan_unavailable',
]
/** A file with a name of which nothing can be seen. */
const UNNAMED = 'file'
const LIST_MAX = 1_000
const SWEPT_AT_ONCE = 1_000
const readMetadata = shape('metadata', ParticipantUploadMetadata)

/** Files that participants upload: slides, images for the board, and files in the chat (docs/uploads.md). */
export class ConferenceFiles {
  readonly #parts: FilesOptions
  /** The files of planned blobs. */
  readonly #planned = new WeakMap<NewBlob, NewFile>()
  readonly #beginning = new KeyedMutex()
  readonly #stripping = new Mutex()

  constructor(parts: FilesOptions) {
    this.#parts = parts
  }

  /**
   * Validates a new upload. Throws `invalid_argument`, `permission_denied`, `payload_too_large`, `conversion_unavailable`,
   * `scan_unavailable` or `rate_limited`.
   */
  async plan(user: User, address: string, size: number, metadata: unknown): Promise<NewBlob> {
    const { members, quotas, hasConverter, clock } = this.#parts
    const request = readMetadata(metadata)
    const { purpose, name, sha256 } = request
    const place = await findPlace(members, user, request)
    const max = MAX_BYTES[purpose]
    ensure(size > 0, 'invalid_argument', 'The file is empty.')
    ensure(size <= max, 'payload_too_large', `Such a file may have ${max / 1_000_000} MB.`)
    ensure(purpose === 'chat_file' || hasConverter(), 'conversion_unavailable')
    const file: NewFile = {
      ...place,
      userId: user.id,
      name: cleanDisplayName(name) || UNNAMED,
      size,
      purpose,
      createdAtMs: clock(),
    }
    quotas.enforceRates(user.id, address)
    await this.#parts.scanner.assertAvailable()
    const contentType = 'application/octet-stream' // until the bytes are there
    const blob = { ownerId: user.id, scope: FILE_SCOPE, jobId: null, name: 'file', contentType, size, sha256 }
    this.#planned.set(blob, file)
    return blob
  }

  isPlanned = (blob: NewBlob): boolean => this.#planned.has(blob)

  /**
   * Begins a planned upload; of several at once, each counts those before it. What a crash leaves in between is a blob that
   * is never finished. Throws `file_quota_exceeded`.
   */
  begin(blob: NewBlob): Promise<string> {
    const { store, blobs, quotas } = this.#parts
    const file = this.#planned.get(blob)
    if (!file) throw new Error('begin() requires plan() first')
    return this.#beginning.run(file.chatId ?? file.conferenceTag, async () => {
      await quotas.enforceSpace(file)
      const id = await blobs.begin(blob)
      await store.add(id, file)
      return id
    })
  }

  /** Whether the account may go on with the upload. */
  async isOwn(user: User, id: string): Promise<boolean> {
    const file = await this.#parts.store.find(id)
    return file?.userId === user.id && file.state !== 'removing'
  }

  /**
   * All bytes are there. Idempotent. Throws `permission_denied`, `file_quota_exceeded`, `unsupported_media_type`,
   * `payload_too_large`, `file_infected` or `scan_unavailable`, and removes the file then.
   */
  async complete(blob: Blob): Promise<void> {
    const { store, documents } = this.#parts
    const file = await store.find(blob.id)
    ensure(file && file.state !== 'removing', 'blob_not_found')
    if (file.state !== 'uploading' && file.state !== 'converting') return
    const isConverted = file.purpose !== 'chat_file'
    const contentType = file.contentType || (await this.#accept(file, blob))
    await store.complete(file.id, contentType, isConverted ? 'converting' : 'stored')
    // The file may have been removed meanwhile: nobody waits for its pages then.
    const stored = await store.find(file.id)
    ensure(stored && stored.state !== 'removing', 'blob_not_found')
    if (stored.state === 'converting') await documents.convert(stored)
  }

  /** Rights may have been withdrawn while the bytes arrived. What comes from outside of a session has been decided by others. */
  async #assertStillPermitted({ conferenceTag, sessionId, userId, purpose }: ConferenceFile): Promise<void> {
    if (sessionId === 0) return
    const { members } = this.#parts
    const inside = await members.findInside(conferenceTag, userId)
    if (inside) return ensureMayUpload(inside, purpose)
    // Somebody who has left, or is about to come back, and was not removed.
    ensure(await members.wasInside(sessionId, userId), 'permission_denied', 'Join the conference first.')
  }

  /** Nobody can use the file yet. Returns its type. */
  async #accept(file: ConferenceFile, blob: Blob): Promise<string> {
    const { store, blobs, scanner, quotas } = this.#parts
    try {
      await this.#assertStillPermitted(file)
      await quotas.enforceSpaceAtEnd(file)
      const contentType = await this.#typeOf(blob, file.purpose)
      const isOffice = this.#parts.convertsOffice()
      const isKnown = contentType !== null && isAccepted(file.purpose, contentType, isOffice)
      const refusal = file.purpose === 'slides' ? refusedSlides(isOffice) : REFUSED_TYPES[file.purpose]
      ensure(isKnown, 'unsupported_media_type', refusal)
      ensure(!isTooLarge(file, contentType), 'payload_too_large', 'An image may have 20 MB.')
      await scanner.assertClean(blob, () => blobs.read(blob))
      const stripper = { store, blobs, stripping: this.#stripping }
      const isWhole =
        file.purpose !== 'chat_file' || (await storeStripped(stripper, file, { blob, contentType }))
      ensure(isWhole, 'unsupported_media_type', 'The image is damaged.')
      return contentType
    } catch (error) {
      if (error instanceof Refusal && FINAL.includes(error.code)) await this.remove(file.id)
      throw error
    }
  }

  async list(user: User, tag: string): Promise<ConferenceFile[]> {
    const { store, members } = this.#parts
    const isOwner = (await members.ownerOf(tag)) === user.id
    const inside = isOwner ? null : await members.findInside(tag, user.id)
    ensure(isOwner || inside, 'permission_denied', 'Join the conference first.')
    const files = await store.list(tag, LIST_MAX)
    return inside ? files.filter(file => isReadInside(file, inside)) : files
  }

  /** Throws `blob_not_found`, also for what others may not know. */
  async find(user: User, id: string): Promise<ConferenceFile> {
    const file = await this.#parts.store.find(id)
    const isThere = file && file.state !== 'uploading' && file.state !== 'removing'
    ensure(isThere && (await this.#mayRead(user, file)), 'blob_not_found')
    return file
  }

  async findDocument(user: User, id: string): Promise<Document> {
    return this.#parts.documents.pagesOf(await this.find(user, id))
  }

  /** The blob with the content of a file. */
  async contentOf({ id }: ConferenceFile): Promise<string> {
    return (await this.#parts.store.findPart(id, 0, 'content')) ?? id
  }

  /** A blob of a page; null: there is none. Throws `blob_not_found`, as `find`. */
  async findPart(user: User, id: string, pageNumber: number, part: PagePart): Promise<string | null> {
    return this.#parts.store.findPart((await this.find(user, id)).id, pageNumber, part)
  }

  /** Removes a file: by its uploader, also before the upload is complete; by moderators and the owner of the conference. */
  async removeBy(user: User, id: string): Promise<void> {
    const { store, members } = this.#parts
    const file = await store.find(id)
    ensure(file && file.state !== 'removing', 'blob_not_found')
    if (file.userId !== user.id) {
      ensure(file.state !== 'uploading' && (await this.#mayRead(user, file)), 'blob_not_found')
      const inside = await members.findInside(file.conferenceTag, user.id)
      const isOwner = (await members.ownerOf(file.conferenceTag)) === user.id
      ensure(inside?.isModerator || isOwner, 'permission_denied')
    }
    await this.remove(id)
  }

  /** Gives the file to a message; see ChatFiles. */
  claim = (id: string, message: MessageKey): Promise<ChatFile | null> => this.#parts.store.claim(id, message)

  /** Marked first, so that the sweep completes what a crash interrupts. */
  async remove(id: string): Promise<void> {
    const { store } = this.#parts
    await store.beginRemoval(id)
    await this.#removeMarked(id)
  }

  /** Completes what crashes have interrupted, and removes the files of removed conferences, those
   * that no message has, and those of uploads that nobody finished. */
  async sweep(): Promise<void> {
    const { store, blobs, clock } = this.#parts
    await store.beginRemovalOfRemoved()
    await store.beginRemovalOfUnsent(clock() - UNSENT_MAX_MS)
    // Until then, the uploader may ask whether the last bytes have arrived.
    for (const id of await store.listReplaced(clock() - UPLOAD_MAX_MS, SWEPT_AT_ONCE)) await blobs.remove(id)
    const unfinished = await store.listUnfinished(SWEPT_AT_ONCE)
    await tryEach(unfinished, async file => {
      if (file.state === 'removing') return this.#removeMarked(file.id)
      if (file.state === 'uploading' && file.createdAtMs < clock() - UPLOAD_MAX_MS)
        return this.#sweepUpload(file)
      if (file.state === 'converting') await this.#parts.documents.resume(file)
    })
  }

  /** The last response may have been lost with the server. */
  async #sweepUpload({ id }: ConferenceFile): Promise<void> {
    const blob = await this.#parts.blobs.find(id)
    if (!blob) return this.remove(id)
    await this.complete(blob).catch(error => {
      if (!(error instanceof Refusal)) throw error
      return this.remove(id)
    })
  }

  async #removeMarked(id: string): Promise<void> {
    const { store, blobs, documents } = this.#parts
    await documents.cancel(id)
    for (const blobId of [...(await store.blobsOf(id)), id]) await blobs.remove(blobId)
    await store.remove(id)
  }

  async #mayRead(user: User, file: ConferenceFile): Promise<boolean> {
    const { members } = this.#parts
    const { id } = user
    if (file.userId === id || (await members.wasInside(file.sessionId, id))) return true
    const inside = await members.findInside(file.conferenceTag, id)
    if (inside && isReadInside(file, inside)) return true
    if ((await members.ownerOf(file.conferenceTag)) === id) return true
    if (file.chatId !== null && (await members.mayReadChat(user, file.chatId))) return true
    return (await this.#isConverting(user, file)) || this.#isRecording(user, file)
  }

  /** Whether the account has a worker that converts the file. */
  async #isConverting({ id, capabilities }: User, file: ConferenceFile): Promise<boolean> {
    if (file.state !== 'converting' || !capabilities.includes('jobs.converter')) return false
    const held = await this.#parts.listLeasedJobs(id)
    return held.some(job => job.kind === 'conversion' && fileOfJob(job) === file.id)
  }

  /** Whether the account has a worker that records the conference, whose board may show the file. */
  async #isRecording({ id, capabilities }: User, file: ConferenceFile): Promise<boolean> {
    if (file.purpose === 'chat_file' || !capabilities.includes('jobs.recorder')) return false
    const held = await this.#parts.listLeasedJobs(id)
    return held.some(
      ({ kind, conferenceTag }) => kind === 'recording' && conferenceTag === file.conferenceTag,
    )
  }

  async #typeOf(blob: Blob, purpose: FilePurpose): Promise<string | null> {
    const file: RandomAccess = {
      size: blob.size,
      read: async (start, length) => {
        const end = Math.min(start + length, blob.size) - 1
        return end < start ? Buffer.alloc(0) : readAll(await this.#parts.blobs.read(blob, { start, end }))
      },
    }
    return typeOf(file, purpose)
  }
}
