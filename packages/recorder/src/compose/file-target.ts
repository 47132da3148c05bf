import { type FileHandle, open } from 'node:fs/promises'
import { StreamTarget, type StreamTargetChunk } from 'mediabunny'
import { writeFully } from '../capture/write-fully.ts'

/** mediabunny's own choice is 16 MiB, of which a chunk of sound would use a hundredth. */
const WRITE_BYTES = 1024 * 1024

/** A file that is whole, or there is an error: mediabunny's own takes half a write, on a full disk, for a whole one. */
export function fileTarget(path: string): StreamTarget {
  let handle: FileHandle | undefined
  const close = () => handle?.close()
  const sink = new WritableStream<StreamTargetChunk>({
    start: async () => {
      handle = await open(path, 'w')
    },
    write: async ({ data, position }) => {
      // Nobody closes a stream that has failed.
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
