import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tryEach } from '@lectern/common'
import { ensure } from '@lectern/protocol'
import { LRUCache } from 'lru-cache'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import type { Blob, NewBlob, Progress, Span, StoredBytes } from '../ports.ts'
import type { BlobIndex } from '../stores/blobs.ts'
import { newBlobId } from './blob-id.ts'
import { BufferPool } from './buffer-pool.ts'
import { readChunks } from './chunks.ts'
import { sha256Of, upTo } from './content.ts'
import { ensureDiskSpace, rethrowDiskFull } from './disk-space.ts'
import { Layout, nullIfMissing } from './layout.ts'
import { OpenFiles } from './open-files.ts'
import { findOrphans } from './orphans.ts'
import type { Orphans, SweptBlobs } from './ports.ts'

interface DiskBlobsOptions {
  folder: string
  index: BlobIndex
  clock: Clock
  /** Bytes of disk space to keep free. */
  reserve: number
  /** Whether the group of the folder may read files, for a reverse proxy that sends them. */
  isGroupReadable?: boolean
}

/** Ranges of a file follow each other. A proxy that does not find the file refuses the request itself. */
const LOCATION_TTL_MS = 1000
const LOCATIONS_MAX = 1000

/** Blobs as files in a folder. A file gets its final name once it is complete and durable. */
export class DiskBlobs implements SweptBlobs {
  readonly canOverlap = false
  readonly metrics = {}
  readonly #parts: DiskBlobsOptions
  readonly #layout: Layout
  readonly #files = new OpenFiles()
  readonly #buffers = new BufferPool()
  readonly #locations = new LRUCache<string, string>({
    max: LOCATIONS_MAX,
    ttl: LOCATION_TTL_MS,
    ttlResolution: 100, // the default sets a timer every millisecond
  })

  private constructor(parts: DiskBlobsOptions) {
    this.#parts = parts
    this.#layout = new Layout(parts.folder, parts.isGroupReadable)
  }

  static async open(parts: DiskBlobsOptions): Promise<DiskBlobs> {
    const blobs = new DiskBlobs(parts)
    await blobs.#layout.makeFolder()
    if (await parts.index.isEmpty()) await blobs.#layout.writeMarker()
    return blobs
  }

  async find(id: string): Promise<Blob | null> {
    const row = await this.#parts.index.find(id)
    return row?.state === 'ready' ? row.blob : null
  }

  async read({ id, size }: StoredBytes, span?: Span): Promise<AsyncIterable<Buffer>> {
    const file = await this.#files.open(this.#layout.path(id)).catch(nullIfMissing)
    ensure(file, 'blob_not_found', 'The file is gone.')
    return readChunks(file, span ?? { start: 0, end: size - 1 }, this.#buffers)
  }

  async exists({ id }: StoredBytes): Promise<boolean> {
    return (await stat(this.#layout.path(id)).catch(nullIfMissing)) !== null
  }

  async locate({ id, size }: StoredBytes): Promise<string | null> {
    const known = this.#locations.get(id)
    if (known !== undefined) return known
    const file = await stat(this.#layout.path(id)).catch(nullIfMissing)
    if (file?.size !== size) return null
    const path = this.#layout.pathInFolder(id)
    this.#locations.set(id, path)
    return path
  }

  async begin(blob: NewBlob): Promise<string> {
    const { folder, index, clock, reserve } = this.#parts
    await ensureDiskSpace(folder, blob.size, reserve)
    const id = newBlobId()
    await this.#layout.makeShard(id).catch(rethrowDiskFull)
    // The row first: files without a row are swept.
    await index.add({ ...blob, id, createdAt: unixSeconds(clock) })
    const part = await open(this.#layout.partPath(id), 'wx', this.#layout.fileMode).catch(rethrowDiskFull)
    await part.close()
    return id
  }

  async progress(id: string): Promise<Progress | null> {
    const row = await this.#parts.index.find(id)
    if (!row) return null
    if (row.state === 'ready') return { blob: row.blob, received: row.blob.size }
    const part = await stat(this.#layout.partPath(id)).catch(nullIfMissing)
    const file = part ?? (await stat(this.#layout.path(id)).catch(nullIfMissing))
    return file && { blob: row.blob, received: file.size }
  }

  async append(id: string, offset: number, bytes: Readable): Promise<number> {
    const upload = await this.progress(id)
    ensure(upload, 'blob_not_found')
    const { blob, received } = upload
    ensure(offset === received, 'invalid_argument', `The upload is at byte ${received}.`)
    await ensureDiskSpace(this.#parts.folder, 0, this.#parts.reserve)
    const file = createWriteStream(this.#layout.partPath(id), { flags: 'r+', start: offset })
    await pipeline(bytes, upTo(blob.size - offset), file).catch(rethrowDiskFull)
    return offset + file.bytesWritten
  }

  async finish(id: string): Promise<Blob> {
    const row = await this.#parts.index.find(id)
    ensure(row, 'blob_not_found')
    if (row.state === 'writing') {
      await this.#settle(row.blob)
      await this.#parts.index.markReady(id)
    }
    return row.blob
  }

  async remove(id: string): Promise<void> {
    const { index } = this.#parts
    await index.beginRemoval(id)
    for (const path of [this.#layout.partPath(id), this.#layout.path(id)]) await rm(path, { force: true })
    await index.remove(id)
  }

  /** Removes and returns orphans. Throws when the disk is not mounted. */
  async sweep(): Promise<Orphans> {
    await this.#layout.ensureMarker()
    const orphans = await findOrphans(this.#layout, this.#parts.index, unixSeconds(this.#parts.clock))
    await tryEach(Object.values(orphans).flat(), id => this.remove(id))
    return orphans
  }

  /** Files of downloads close by themselves. */
  close(): void {}

  /** Verifies the bytes and renames the file to its final name. */
  async #settle(blob: Blob): Promise<void> {
    const [part, path] = [this.#layout.partPath(blob.id), this.#layout.path(blob.id)]
    const file = await open(part, 'r+').catch(nullIfMissing)
    // After a kill that followed the rename, the file has its final name.
    if (!file) return void ensure(await stat(path).catch(nullIfMissing), 'blob_not_found')
    try {
      const { size } = await file.stat()
      ensure(size === blob.size, 'invalid_argument', `${size} of ${blob.size} bytes have arrived.`)
      await file.sync()
      const isRight = (await sha256Of(file)) === blob.sha256
      if (!isRight) await this.remove(blob.id)
      ensure(isRight, 'invalid_argument', 'The bytes do not match the announced sha256.')
    } finally {
      await file.close()
    }
    await rename(part, path)
    await this.#layout.syncShard(blob.id)
  }
}
