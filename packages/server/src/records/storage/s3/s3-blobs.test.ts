import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { readAll } from '../../read-all.ts'
import type { BlobIndex } from '../../stores/blobs.ts'
import { describeBlobStore } from '../../testing/blobs.contract.ts'
import { newBlob, streamOf, upload } from '../../testing/uploads.ts'
import { Buckets } from '../testing/buckets.ts'

const buckets = new Buckets()
afterAll(buckets.close)

const PIECE = 8 * 1024 * 1024
const [FIRST, SECOND] = [randomBytes(PIECE), randomBytes(PIECE)]
const END = Buffer.from('the end')
const BYTES = Buffer.concat([FIRST, SECOND, END])
const SMALL = Buffer.from('0123456789')

describeBlobStore(async () => (await buckets.open()).blobs, PIECE)

describe('an upload to a bucket', () => {
  it('is continued and finished by other servers', async () => {
    const { server, index } = await buckets.open()
    const id = await server().begin(newBlob(BYTES))
    expect(await server().append(id, 0, streamOf(FIRST))).toBe(PIECE)
    expect(await server().progress(id)).toMatchObject({ received: PIECE })
    expect(await server().append(id, PIECE, streamOf(SECOND, END))).toBe(BYTES.length)
    const blob = await server().finish(id)
    expect((await readAll(await server().read(blob))).equals(BYTES)).toBe(true)
    expect(await index.find(id)).toMatchObject({ state: 'ready' })
  })

  it('accepts several parts in one request, and drops an incomplete one (rule U8)', async () => {
    const { blobs } = await buckets.open()
    const id = await blobs.begin(newBlob(BYTES))
    expect(await blobs.append(id, 0, streamOf(FIRST, SECOND.subarray(0, 99)))).toBe(PIECE)
    expect(await blobs.append(id, PIECE, streamOf(SECOND, END))).toBe(BYTES.length)
    expect((await readAll(await blobs.read(await blobs.finish(id)))).equals(BYTES)).toBe(true)
  })

  it('refuses requests of less than a piece, and loses nothing (rule U8)', async () => {
    const { blobs } = await buckets.open()
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf(FIRST))
    await expect(blobs.append(id, PIECE, streamOf(SECOND.subarray(0, 99)))).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `Send at least ${PIECE} bytes; only the end of a file may be shorter.`,
    })
    expect(await blobs.append(id, PIECE, streamOf())).toBe(PIECE)
    expect(await blobs.progress(id)).toMatchObject({ received: PIECE })
  })

  it('stays consistent when two servers accept the same parts and finish it at once', async () => {
    const { server } = await buckets.open()
    const [one, two] = [server(), server()]
    const id = await one.begin(newBlob(BYTES))
    const both = (offset: number, ...bytes: Buffer[]) =>
      Promise.all([one.append(id, offset, streamOf(...bytes)), two.append(id, offset, streamOf(...bytes))])
    expect(await both(0, FIRST)).toEqual([PIECE, PIECE])
    expect(await both(PIECE, SECOND, END)).toEqual([BYTES.length, BYTES.length])
    const [blob] = await Promise.all([one.finish(id), two.finish(id)])
    expect((await readAll(await one.read(blob))).equals(BYTES)).toBe(true)
  })

  it('stays consistent when a slow request stores its part after others have continued', async () => {
    const { server, proxy } = await buckets.open()
    const id = await server().begin(newBlob(BYTES))
    const { promise: isHeld, resolve: goOn } = Promise.withResolvers<void>()
    const slow = (async function* () {
      yield FIRST.subarray(0, 1000)
      await isHeld
      yield FIRST.subarray(1000)
    })()
    const late = server().append(id, 0, Readable.from(slow, { objectMode: false }))
    await server().append(id, 0, streamOf(FIRST, SECOND))
    goOn()
    expect(await late).toBe(PIECE)
    expect(proxy.operations.filter(each => each === 'UploadPart')).toHaveLength(3)
    expect(await server().progress(id)).toMatchObject({ received: 2 * PIECE })
    await server().append(id, 2 * PIECE, streamOf(END))
    expect((await readAll(await server().read(await server().finish(id)))).equals(BYTES)).toBe(true)
  })

  it('is finished after a kill between the object and the row', async () => {
    const { server, index, proxy } = await buckets.open()
    const killed: BlobIndex = {
      ...index,
      markReady: async () => {
        throw new Error('killed')
      },
    }
    const id = await server().begin(newBlob(BYTES))
    await server().append(id, 0, streamOf(BYTES))
    await expect(server({}, killed).finish(id)).rejects.toThrow('killed')
    // As S3 answers then; Swift lists the parts of an object for as long as it exists.
    proxy.fault = operation =>
      ['ListParts', 'CompleteMultipartUpload'].includes(operation)
        ? { status: 404, code: 'NoSuchUpload' }
        : null
    expect(await server().progress(id)).toMatchObject({ received: BYTES.length })
    expect((await readAll(await server().read(await server().finish(id)))).equals(BYTES)).toBe(true)
  })

  it('is lost when it was aborted externally', async () => {
    const { blobs, bucket, index } = await buckets.open()
    const id = await blobs.begin(newBlob(BYTES))
    await blobs.append(id, 0, streamOf(FIRST))
    await bucket.abortUpload(id, (await index.find(id))?.uploadId ?? '')
    expect(await blobs.progress(id)).toBeNull()
    for (const attempt of [() => blobs.append(id, PIECE, streamOf(END)), () => blobs.finish(id)])
      await expect(attempt()).rejects.toMatchObject({ code: 'blob_not_found' })
  })

  it('works although the response to every operation is lost once', async () => {
    const { blobs, proxy } = await buckets.open()
    const lost = new Set<string>()
    proxy.fault = operation => {
      if (lost.has(operation)) return null
      lost.add(operation)
      return 'lose the answer'
    }
    const { id } = await upload(blobs, BYTES)
    expect((await readAll(await blobs.read({ id, size: BYTES.length }))).equals(BYTES)).toBe(true)
    await blobs.remove(id)
    expect([...lost].sort()).toEqual([
      'CompleteMultipartUpload',
      'CreateMultipartUpload',
      'DeleteObject',
      'GetObject',
      'HeadObject',
      'ListParts',
      'PutObject',
      'UploadPart',
    ])
  })
})

