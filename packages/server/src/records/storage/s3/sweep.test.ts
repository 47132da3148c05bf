import { afterAll, describe, expect, it } from 'vitest'
import { readAll } from '../../read-all.ts'
import { newBlob, streamOf, upload } from '../../testing/uploads.ts'
import { Buckets } from '../testing/buckets.ts'
import { endJob, leaseJob, recordOf } from '../testing/jobs.ts'

const buckets = new Buckets()
afterAll(buckets.close)

const BYTES = Buffer.from('0123456789')
const NOTHING = { abandoned: [], lost: [], stray: [], unclaimed: [] }
const idOf = (digit: string) => `b_${digit.repeat(32)}`

describe('the sweep of a bucket', () => {
  it('keeps blobs that are in use, and removes uploads that were not finished within a day (rule U6)', async () => {
    const { blobs, bucket, passHours } = await buckets.open()
    const stored = await upload(blobs, BYTES)
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf(BYTES))
    passHours(23)
    expect(await blobs.sweep()).toEqual(NOTHING)
    expect(await blobs.progress(id)).toMatchObject({ received: 10 })
    passHours(2)
    expect(await blobs.sweep()).toEqual({ ...NOTHING, abandoned: [id] })
    for await (const each of bucket.listUploads('')) expect(each).toBeNull()
    expect(await blobs.find(stored.id)).toEqual(stored)
    expect(await blobs.sweep()).toEqual(NOTHING)
  })

  it('removes objects and uploads without a row after a day, and nothing else', async () => {
    const { blobs, bucket, bucketBelow, passHours } = await buckets.open({ prefix: 'files' })
    await upload(blobs, BYTES)
    const others = [bucketBelow(''), bucketBelow('files-of-others')]
    for (const key of [idOf('0'), idOf('f'), 'notes.txt', 'b_1']) await bucket.put(key, BYTES)
    for (const other of others) await other.put(idOf('0'), BYTES)
    for (const each of [bucket, ...others]) await each.createUpload(idOf('a'))
    expect(await blobs.sweep()).toEqual(NOTHING)
    passHours(26)
    expect(await blobs.sweep()).toEqual({ ...NOTHING, stray: [idOf('0'), idOf('f')] })
    for (const key of ['notes.txt', 'b_1', 'lectern-blobs']) expect(await bucket.sizeOf(key)).not.toBeNull()
    for await (const each of bucket.listUploads('')) expect(each).toBeNull()
    for (const other of others) expect(await other.sizeOf(idOf('0'))).toBe(10)
    const left = []
    for await (const { key } of bucketBelow('').listUploads('')) left.push(key)
    expect(left.sort()).toEqual([idOf('a'), `files-of-others/${idOf('a')}`])
    expect(await blobs.sweep()).toEqual(NOTHING)
  })

  it('removes rows without an object, and files of jobs without a record', async () => {
    const { blobs, bucket, jobs, recordings, seconds, passHours } = await buckets.open()
    const lost = await upload(blobs, BYTES)
    await bucket.delete(lost.id)
    const jobId = await leaseJob(jobs, seconds())
    const [first, second] = [await upload(blobs, BYTES, { jobId }), await upload(blobs, BYTES, { jobId })]
    await recordings.add(recordOf(jobId, [second.id]))
    await endJob(jobs, jobId, 'done', seconds())
    passHours(25)
    expect(await blobs.sweep()).toEqual({ ...NOTHING, lost: [lost.id], unclaimed: [first.id] })
    expect(await bucket.sizeOf(first.id)).toBeNull()
    expect(await readAll(await blobs.read(second))).toEqual(BYTES)
  })

  it('may run in several servers at once', async () => {
    const { server, bucket, passHours, blobs } = await buckets.open()
    const kept = await upload(blobs, BYTES)
    for (const digit of ['0', '1', '2', '3']) await bucket.put(idOf(digit), BYTES)
    passHours(26)
    const swept = await Promise.all([server().sweep(), server().sweep()])
    expect(swept[0].lost.concat(swept[1].lost)).toEqual([])
    expect(await readAll(await blobs.read(kept))).toEqual(BYTES)
    expect(await server().sweep()).toEqual(NOTHING)
  })

  it('removes nothing from a bucket that is not the one of the files', async () => {
    const { blobs, server, swift, index } = await buckets.open()
    const { id } = await upload(blobs, BYTES)
    const { Url } = await swift.bucket('another-bucket')
    await expect(server({ Url }).sweep()).rejects.toThrow(/no object lectern-blobs: is it the right one/)
    await server({ Url }).begin(newBlob(BYTES))
    await expect(server({ Url }).sweep()).rejects.toThrow(/no object lectern-blobs/)
    expect(await index.find(id)).not.toBeNull()
  })
})
