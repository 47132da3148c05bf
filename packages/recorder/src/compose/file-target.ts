import { type FileHandle, open } from 'node:fs/promises'
import { StreamTarget, type StreamTargetChunk } from 'mediabunny'
import { writeFully } from '../capture/write-fully.ts'

/** The default of mediabunny is 16 MiB, a hundred times the size of an audio chunk. */
const WRITE_BYTES = 1024 * 1024

/** Writes a file completely or fails. The target of mediabunny takes a partial write on a full disk for a complete one. */
export function fileTarget(path: string): StreamTarget {
  let handle: FileHandle | undefined
  const close = () => handle?.close()
  const sink = new WritableStream<StreamTargetChunk>({
    start: async () => {
      handle = await open(path, 'w')
    },
    write: async ({ data, position }) => {
      // A failed stream is never closed by its user.
      await writeFully(handle as FileHandle, data, position).catch(async error => {
        await close()
        throw error
      })
    },
    close,
    abort: close,
  })
  return new StreamTarget(sink, { chunked: true, chunkSize: WRITE_BYTES })
}
