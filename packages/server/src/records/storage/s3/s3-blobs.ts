import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { tryEach } from '@lectern/common'
import { ensure, uploadPieceBytes } from '@lectern/protocol'
import type { Logger } from 'pino'
import { type Clock, unixSeconds } from '../../../platform/clock.ts'
import type { S3Settings } from '../../../platform/config/storage.ts'
import type { Blob, NewBlob, Progress, Span, StoredBytes } from '../../ports.ts'
import type { BlobIndex } from '../../stores/blobs.ts'
import { isBlobId, newBlobId } from '../blob-id.ts'
import { upTo } from '../content.ts'
import { findOrphans } from '../orphans.ts'
import type { BlobRow, Orphans, SweptBlobs } from '../ports.ts'
import { Bucket, type Part } from './bucket.ts'
import { transferQueue } from './client.ts'
import { S3Failure } from './failure.ts'
import { Outage } from './outage.ts'
import { readSpan } from './read-span.ts'
import { S3Files } from './s3-files.ts'
import { arrivedPieces, pieceCount, piecesOf } from './upload-pieces.ts'

interface S3BlobsOptions {
  settings: S3Settings
  index: BlobIndex
  clock: Clock
  log: Pick<Logger, 'error' | 'info'>
  /** Without any byte from or to S3. */
  silenceMaxMs?: number
}

/** Distinguishes the place of our files from an empty bucket. */
export const MARKER = 'lectern-blobs'
/** Each has the memory of a piece. */
const RECEIVING_MAX = 8
/** Longer than an upload may take (docs/uploads.md, rule U6), with an hour for clocks that differ. */
const UNFINISHED_AFTER_S = 25 * 3600

/**
 * Blobs as objects of a bucket. The parts of a multipart upload are its only state: any server accepts the next piece, and
 * every step may be repeated after a failure or a kill.
 */
export class S3Blobs implements SweptBlobs {
  readonly canOverlap = true
  readonly #bucket: Bucket
  readonly #index: BlobIndex
  readonly #clock: Clock
  readonly #outage: Outage
  readonly #receiving = transferQueue(RECEIVING_MAX)

  /** Does not send a request: a server starts while its object storage is unavailable. */
  constructor({ settings, index, clock, log, silenceMaxMs }: S3BlobsOptions) {
    this.#bucket = new Bucket(settings, { silenceMaxMs })
    this.#index = index
    this.#clock = clock
    this.#outage = new Outage(log)
  }

  async find(id: string): Promise<Blob | null> {
    const row = await this.#index.find(id)
    return row?.state === 'ready' ? row.blob : null
  }

  async read({ id, size }: StoredBytes, span = { start: 0, end: size - 1 }): Promise<AsyncIterable<Buffer>> {
    const chunks = await this.#try(() => this.#open(keyOf(id), span))
    ensure(chunks, 'blob_not_found', 'The file is gone.')
    return chunks
  }

  exists({ id }: StoredBytes): Promise<boolean> {
    return this.#try(async () => (await this.#bucket.sizeOf(keyOf(id))) !== null)
  }

  async locate(): Promise<null> {
    return null
  }

