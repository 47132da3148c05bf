import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Mutex } from '@lectern/common'
import type { Blob, BlobIntake, BlobStore, ConferenceFile } from '../ports.ts'
import { readAll } from '../read-all.ts'
import { documentScope } from '../scope.ts'
import type { FileStore } from '../stores/files.ts'
import { stripMetadata } from './strip-metadata.ts'

interface StrippedImageParts {
  store: Pick<FileStore, 'replaceContent'>
  blobs: Pick<BlobStore, 'read' | 'remove'> & Pick<BlobIntake, 'begin' | 'append' | 'finish'>
  /** Images are in memory as a whole, one at a time. */
  stripping: Mutex
}

interface Content {
  blob: Blob
  contentType: string
}

/**
 * Stores an image without its metadata in place of the one that was uploaded, before anybody may read it. False: it is
 * damaged. Files of other types stay as they are. Idempotent.
 */
export async function storeStripped(
  parts: StrippedImageParts,
  file: ConferenceFile,
  content: Content,
): Promise<boolean> {
  if (!content.contentType.startsWith('image/')) return true
  return parts.stripping.run(() => store(parts, file, content))
}

async function store(
  { store, blobs }: StrippedImageParts,
  file: ConferenceFile,
  { blob, contentType }: Content,
) {
  const image = await readAll(await blobs.read(blob))
  const stripped = stripMetadata(image, contentType)
  if (!stripped) return false
  if (stripped === image) return true
  const id = await blobs.begin({
    ...{ ownerId: file.userId, scope: documentScope(file.id), jobId: null, name: 'file', contentType },
    size: stripped.length,
    sha256: createHash('sha256').update(stripped).digest('hex'),
  })
  await blobs.append(id, 0, Readable.from([stripped]))
  await blobs.finish(id)
  if (!(await store.replaceContent(file.id, id, stripped.length))) await blobs.remove(id)
  return true
}
