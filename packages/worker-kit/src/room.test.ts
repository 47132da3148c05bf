import { mkdtemp, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isNoRoom, moreRoom, onceThereIsRoom } from './room.ts'
import { UploadLedger } from './upload-ledger.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-room-'))
})
afterAll(() => rm(folder, { recursive: true }))

const { signal } = new AbortController()

/** The kernel says of it that there is no room, until it is removed. */
const makeFull = (file: string) => symlink('/dev/full', file)

describe('onceThereIsRoom', () => {
  it('repeats what finds none until there is some', async () => {
    const file = join(folder, 'repeated')
    await makeFull(file)
    const told: unknown[] = []
    await onceThereIsRoom(
      () => writeFile(file, 'whole'),
      signal,
      error => {
        told.push(error)
        void unlink(file)
      },
    )
    expect(told.map(isNoRoom)).toEqual([true])
    expect((await stat(file)).size).toBe(5)
  })

  it('rejects with whatever else goes wrong, and with the reason of its end', async () => {
    const nowhere = onceThereIsRoom(() => writeFile(join(folder, 'not', 'there'), ''), signal)
    await expect(nowhere).rejects.toMatchObject({ code: 'ENOENT' })
    const leaving = new AbortController()
    const waiting = onceThereIsRoom(
      () => writeFile('/dev/full', 'x'),
      leaving.signal,
      () => leaving.abort(new Error('leaving')),
    )
    await expect(waiting).rejects.toThrow('leaving')
  })
})

describe('moreRoom', () => {
  it('resolves soon after somebody has made room', async () => {
    const file = join(folder, 'in-the-way')
    await writeFile(file, Buffer.alloc(128 * 1024 * 1024))
    const waiting = moreRoom(folder, 300_000, signal)
    await sleep(100)
    await unlink(file)
    await waiting
  })

  it('resolves after the time when nobody does, and ends with the signal', async () => {
    await moreRoom(folder, 100, signal)
    const leaving = new AbortController()
    const waiting = moreRoom(folder, 300_000, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('the ledger of uploads', () => {
  it('is kept in memory on a full disk: uploading is what makes room there', async () => {
    const file = join(folder, 'film')
    await writeFile(file, 'bytes')
    await makeFull(join(folder, 'uploads.json.part'))
    const ledger = await UploadLedger.open(folder)
    const asked = { file, path: 'film', contentType: 'text/plain' }
    const entry = await ledger.entryOf(asked, signal)
    await ledger.save('film', { ...entry, uploadId: 'b_1' })
    expect(await ledger.entryOf(asked, signal)).toMatchObject({ size: 5, uploadId: 'b_1' })
  })
})