  async begin(blob: NewBlob): Promise<string> {
    const id = newBlobId()
    const uploadId = await this.#try(async () => {
      if (await this.#index.isEmpty()) await this.#bucket.put(MARKER, Buffer.alloc(0))
      return blob.size === 0 ? null : this.#bucket.createUpload(id)
    })
    // A kill before this line leaves an upload without a row, which is swept.
    await this.#index.add({ ...blob, id, createdAt: unixSeconds(this.#clock) }, uploadId)
    return id
  }

  async progress(id: string): Promise<Progress | null> {
    const row = await this.#index.find(id)
    if (!row) return null
    const { blob } = row
    if (row.state === 'ready' || blob.size === 0) return { blob, received: blob.size }
    const pieces = await this.#try(() => this.#arrived(row))
    if (!pieces) return null
    return { blob, received: pieces.reduce((sum, { size }) => sum + size, 0) }
  }

  async append(id: string, offset: number, bytes: Readable): Promise<number> {
    const row = await this.#index.find(id)
    const upload = await this.progress(id)
    ensure(row && upload, 'blob_not_found')
    const { size } = row.blob
    const { received } = upload
    ensure(offset === received, 'invalid_argument', `The upload is at byte ${received}.`)
    return this.#receiving.run(() => this.#store(row, offset, upTo(size - offset)(bytes)))
  }

  async finish(id: string): Promise<Blob> {
    const row = await this.#index.find(id)
    ensure(row, 'blob_not_found')
    if (row.state === 'writing') {
      const isRight = await this.#try(async () => {
        await this.#assemble(row)
        return (await this.#sha256Of(row.blob)) === row.blob.sha256
      })
      if (!isRight) await this.remove(id)
      ensure(isRight, 'invalid_argument', 'The bytes do not match the announced sha256.')
      await this.#index.markReady(id)
    }
    return row.blob
  }

  async remove(id: string): Promise<void> {
    const uploadId = await this.#index.beginRemoval(id)
    await this.#try(async () => {
      if (uploadId) await this.#bucket.abortUpload(keyOf(id), uploadId)
      await this.#bucket.delete(keyOf(id))
    })
    await this.#index.remove(id)
  }

  /** Removes and returns orphans, and removes unfinished uploads without a row. Throws when the marker is missing. */
  async sweep(): Promise<Orphans> {
    return this.#try(async () => {
      await this.#ensureMarker()
      const now = unixSeconds(this.#clock)
      const files = new S3Files(this.#bucket, now - UNFINISHED_AFTER_S)
      const orphans = await findOrphans(files, this.#index, now)
      const removals = Object.values(orphans)
        .flat()
        .map(id => () => this.remove(id))
      for await (const { key, uploadId, startedAt } of this.#bucket.listUploads('b_'))
        if (isBlobId(key) && startedAt < now - UNFINISHED_AFTER_S)
          removals.push(() => this.#bucket.abortUpload(key, uploadId))
      await tryEach(removals, remove => remove())
      return orphans
    })
  }

  get metrics() {
    return {
      object_storage_failures: {
        help: 'Operations that failed because of the object storage, since the start.',
        type: 'counter' as const,
        read: () => this.#outage.failures,
      },
    }
  }

  close(): void {
    this.#bucket.close()
  }

  /** Null when the object does not exist. */
  async #open(key: string, span: Span): Promise<AsyncIterable<Buffer> | null> {
    if (span.end >= span.start) return readSpan(this.#bucket, key, span)
    return (await this.#bucket.sizeOf(key)) === null ? null : nothing()
  }

  /** The pieces that have arrived; all of them when the object exists already. Null when the upload is gone. */
  async #arrived({ blob, uploadId }: BlobRow): Promise<Pick<Part, 'size'>[] | null> {
    const parts = uploadId && (await this.#bucket.listParts(blob.id, uploadId))
    if (parts) return arrivedPieces(blob, parts)
    return (await this.#bucket.sizeOf(blob.id)) === blob.size ? [{ size: blob.size }] : null
  }

  /** Stores whole pieces, and the end of the file. Returns the new length. */
  async #store({ blob, uploadId }: BlobRow, offset: number, bytes: AsyncIterable<Buffer>): Promise<number> {
    const { id, size } = blob
    const pieceBytes = uploadPieceBytes(size)
    let received = offset
    for await (const piece of piecesOf(bytes, Math.min(pieceBytes, size - offset))) {
      const end = received + piece.length
      if (piece.length < pieceBytes && end < size) {
        const message = `Send at least ${pieceBytes} bytes; only the end of a file may be shorter.`
        ensure(received > offset, 'invalid_argument', message)
        break
      }
      const number = received / pieceBytes + 1
      await this.#try(() => this.#bucket.putPart(id, uploadId ?? '', number, piece), 'blob_not_found')
      received = end
    }
    return received
  }

  /** Makes the object from its parts; idempotent. Throws `invalid_argument` when bytes are missing. */
  async #assemble({ blob, uploadId }: BlobRow): Promise<void> {
    const { id, size } = blob
    if (size === 0) return this.#bucket.put(id, Buffer.alloc(0))
    const parts = uploadId && (await this.#bucket.listParts(id, uploadId))
    if (uploadId && parts) {
      const pieces = arrivedPieces(blob, parts)
      const received = pieces.reduce((sum, piece) => sum + piece.size, 0)
      ensure(
        pieces.length === pieceCount(blob),
        'invalid_argument',
        `${received} of ${size} bytes have arrived.`,
      )
      await this.#bucket.completeUpload(id, uploadId, pieces).catch(unlessAbsent)
    }
    // Another server, or this one before a kill, may have completed it.
    ensure((await this.#bucket.sizeOf(id)) === size, 'blob_not_found')
  }

  async #sha256Of({ id, size }: Blob): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of (await this.#open(id, { start: 0, end: size - 1 })) ?? nothing())
      hash.update(chunk)
    return hash.digest('hex')
  }

  async #ensureMarker(): Promise<void> {
    if ((await this.#bucket.sizeOf(MARKER)) !== null || (await this.#index.isEmpty())) return
    throw new Error(`The bucket has no object ${MARKER}: is it the right one? If it is, create the object.`)
  }

  /** Maps failures of S3 to refusals; what does not exist to that code, if given. */
  async #try<T>(work: () => Promise<T>, absent?: 'blob_not_found'): Promise<T> {
    try {
      const result = await work()
      this.#outage.worked()
      return result
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error
      ensure(!(absent && error.isAbsent), 'blob_not_found')
      this.#outage.failed(error)
      throw error.toRefusal()
    }
  }
}

/** Rejects ids of a foreign format. */
function keyOf(id: string): string {
  if (!isBlobId(id)) throw new Error('not a blob id')
  return id
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof S3Failure && error.isAbsent)) throw error
}

async function* nothing(): AsyncGenerator<Buffer> {}
