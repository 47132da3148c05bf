import { stat } from 'node:fs/promises'
import { Layout, nullIfMissing } from '../../records/storage/layout.ts'
import { copyVerified, ensureFree, isIntact } from './durable-files.ts'
import type { SavedBlob, SavedBlobs } from './saved-blobs.ts'

/** How far copying or verifying is. */
export interface BlobProgress {
  /** All files. */
  files: number
  bytes: number
  copiedFiles: number
  copiedBytes: number
  /** There already with the right bytes: of an interrupted run, or when nothing is copied. */
  keptFiles: number
  /** Ids of files that the source does not have. */
  missing: string[]
  /** Ids of files whose bytes differ from their checksum; they are not copied. */
  damaged: string[]
}

type OnProgress = (progress: BlobProgress) => void
type CopyOutcome = 'kept' | 'copied' | 'missing' | 'damaged'

const CONCURRENT_FILES = 4

/** Copies the files of a list from one folder to another, which exists. Throws OperatorError if they do not fit. */
export async function copyBlobs(
  blobs: SavedBlobs,
  from: string,
  to: string,
  onProgress: OnProgress,
): Promise<BlobProgress> {
  const [source, target] = [new Layout(from), new Layout(to)]
  await ensureFree(to, await missingBytes(blobs, target))
  return forEachBlob(blobs, onProgress, async blob => {
    const path = target.path(blob.id)
    if (await isIntact(path, blob)) return 'kept'
    const isCopied = await copyVerified(source.path(blob.id), path, blob.sha256).catch(nullIfMissing)
    if (isCopied === null) return 'missing'
    return isCopied ? 'copied' : 'damaged'
  })
}

/** Compares the files of a list with their checksums. */
export function verifyBlobs(
  blobs: SavedBlobs,
  folder: string,
  onProgress: OnProgress,
): Promise<BlobProgress> {
  const layout = new Layout(folder)
  return forEachBlob(blobs, onProgress, async blob => {
    const path = layout.path(blob.id)
    if (await isIntact(path, blob)) return 'kept'
    return (await layout.exists(blob.id)) ? 'damaged' : 'missing'
  })
}

async function forEachBlob(
  blobs: SavedBlobs,
  onProgress: OnProgress,
  handle: (blob: SavedBlob) => Promise<CopyOutcome>,
): Promise<BlobProgress> {
  const { count: files, bytes } = blobs.total
  const counts = { copiedFiles: 0, copiedBytes: 0, keptFiles: 0 }
  const progress: BlobProgress = { files, bytes, ...counts, missing: [], damaged: [] }
  const list = blobs.list()
  // All take the next file from one list.
  const handleNext = async () => {
    for (const blob of list) {
      note(progress, blob, await handle(blob))
      onProgress(progress)
    }
  }
  // After a failure, nothing is written any more when this rejects.
  const ends = await Promise.allSettled(Array.from({ length: CONCURRENT_FILES }, handleNext))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return progress
}

function note(progress: BlobProgress, { id, size }: SavedBlob, outcome: CopyOutcome): void {
  if (outcome === 'kept') progress.keptFiles++
  else if (outcome === 'copied') {
    progress.copiedFiles++
    progress.copiedBytes += size
  } else progress[outcome].push(id)
}

async function missingBytes(blobs: SavedBlobs, target: Layout): Promise<number> {
  let bytes = 0
  for (const { id, size } of blobs.list())
    if ((await stat(target.path(id)).catch(nullIfMissing))?.size !== size) bytes += size
  return bytes
}
