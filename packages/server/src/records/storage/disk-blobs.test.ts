import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readAll } from '../read-all.ts'
import { describeBlobStore } from '../testing/blobs.contract.ts'
import { newBlob, streamOf, upload } from '../testing/uploads.ts'
import { Folders } from './testing/folder.ts'
import { endJob, leaseJob, recordOf } from './testing/jobs.ts'

const folders = new Folders()
afterAll(folders.close)

const BYTES = Buffer.from('0123456789')
const NOTHING = { abandoned: [], lost: [], stray: [], unclaimed: [] }
const full = { code: 'insufficient_storage', status: 507 }

describeBlobStore(async () => (await folders.open()).blobs, 4)

describe('blobs on a disk', () => {
  it('are readable only by the service', async () => {
    const { blobs, path, folder } = await folders.open()
    const { id } = await upload(blobs, BYTES)
    expect(statSync(path(id)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('get their final file name only when complete', async () => {
    const { blobs, path } = await folders.open()
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf(BYTES))
    expect(existsSync(path(id))).toBe(false)
    await blobs.finish(id)
    expect(existsSync(`${path(id)}.part`)).toBe(false)
  })

  it('continue an interrupted upload after a restart', async () => {
    const { blobs, open } = await folders.open()
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf('0123'))
    const again = await open()
    expect(await again.progress(id)).toMatchObject({ received: 4 })
    await again.append(id, 4, streamOf('456789'))
    await again.finish(id)
    expect(await readAll(await again.read({ id, size: 10 }))).toEqual(BYTES)
  })

  it('are finished after a kill between rename and update of the row', async () => {
    const { blobs, path } = await folders.open()
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf(BYTES))
    renameSync(`${path(id)}.part`, path(id))
    expect(await blobs.progress(id)).toMatchObject({ received: 10 })
    await blobs.finish(id)
    expect(await readAll(await blobs.read({ id, size: 10 }))).toEqual(BYTES)
  })
})

describe('a disk that is nearly full', () => {
  it('rejects an upload that would use the reserve before its first byte, and leaves no files', async () => {
    const { blobs, index } = await folders.open()
    await expect(blobs.begin({ ...newBlob(BYTES), size: 2 ** 60 })).rejects.toMatchObject(full)
    expect(await index.isEmpty()).toBe(true)
  })

  it('rejects further bytes while the disk is full, and continues when space is available', async () => {
    const { blobs, open } = await folders.open()
    const id = await blobs.begin(newBlob(BYTES))
    const filled = await open(Number.MAX_SAFE_INTEGER)
    await expect(filled.append(id, 0, streamOf(BYTES))).rejects.toMatchObject(full)
    expect(await blobs.append(id, 0, streamOf(BYTES))).toBe(10)
  })
})

describe('the sweep', () => {
  it('keeps blobs that are in use', async () => {
    const { blobs, passHours } = await folders.open()
    const stored = await upload(blobs, BYTES)
    passHours(1000)
    const begun = await blobs.begin(newBlob(BYTES))
    await blobs.append(begun, 0, streamOf('01'))
    passHours(23)
    expect(await blobs.sweep()).toEqual(NOTHING)
    expect(await blobs.find(stored.id)).toEqual(stored)
    expect(await blobs.progress(begun)).toMatchObject({ received: 2 })
  })

  it('removes uploads that were not finished within a day (rule U6)', async () => {
    const { blobs, path, passHours } = await folders.open()
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf('01'))
    passHours(25)
    expect(await blobs.sweep()).toEqual({ ...NOTHING, abandoned: [id] })
    expect(await blobs.progress(id)).toBeNull()
    expect(existsSync(`${path(id)}.part`)).toBe(false)
    expect(await blobs.sweep()).toEqual(NOTHING)
  })

  it('removes rows without a file, whose blobs are reported as missing before', async () => {
    const { blobs, path } = await folders.open()
    const { id } = await upload(blobs, BYTES)
    rmSync(path(id))
    await expect(blobs.read({ id, size: 10 })).rejects.toMatchObject({ code: 'blob_not_found' })
    expect(await blobs.sweep()).toEqual({ ...NOTHING, lost: [id] })
    expect(await blobs.find(id)).toBeNull()
  })

  it('removes blob files without a row, and no foreign files', async () => {
    const { blobs, path, folder } = await folders.open()
    const ids = ['0', 'a'].map(digit => `b_${digit.repeat(32)}`) as [string, string]
    const stray = [path(ids[0]), `${path(ids[1])}.part`]
    const others = [join(folder, 'notes.txt'), join(folder, 'aa', '.nfs1'), join(folder, 'aa', 'b_1')]
    for (const file of [...stray, ...others]) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, 'x')
    }
    expect(await blobs.sweep()).toEqual({ ...NOTHING, stray: ids })
    for (const file of stray) expect(existsSync(file), file).toBe(false)
    for (const file of others) expect(existsSync(file), file).toBe(true)
  })

  it('removes files of a failed job a day after its end, and keeps those of other jobs', async () => {
    const { blobs, jobs, path, seconds, passHours } = await folders.open()
    const [over, open] = [await leaseJob(jobs, seconds()), await leaseJob(jobs, seconds())]
    const left = await upload(blobs, BYTES, { jobId: over })
    const others = [await upload(blobs, BYTES, { jobId: open }), await upload(blobs, BYTES)]
    passHours(1000) // its worker is disconnected, and may reconnect
    expect(await blobs.sweep()).toEqual(NOTHING)
    await endJob(jobs, over, 'failed', seconds())
    passHours(23)
    expect(await blobs.sweep()).toEqual(NOTHING)
    passHours(2)
    expect(await blobs.sweep()).toEqual({ ...NOTHING, unclaimed: [left.id] })
    expect(await blobs.find(left.id)).toBeNull()
    expect(existsSync(path(left.id))).toBe(false)
    for (const other of others) expect(await readAll(await blobs.read(other))).toEqual(BYTES)
    expect(await blobs.sweep()).toEqual(NOTHING)
  })

  it('removes files of a lost worker when another has finished the job, and keeps those of the record', async () => {
    const { blobs, jobs, recordings, seconds, passHours } = await folders.open()
    const jobId = await leaseJob(jobs, seconds())
    const [first, second] = [await upload(blobs, BYTES, { jobId }), await upload(blobs, BYTES, { jobId })]
    await recordings.add(recordOf(jobId, [second.id]))
    await endJob(jobs, jobId, 'done', seconds())
    passHours(25)
    expect(await blobs.sweep()).toEqual({ ...NOTHING, unclaimed: [first.id] })
    passHours(24 * 365)
    await jobs.sweep(seconds() * 1000)
    expect(await blobs.sweep()).toEqual(NOTHING)
    expect(await readAll(await blobs.read(second))).toEqual(BYTES)
  })

  it('removes many files in several sweeps', async () => {
    const { blobs, index, jobs, path, seconds, passHours } = await folders.open()
    const jobId = await leaseJob(jobs, seconds())
    const ids = Array.from({ length: 130 }, (_, i) => `b_aa${i.toString(16).padStart(30, '0')}`)
    for (const id of ids) {
      await index.add({ ...newBlob(BYTES, { jobId }), id, createdAt: seconds() })
      await index.markReady(id)
      mkdirSync(dirname(path(id)), { recursive: true })
      writeFileSync(path(id), BYTES)
    }
    await endJob(jobs, jobId, 'failed', seconds())
    passHours(25)
    expect((await blobs.sweep()).unclaimed).toEqual(ids.slice(0, 100))
    expect((await blobs.sweep()).unclaimed).toEqual(ids.slice(100))
    expect(await index.isEmpty()).toBe(true)
  })

  it('removes nothing while the disk is not mounted', async () => {
    const { blobs, folder, open } = await folders.open()
    const { id } = await upload(blobs, BYTES)
    renameSync(folder, `${folder}-away`)
    const emptyPlace = await open()
    await expect(emptyPlace.sweep()).rejects.toThrow(/is its disk mounted/)
    rmSync(folder, { recursive: true })
    renameSync(`${folder}-away`, folder)
    expect(await blobs.sweep()).toEqual(NOTHING)
    expect(await readAll(await blobs.read({ id, size: 10 }))).toEqual(BYTES)
  })
})
