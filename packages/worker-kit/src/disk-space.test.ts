import { mkdtemp, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freeBytesOf, isDiskFull, retryWhileDiskFull, waitForDiskSpace } from './disk-space.ts'
import { UploadLedger } from './upload-ledger.ts'

const MEBIBYTE = 1024 * 1024

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
  // Others write to the disk of this test, so its real free space says nothing here; e2e/endurance/recording/full-disk.spec.ts fills a real one.
  it('resolves soon after space was freed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const space = { free: 0 }
    let isOver = false
    const waiting = waitForDiskSpace(folder, 300_000, signal, async () => space.free).then(() => {
      isOver = true
    })
    space.free = 15 * MEBIBYTE // others free a little all the time
    await vi.advanceTimersByTimeAsync(10_000)
    expect(isOver).toBe(false)
    space.free = 16 * MEBIBYTE
    await vi.advanceTimersByTimeAsync(2_000)
    expect(isOver).toBe(true)
    vi.useRealTimers()
    await waiting
  })

  it('checks the disk of the folder', async () => {
    expect(await freeBytesOf(folder)).toBeGreaterThan(0)
    await expect(freeBytesOf(join(folder, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
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
