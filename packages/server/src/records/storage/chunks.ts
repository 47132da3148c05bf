import type { FileHandle } from 'node:fs/promises'
import type { Span } from '../ports.ts'
import { type BufferPool, CHUNK_BYTES } from './buffer-pool.ts'
import type { OpenFile } from './open-files.ts'

/**
 * Reads a span in chunks, with one chunk of read-ahead. A chunk is valid until the next one is requested. Throws when the
 * file ends before the span. Releases the file at the end.
 */
export async function* readChunks(file: OpenFile, span: Span, buffers: BufferPool): AsyncGenerator<Buffer> {
  const count = Math.ceil((span.end + 1 - span.start) / CHUNK_BYTES)
  const own = Array.from({ length: Math.min(count, 2) }, () => buffers.acquire())
  const read = (index: number): Promise<Buffer> => {
    const position = span.start + index * CHUNK_BYTES
    const length = Math.min(CHUNK_BYTES, span.end + 1 - position)
    const piece = fill(own[index % 2] as Buffer, length, file.handle, position)
    piece.catch(() => {}) // the consumer of the chunk gets the error
    return piece
  }
  let ahead: Promise<Buffer> | undefined
  try {
    for (let index = 0; index < count; index++) {
      const piece = await (ahead ?? read(index))
      ahead = index + 1 < count ? read(index + 1) : undefined
      yield piece
    }
  } finally {
    await ahead?.catch(() => {}) // another thread is writing into its buffer
    for (const buffer of own) buffers.release(buffer)
    file.release()
  }
}

async function fill(buffer: Buffer, length: number, file: FileHandle, position: number): Promise<Buffer> {
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new Error('The file of a blob is shorter than the blob.')
    filled += bytesRead
  }
  return buffer.subarray(0, length)
}
