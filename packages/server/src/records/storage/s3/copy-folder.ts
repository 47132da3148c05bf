import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { uploadPieceBytes } from '@lectern/protocol'
import type { S3Settings } from '../../../platform/config/storage.ts'
import type { Blob } from '../../ports.ts'
import type { BlobIndex } from '../../stores/blobs.ts'
import { Layout, nullIfMissing, SHARDS } from '../layout.ts'
import { Bucket, type Part } from './bucket.ts'
import { MARKER } from './s3-blobs.ts'
import { piecesOf } from './upload-pieces.ts'

/** How far a copy is. */
export interface CopyProgress {
  /** Finished files that the database knows. */
  files: number
  bytes: number
  /** Copied now. */
  copiedFiles: number
  copiedBytes: number
  /** In the bucket already. */
  skippedFiles: number
  skippedBytes: number
  /** Ids of files that the folder does not have. */
  missing: string[]
  /** Ids of files whose bytes differ from their SHA-256; they are not copied. */
  damaged: string[]
}

interface Copy {
  folder: string
  settings: S3Settings
  index: BlobIndex
  onProgress?: (progress: CopyProgress) => void
}

const CONCURRENT_FILES = 4
const READ_BYTES = 1024 * 1024

/**
 * Copies the files of a folder to a bucket. May be repeated after an interruption: objects of the right size are not copied
 * again. The bucket is marked as the place of the files when nothing was damaged. Throws S3Failure.
 */
export async function copyFolder({ folder, settings, index, onProgress }: Copy): Promise<CopyProgress> {
  const layout = new Layout(folder)
  await layout.ensureMarker()
  const bucket = new Bucket(settings)
  const progress = await count(index)
  try {
    const blobs = finished(index)
    // All take the next file from one list, which ends at the first failure; the others finish the file that they copy.
    const copyNext = async () => {
      for await (const blob of blobs) {
        await copyFile(layout, bucket, blob, progress)
        onProgress?.(progress)
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: CONCURRENT_FILES }, copyNext))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    if (progress.damaged.length === 0) await bucket.put(MARKER, Buffer.alloc(0))
    return progress
  } finally {
    bucket.close()
  }
}

async function copyFile(layout: Layout, bucket: Bucket, blob: Blob, progress: CopyProgress): Promise<void> {
  if ((await bucket.sizeOf(blob.id)) === blob.size) {
    progress.skippedFiles++
    progress.skippedBytes += blob.size
    return
  }
  const file = await open(layout.path(blob.id)).catch(nullIfMissing)
  if (!file) return void progress.missing.push(blob.id)
  try {
    if (!(await send(file, bucket, blob))) return void progress.damaged.push(blob.id)
    progress.copiedFiles++
    progress.copiedBytes += blob.size
  } finally {
    await file.close()
  }
}

/** False when the bytes differ from the hash of the blob: then there is no object. */
async function send(file: FileHandle, bucket: Bucket, { id, size, sha256 }: Blob): Promise<boolean> {
  const hash = createHash('sha256')
  const parts: Pick<Part, 'number'>[] = []
  const bytes = file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })
  const uploadId = size > 0 ? await bucket.createUpload(id) : null
  try {
    for await (const piece of piecesOf(bytes, uploadPieceBytes(size))) {
      hash.update(piece)
      parts.push({ number: parts.length + 1 })
      await bucket.putPart(id, uploadId ?? '', parts.length, piece)
    }
    const isRight = hash.digest('hex') === sha256
    if (isRight && uploadId)
      await bucket.completeUpload(id, uploadId, (await bucket.listParts(id, uploadId)) ?? [])
    else if (isRight) await bucket.put(id, Buffer.alloc(0))
    else if (uploadId) await bucket.abortUpload(id, uploadId)
    return isRight
  } catch (error) {
    if (uploadId) await bucket.abortUpload(id, uploadId).catch(() => {}) // the sweep removes it later
    throw error
  }
}

async function count(index: BlobIndex): Promise<CopyProgress> {
  const done = { copiedFiles: 0, copiedBytes: 0, skippedFiles: 0, skippedBytes: 0 }
  const progress: CopyProgress = { files: 0, bytes: 0, ...done, missing: [], damaged: [] }
  for await (const { size } of finished(index)) {
    progress.files++
    progress.bytes += size
  }
  return progress
}

async function* finished(index: BlobIndex): AsyncGenerator<Blob> {
  for (const shard of SHARDS)
    for (const { blob, state } of await index.listByPrefix(`b_${shard}`)) if (state === 'ready') yield blob
}
