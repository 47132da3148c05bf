import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { uploadPieceBytes } from '@lectern/protocol'
import type { S3Settings } from '../../../platform/config/storage.ts'
import type { Blob } from '../../ports.ts'
import type { BlobIndex } from '../../stores/blobs.ts'
import { Layout, nullIfMissing, SHARDS } from '../layout.ts'
import { Bucket } from './bucket.ts'
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
  if (size === 0) return sendEmpty(file, bucket, { id, sha256 })
  const hash = createHash('sha256')
  const bytes = file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })
  const uploadId = await bucket.createUpload(id)
  try {
    let partNumber = 0
    for await (const piece of piecesOf(bytes, uploadPieceBytes(size))) {
      hash.update(piece)
      await bucket.putPart(id, uploadId, ++partNumber, piece)
    }
    const isRight = hash.digest('hex') === sha256
    if (isRight) await bucket.completeUpload(id, uploadId, (await bucket.listParts(id, uploadId)) ?? [])
    else await bucket.abortUpload(id, uploadId)
    return isRight
  } catch (error) {
    await bucket.abortUpload(id, uploadId).catch(() => {}) // the sweep removes it later
    throw error
  }
}

/** An upload needs a part, which an empty file does not have. */
async function sendEmpty(
  file: FileHandle,
  bucket: Bucket,
  { id, sha256 }: Pick<Blob, 'id' | 'sha256'>,
): Promise<boolean> {
  const isRight = (await file.stat()).size === 0 && createHash('sha256').digest('hex') === sha256
  if (isRight) await bucket.put(id, Buffer.alloc(0))
  return isRight
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
