import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Blob, BlobIntake, NewBlob } from '../ports.ts'

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Upload metadata for these bytes. */
export const newBlob = (bytes: Buffer, about: Partial<NewBlob> = {}): NewBlob => ({
  ownerId: 7,
  scope: 'recording:aaaa-bbbbb-cccc',
  jobId: null,
  name: 'recording.mkv',
  contentType: 'video/x-matroska',
  size: bytes.length,
  sha256: sha256(bytes),
  ...about,
})

/** A stream of several chunks. */
export const streamOf = (...pieces: (Buffer | string)[]) =>
  Readable.from(
    pieces.map(piece => Buffer.from(piece)),
    { objectMode: false },
  )

export async function upload(to: BlobIntake, bytes: Buffer, about?: Partial<NewBlob>): Promise<Blob> {
  const id = await to.begin(newBlob(bytes, about))
  await to.append(id, 0, streamOf(bytes))
  return to.finish(id)
}