describe('a bucket', () => {
  it('has the files below the prefix, and they leave nothing behind when they are removed', async () => {
    const { blobs, bucket, bucketBelow } = await buckets.open({ prefix: 'a' })
    const { id } = await upload(blobs, BYTES)
    const unfinished = await blobs.begin(newBlob(BYTES))
    await blobs.append(unfinished, 0, streamOf(FIRST))
    expect(await bucket.sizeOf(id)).toBe(BYTES.length)
    expect(await bucketBelow('').sizeOf(`a/${id}`)).toBe(BYTES.length)
    for (const each of [id, unfinished]) await blobs.remove(each)
    for await (const { key } of bucket.list('')) expect(key).toBe('lectern-blobs')
    for await (const each of bucket.listUploads('')) expect(each).toBeNull()
  })

  it('has lists of several pages', async () => {
    const { bucket } = await buckets.open()
    const keys = ['b_1', 'b_2', 'b_3', 'b_4', 'b_5']
    const ids = new Set<string>()
    for (const key of ['a', ...keys, 'c']) await bucket.put(key, SMALL)
    for (const key of keys) ids.add(await bucket.createUpload(key))
    const objects = []
    for await (const { key } of bucket.list('b_')) objects.push(key)
    expect(objects).toEqual(keys)
    const uploads = []
    for await (const { uploadId } of bucket.listUploads('b_')) uploads.push(uploadId)
    expect(new Set(uploads)).toEqual(ids)
    const [id] = ids
    for (const number of [1, 2, 3, 4, 5]) await bucket.putPart('b_1', id as string, number, SMALL)
    expect((await bucket.listParts('b_1', id as string))?.map(part => part.number)).toEqual([1, 2, 3, 4, 5])
  })

  it('may be used without a prefix', async () => {
    const { blobs, bucket } = await buckets.open({ prefix: '' })
    const { id } = await upload(blobs, SMALL)
    expect(await bucket.sizeOf(id)).toBe(SMALL.length)
    expect(await readAll(await blobs.read({ id, size: 10 }, { start: 3, end: 4 }))).toEqual(Buffer.from('34'))
  })
})
