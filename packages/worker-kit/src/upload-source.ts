import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** The part of a file that a worker holds in memory, however long a piece of an upload is. */
const READ_BYTES = 256 * 1024

/** Part of a file, with the length that tus-js-client announces. */
type Slice = Readable & { size: number }

/**
 * A file for tus-js-client, whose own reader leaks a file handle per interrupted request. Whoever opens the handle closes
 * it, after the source.
 */
export class UploadSource {
  /** Called when the file cannot be read. */
  onError: (error: Error) => void = () => {}
  readonly size: number
  readonly #handle: FileHandle
  #slice: Readable | null = null

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  async slice(from: number, to: number): Promise<{ value: Slice | null; done: boolean }> {
    const end = Math.min(to, this.size)
    this.close()
    if (end <= from) return { value: null, done: true }
    const slice = Readable.from(read(this.#handle, from, end), {
      objectMode: false,
      highWaterMark: READ_BYTES,
    })
    this.#slice = slice.on('error', error => this.onError(error))
    return { value: Object.assign(slice, { size: end - from }), done: end === this.size }
  }

  /** Also called by tus-js-client. Safe to repeat. */
  close(): void {
    this.#slice?.destroy()
    this.#slice = null
  }
}

async function* read(handle: FileHandle, from: number, end: number): AsyncGenerator<Buffer> {
  for (let at = from; at < end; ) {
    const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, at)
    if (bytesRead === 0) throw new Error('the file is shorter than it was')
    yield bytes.subarray(0, bytesRead)
    at += bytesRead
  }
}
