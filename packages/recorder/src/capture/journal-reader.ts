import { open } from 'node:fs/promises'
import { decodeBlocks, type TrackRecord } from './records.ts'

const READ_BYTES = 4 * 1024 * 1024

/** Reads a journal that may still be written to. A torn tail, as a kill leaves it, is never seen. */
export class JournalReader {
  #offset = 0
  #rest: Buffer = Buffer.alloc(0)

  constructor(readonly file: string) {}

  /** Some records more, in the order in which they were written; none: nothing more is there by now. */
  async read(): Promise<TrackRecord[]> {
    const handle = await open(this.file, 'r')
    try {
      for (;;) {
        const piece = Buffer.alloc(READ_BYTES)
        const { bytesRead } = await handle.read(piece, 0, READ_BYTES, this.#offset)
        if (bytesRead === 0) return []
        this.#offset += bytesRead
        const bytes = Buffer.concat([this.#rest, piece.subarray(0, bytesRead)])
        const { records, length } = decodeBlocks(bytes)
        this.#rest = bytes.subarray(length)
        if (records.length > 0) return records
      }
    } finally {
      await handle.close()
    }
  }
}
