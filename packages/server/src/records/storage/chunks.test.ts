import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readAll } from '../read-all.ts'
import { BufferPool, CHUNK_BYTES } from './buffer-pool.ts'
import { readChunks } from './chunks.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-pieces-'))
const handles: FileHandle[] = []
afterAll(async () => {
  await Promise.all(handles.map(handle => handle.close()))
  rmSync(folder, { recursive: true })
})

/** Creates a file slightly larger than this many chunks, and a function to read it. */
async function store(chunks: number, buffers = new BufferPool()) {
  const path = join(folder, randomBytes(8).toString('hex'))
  const bytes = randomBytes(chunks * CHUNK_BYTES + 7)
  writeFileSync(path, bytes)
  const handle = await open(path, 'r+')
  handles.push(handle)
  const release = vi.fn()
  const read = (start = 0, end = bytes.length - 1) => readChunks({ handle, release }, { start, end }, buffers)
  return { path, bytes, handle, release, read, buffers }
}

/** A read of a full chunk. */
const READ = { type: 'fulfilled', value: { bytesRead: CHUNK_BYTES } }

const next = async (chunks: AsyncGenerator<Buffer>) => (await chunks.next()).value as Buffer

describe('readChunks', () => {
  it('reads any span of a file', async () => {
    const { bytes, read, release } = await store(2)
    for (const [start, end] of [
      [0, bytes.length - 1],
      [0, CHUNK_BYTES - 1],
      [0, CHUNK_BYTES],
      [7, 2 * CHUNK_BYTES],
      [bytes.length - 1, bytes.length - 1],
    ] as const)
      expect((await readAll(read(start, end))).equals(bytes.subarray(start, end + 1))).toBe(true)
    expect(release).toHaveBeenCalledTimes(5)
  })

  it('keeps concurrent readers with pooled buffers apart', async () => {
    const buffers = new BufferPool()
    const files = await Promise.all([3, 4, 5].map(chunks => store(chunks, buffers)))
    for (let round = 0; round < 3; round++)
      for (const [i, content] of (await Promise.all(files.map(({ read }) => readAll(read())))).entries())
        expect(content.equals(files[i]?.bytes as Buffer)).toBe(true)
  })

  it('reads at most one chunk ahead of a slow consumer', async () => {
    const { read, handle, bytes } = await store(4)
    const reads = vi.spyOn(handle, 'read')
    const chunks = read()
    await chunks.next()
    await expect.poll(() => reads.mock.settledResults).toMatchObject([READ, READ]) // the second, too
    await handle.write(Buffer.alloc(bytes.length), 0, bytes.length, 0)
    expect((await next(chunks)).equals(bytes.subarray(CHUNK_BYTES, 2 * CHUNK_BYTES))).toBe(true)
    expect((await next(chunks)).equals(Buffer.alloc(CHUNK_BYTES))).toBe(true)
    await chunks.return(undefined)
  })

  it.each(['are read to the end', 'are abandoned', 'end early'])(
    'return their buffers when they %s',
    async how => {
      const { path, read, release, buffers } = await store(3)
      const used = new Set<ArrayBufferLike>()
      if (how === 'end early') await truncate(path, 2 * CHUNK_BYTES + 1)
      const reading = (async () => {
        for await (const chunk of read()) {
          used.add(chunk.buffer)
          if (how === 'are abandoned' && used.size === 2) return
        }
      })()
      if (how === 'end early') await expect(reading).rejects.toThrow('shorter than the blob')
      else await reading
      expect(used.size).toBe(2)
      expect(new Set([buffers.acquire().buffer, buffers.acquire().buffer])).toEqual(used)
      expect(used.has(buffers.acquire().buffer)).toBe(false)
      expect(release).toHaveBeenCalledOnce()
    },
  )
})
