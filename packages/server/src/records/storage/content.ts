import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Refusal } from '@lectern/protocol'

const READ_BYTES = 1024 * 1024

/** Passes that many bytes through and throws `invalid_argument` beyond them. */
export function upTo(bytes: number) {
  let left = bytes
  return async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      left -= chunk.length
      if (left < 0) throw new Refusal('invalid_argument', 'The upload exceeds its announced size.')
      yield chunk
    }
  }
}

/** Lowercase hex. Reads the whole file. */
export async function sha256Of(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const chunks = file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES })
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}
