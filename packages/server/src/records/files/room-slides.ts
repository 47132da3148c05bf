import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { KeyedMutex, tryEach } from '@lectern/common'
import { cleanDisplayName, ensure, PDF_MAX_BYTES } from '@lectern/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { BlobIntake, BlobStore, ConferenceFile, NewFile, SlidesUpload } from '../ports.ts'
import { FILE_SCOPE } from '../scope.ts'
import type { FileStore } from '../stores/files.ts'
import type { ConferenceFiles } from './conference-files.ts'
import { isAccepted } from './content-type.ts'
import type { Document, Documents } from './documents.ts'
import { mayBeOffice } from './office-type.ts'
import { isTooLarge, refusedSlides } from './policy.ts'
import type { Quotas } from './quotas.ts'
import type { Scanner } from './scanner.ts'
import { typeOf } from './type-of.ts'

interface RoomSlidesOptions {
  store: FileStore
  blobs: BlobStore & BlobIntake
  documents: Pick<Documents, 'pagesOf'>
  files: Pick<ConferenceFiles, 'complete' | 'remove'>
  quotas: Pick<Quotas, 'enforceSpaceOfConference'>
  hasConverter: () => boolean
  /** Whether a converter takes office documents. */
  convertsOffice: () => boolean
  scanner: Pick<Scanner, 'assertAvailable'>
  /** The files that pages of the conference's board show. */
  filesOnBoard: (tag: string) => Promise<ReadonlySet<string>>
  /** The folder for the bytes while they arrive. */
  folder: string
  /** Throws `insufficient_storage` unless the bytes fit into the folder. */
  ensureSpace: (bytes: number) => Promise<void>
  clock: Clock
}

interface Received {
  file: FileHandle
  size: number
  sha256: string
  contentType: string
}

/** Slides that a partner adds to a conference, with or without an open session (docs/partner-api.md#slides). */
export class RoomSlides {
  readonly #parts: RoomSlidesOptions
  readonly #putting = new KeyedMutex()

  constructor(parts: RoomSlidesOptions) {
    this.#parts = parts
  }

  /** The slides that count: those that were put last. */
  async find(tag: string): Promise<Document | null> {
    const [file] = await this.#parts.store.listRoomSlides(tag)
    return file ? this.#parts.documents.pagesOf(file) : null
  }

  /**
   * Stores the document and has it converted. The same document again is the one that is there, unless it has failed. Throws
   * `conversion_unavailable`, `payload_too_large`, `unsupported_media_type`, `invalid_argument`, `file_quota_exceeded`,
   * `insufficient_storage`, `file_infected` or `scan_unavailable`.
   */
  async put(tag: string, upload: SlidesUpload): Promise<Document> {
    ensure(this.#parts.hasConverter(), 'conversion_unavailable')
    ensure((upload.size ?? 0) <= PDF_MAX_BYTES, 'payload_too_large', TOO_LARGE)
    await this.#parts.scanner.assertAvailable()
    // The hash is known at the end, and storing begins with it.
    await this.#parts.ensureSpace(upload.size ?? PDF_MAX_BYTES)
    const file = await openUnnamed(this.#parts.folder)
    try {
      const received = await receive(upload.body, file, this.#parts.convertsOffice())
      return await this.#putting.run(tag, () => this.#store(tag, upload, received))
    } finally {
      await file.close()
    }
  }

  async #store(tag: string, { userId, displayName, name }: SlidesUpload, received: Received) {
    const { store, blobs, documents, files, quotas, clock } = this.#parts
    const { size, sha256, contentType } = received
    const former = await store.listRoomSlides(tag)
    const [current] = former
    const isSame = current && (await blobs.find(current.id))?.sha256 === sha256
    if (isSame && current.state !== 'failed') return documents.pagesOf(current)
    const file: NewFile = {
      ...{
        conferenceTag: tag,
        sessionId: 0,
        chatId: null,
        userId,
        displayName,
        name: cleanDisplayName(name) || UNNAMED,
        size,
        purpose: 'slides',
      },
      createdAtMs: clock(),
    }
    ensure(!isTooLarge({ purpose: 'slides', size }, contentType), 'payload_too_large', TOO_LARGE)
    await this.#removeUnused(tag, former)
    await quotas.enforceSpaceOfConference(file)
    const blob = { ownerId: userId, scope: FILE_SCOPE, jobId: null, name: 'file', size, sha256 }
    const id = await blobs.begin({ ...blob, contentType: 'application/octet-stream' })
    await store.add(id, file)
    await blobs.append(id, 0, Readable.from(contentOf(received.file), { objectMode: false }))
    await files.complete(await blobs.finish(id))
    const stored = await store.find(id)
    ensure(stored, 'blob_not_found')
    return documents.pagesOf(stored)
  }

  /** Earlier slides, except the last ones, which remain until these are converted, and those that the board shows. */
  async #removeUnused(tag: string, [, ...earlier]: ConferenceFile[]): Promise<void> {
    const shown = await this.#parts.filesOnBoard(tag)
    await tryEach(
      earlier.filter(({ id }) => !shown.has(id)),
      ({ id }) => this.#parts.files.remove(id),
    )
  }
}

const UNNAMED = 'Slides'
const CHUNK_BYTES = 256 * 1024
const TOO_LARGE = 'Slides may have 50 MB, images 20 MB.'

/** A file that is gone with the process, however it ends. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `slides-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/** Writes the body to a file, never more than is permitted. An office document that is not is refused by its beginning. */
async function receive(body: Readable, file: FileHandle, isOffice: boolean): Promise<Received> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const isPossible = size > 0 || isOffice || !mayBeOffice(chunk)
    ensure(isPossible, 'unsupported_media_type', refusedSlides(isOffice))
    size += chunk.length
    ensure(size <= PDF_MAX_BYTES, 'payload_too_large', TOO_LARGE)
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  ensure(size > 0, 'invalid_argument', 'The document is empty.')
  const contentType = await typeOf({ size, read: (start, length) => readAt(file, start, length) }, 'slides')
  const isKnown = contentType !== null && isAccepted('slides', contentType, isOffice)
  ensure(isKnown, 'unsupported_media_type', refusedSlides(isOffice))
  return { file, size, sha256: hash.digest('hex'), contentType }
}

async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
  return buffer.subarray(0, bytesRead)
}

/** Unlike a stream of the file it leaves the file open, even when it is not read. */
async function* contentOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
