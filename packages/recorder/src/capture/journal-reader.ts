import { open } from 'node:fs/promises'
import { decodeBlocks, type TrackRecord } from './records.ts'

/** The buffer of each track while composition is behind; its records take several times as much. */
const READ_BYTES = 256 * 1024

/** Reads a journal that may still grow. An incomplete block at its end is never returned. */
export class JournalReader {
  /** End of the last complete block; later bytes may be rewritten after a failed write. */
  #offset = 0

  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  /** Returns further records in order; empty if there are none yet. `atMost` is exceeded by a larger block. */
  async read(atMost = READ_BYTES): Promise<TrackRecord[]> {
    const handle = await open(this.file, 'r')
    try {
      const left = (await handle.stat()).size - this.#offset
      for (let size = Math.min(atMost, left); size > 0; size = Math.min(size * 4, left)) {
        const piece = Buffer.allocUnsafe(size)
        const { bytesRead } = await handle.read(piece, 0, size, this.#offset)
        const { records, length } = decodeBlocks(piece.subarray(0, bytesRead))
        this.#offset += length
        // A block may exceed the buffer.
        if (records.length > 0 || size === left) return records
      }
      return []
    } finally {
      await handle.close()
    }
  }
}
