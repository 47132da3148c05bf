import { open } from 'node:fs/promises'
import { decodeBlocks, type TrackRecord } from './records.ts'

const READ_BYTES = 4 * 1024 * 1024

/** Reads a journal that may still be written to. A torn tail, as a kill leaves it, is never seen. */
export class JournalReader {
  /** Behind the last whole block. What follows may be written anew, after a write that failed. */
  #offset = 0

  constructor(readonly file: string) {}

  /** Some records more, in the order in which they were written; none: nothing more is there by now. */
  async read(): Promise<TrackRecord[]> {
    const handle = await open(this.file, 'r')
    try {
      const left = (await handle.stat()).size - this.#offset
      for (let size = Math.min(READ_BYTES, left); size > 0; size = Math.min(size * 4, left)) {
        const piece = Buffer.allocUnsafe(size)
        const { bytesRead } = await handle.read(piece, 0, size, this.#offset)
        const { records, length } = decodeBlocks(piece.subarray(0, bytesRead))
        this.#offset += length
        // A block may be larger than the piece.
        if (records.length > 0 || size === left) return records
      }
      return []
    } finally {
      await handle.close()
    }
  }
}
