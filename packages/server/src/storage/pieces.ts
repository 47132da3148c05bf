import type { FileHandle } from 'node:fs/promises'
import type { Span } from '../records/ports.ts'
import { type Buffers, PIECE_BYTES } from './buffers.ts'
import type { OpenFile } from './open-files.ts'

/**
 * The bytes of a span, piece by piece; a piece is good until the next is asked for. While one is looked at, the next
 * is read, and no more. Throws when the file ends before the span does. Releases the file in the end.
 */
export async function* readPieces(file: OpenFile, span: Span, buffers: Buffers): AsyncGenerator<Buffer> {
  const count = Math.ceil((span.end + 1 - span.start) / PIECE_BYTES)
  const own = Array.from({ length: Math.min(count, 2) }, () => buffers.take())
  const read = (index: number): Promise<Buffer> => {
    const position = span.start + index * PIECE_BYTES
    const length = Math.min(PIECE_BYTES, span.end + 1 - position)
    const piece = fill(own[index % 2] as Buffer, length, file.handle, position)
    piece.catch(() => {}) // it is told to who asks for the piece, if anybody does
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
    for (const buffer of own) buffers.give(buffer)
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
