import { once } from 'node:events'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UploadSource } from './upload-source.ts'

const MIB = 1024 * 1024

let folder: string
let file: string
let handle: FileHandle
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-upload-source-'))
  file = join(folder, 'recording.mkv')
  writeFileSync(file, 'recording')
  handle = await open(file)
})
afterEach(async () => {
  await handle.close()
  rmSync(folder, { recursive: true })
})

it('gives parts of a file with their length, and says which one is the last', async () => {
  const source = new UploadSource(handle, 9)
  const parts = []
  for (const [from, to] of [
    [0, 4],
    [4, 100],
  ] as const) {
    const { value, done } = await source.slice(from, to)
    parts.push([value?.size, done, value && (await buffer(value)).toString()])
  }
  expect(parts).toEqual([
    [4, false, 'reco'],
    [5, true, 'rding'],
  ])
  expect(await source.slice(9, 100)).toEqual({ value: null, done: true })
})

it('has little of a long part in memory', async () => {
  const [size, littleBytes] = [64 * MIB, 2 * MIB]
  truncateSync(file, size)
  const source = new UploadSource(handle, size)
  const before = process.memoryUsage().arrayBuffers
  const { value } = await source.slice(0, size)
  await once(value ?? process, 'readable')
  expect(value?.size).toBe(size)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(littleBytes)
  source.close()
})

it('reports a file that has become shorter', async () => {
  const source = new UploadSource(handle, 10)
  const failed = new Promise<Error>(resolve => {
    source.onError = resolve
  })
  const { value } = await source.slice(0, 10)
  value?.resume()
  expect((await failed).message).toBe('the file is shorter than it was')
})
