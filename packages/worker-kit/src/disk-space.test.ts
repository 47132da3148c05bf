import { mkdtemp, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isDiskFull, retryWhileDiskFull, waitForDiskSpace } from './disk-space.ts'
import { UploadLedger } from './upload-ledger.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-disk-space-'))
})
afterAll(() => rm(folder, { recursive: true }))

const { signal } = new AbortController()

/** Writes to this file fail with ENOSPC until it is removed. */
const makeFull = (file: string) => symlink('/dev/full', file)

describe('retryWhileDiskFull', () => {
  it('retries until there is space', async () => {
    const file = join(folder, 'repeated')
    await makeFull(file)
    const errors: unknown[] = []
    await retryWhileDiskFull(
      () => writeFile(file, 'bytes'),
      signal,
      error => {
        errors.push(error)
        void unlink(file)
      },
    )
    expect(errors.map(isDiskFull)).toEqual([true])
    expect((await stat(file)).size).toBe(5)
  })

  it('rejects with other errors and with the abort reason', async () => {
    const inMissingFolder = retryWhileDiskFull(() => writeFile(join(folder, 'not', 'there'), ''), signal)
    await expect(inMissingFolder).rejects.toMatchObject({ code: 'ENOENT' })
    const leaving = new AbortController()
    const waiting = retryWhileDiskFull(
      () => writeFile('/dev/full', 'x'),
      leaving.signal,
      () => leaving.abort(new Error('leaving')),
    )
    await expect(waiting).rejects.toThrow('leaving')
  })
})

describe('waitForDiskSpace', () => {
  it('resolves soon after space was freed', async () => {
    const file = join(folder, 'in-the-way')
    await writeFile(file, Buffer.alloc(128 * 1024 * 1024))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const waiting = waitForDiskSpace(folder, 300_000, signal)
    while (vi.getTimerCount() === 0) await nextTurn() // it compares with what is free by then
    await unlink(file)
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    await waiting
  })

  it('resolves after the timeout and rejects when aborted', async () => {
    await waitForDiskSpace(folder, 100, signal)
    const leaving = new AbortController()
    const waiting = waitForDiskSpace(folder, 300_000, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('upload ledger', () => {
  it('is kept in memory while the disk is full', async () => {
    const file = join(folder, 'video')
    await writeFile(file, 'bytes')
    await makeFull(join(folder, 'uploads.json.part'))
    const ledger = await UploadLedger.open(folder)
    const uploadFile = { file, path: 'video', contentType: 'text/plain' }
    const entry = await ledger.entryFor(uploadFile, signal)
    await ledger.save('video', { ...entry, uploadId: 'b_1' })
    expect(await ledger.entryFor(uploadFile, signal)).toMatchObject({ size: 5, uploadId: 'b_1' })
  })
})
