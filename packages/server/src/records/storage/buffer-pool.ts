/** Each read involves another thread; large reads reduce that overhead. */
export const CHUNK_BYTES = 1024 * 1024

/** Enough for several concurrent downloads; further buffers are allocated. */
const MAX_POOLED = 16

/**
 * Large allocations start 16 bytes into a page. On AMD's Zen 3 and 4, copying a page of a file to that offset takes
 * three times as long as to other offsets.
 */
const PAGE_OFFSET_BYTES = 1024

/** Reuses read buffers: allocating memory costs more than reading into it. */
export class BufferPool {
  readonly #free: Buffer[] = []

  /** The content is arbitrary. */
  acquire(): Buffer {
    return (
      this.#free.pop() ?? Buffer.allocUnsafeSlow(PAGE_OFFSET_BYTES + CHUNK_BYTES).subarray(PAGE_OFFSET_BYTES)
    )
  }

  release(buffer: Buffer): void {
    if (this.#free.length < MAX_POOLED) this.#free.push(buffer)
  }
}
