import { uploadPieceBytes } from '@lectern/protocol'
import type { Blob } from '../../ports.ts'
import type { Part } from './bucket.ts'

/**
 * Pieces of an upload have a fixed length, so that a part of a number always has the same bytes: servers that accept the
 * same piece at once, or again, store the same part.
 */
export const pieceCount = ({ size }: Blob) => Math.ceil(size / uploadPieceBytes(size))

const pieceLength = ({ size }: Blob, index: number) =>
  Math.min(uploadPieceBytes(size), size - index * uploadPieceBytes(size))

/** The pieces that have arrived, without those behind a gap. */
export function arrivedPieces(blob: Blob, parts: Part[]): Part[] {
  const isNext = (part: Part, index: number) =>
    part.number === index + 1 && part.size === pieceLength(blob, index)
  const gap = parts.findIndex((part, index) => !isNext(part, index))
  return gap < 0 ? parts : parts.slice(0, gap)
}

/** Cuts the bytes into pieces; the last one is shorter. A piece is valid until the next one is requested. */
export async function* piecesOf(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafeSlow(length)
  let filled = 0
  for await (let chunk of bytes)
    while (chunk.length > 0) {
      const copied = chunk.copy(piece, filled)
      filled += copied
      chunk = chunk.subarray(copied)
      if (filled < length) continue
      yield piece
      filled = 0
    }
  if (filled > 0) yield piece.subarray(0, filled)
}
