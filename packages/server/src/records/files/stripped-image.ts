import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Blob, BlobIntake, BlobStore, ConferenceFile } from '../ports.ts'
import { readAll } from '../read-all.ts'
import { documentScope } from '../scope.ts'
import type { FileStore } from '../stores/files.ts'
import { stripMetadata } from './strip-metadata.ts'

interface Stores {
  store: Pick<FileStore, 'replaceContent'>
  blobs: Pick<BlobStore, 'read'> & Pick<BlobIntake, 'begin' | 'append' | 'finish'>
}

/**
 * Stores an image without its metadata in place of the one that was uploaded, before anybody may read it. False: it is
 * damaged. Files of other types stay as they are.
 */
export async function storeStripped(
  { store, blobs }: Stores,
  file: ConferenceFile,
  { blob, contentType }: { blob: Blob; contentType: string },
): Promise<boolean> {
  if (!contentType.startsWith('image/')) return true
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
  await store.replaceContent(file.id, id, stripped.length)
  return true
}
