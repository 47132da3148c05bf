import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { readAll } from '../../read-all.ts'
import { newBlob, streamOf, upload } from '../../testing/uploads.ts'
import { Buckets } from '../testing/buckets.ts'

const buckets = new Buckets()
afterAll(buckets.close)

const LARGE = randomBytes(3 * 1024 * 1024)
const SMALL = Buffer.from('0123456789')
const unavailable = { code: 'temporarily_unavailable', status: 503, retryAfterMs: 5000 }
const SLOW_DOWN = { status: 503, code: 'SlowDown' }

describe('an object storage that fails', () => {
  it('briefly has no visible effect', async () => {
    const { blobs, proxy, log } = await buckets.open()
    const failed = new Set<string>()
    proxy.fault = operation => {
      if (failed.has(operation)) return null
      failed.add(operation)
      return SLOW_DOWN
    }
    const blob = await upload(blobs, SMALL)
    expect(await readAll(await blobs.read(blob))).toEqual(SMALL)
    await blobs.remove(blob.id)
    expect(failed.size).toBe(8)
    expect(log()).toEqual([])
  })

  it('causes refusals with Retry-After, loses nothing, and is logged once', async () => {
    const { blobs, proxy, log } = await buckets.open()
    const stored = await upload(blobs, SMALL)
    const id = await blobs.begin(newBlob(SMALL))
    proxy.fault = () => SLOW_DOWN
    const attempts = [
      () => blobs.begin(newBlob(SMALL)),
      () => blobs.progress(id),
      () => blobs.append(id, 0, streamOf(SMALL)),
      () => blobs.finish(id),
      () => blobs.read(stored),
      () => blobs.sweep(),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(unavailable)
    expect(log().map(({ level, msg }) => [level, msg])).toContainEqual([
      'error',
      expect.stringContaining('object storage unavailable'),
    ])
    expect(log()[0]).toMatchObject({ reason: 'S3 answered 503 to CreateMultipartUpload (SlowDown)' })

    proxy.fault = () => null
    await blobs.append(id, 0, streamOf(SMALL))
    expect(await readAll(await blobs.read(await blobs.finish(id)))).toEqual(SMALL)
    expect(await readAll(await blobs.read(stored))).toEqual(SMALL)
    expect(log().at(-1)).toMatchObject({ level: 'info', msg: 'object storage available again' })
  })

  it('keeps what it could not remove, hidden, until it is removed again', async () => {
    const { blobs, bucket, proxy, index } = await buckets.open()
    const stored = await upload(blobs, SMALL)
    const unfinished = await blobs.begin(newBlob(SMALL))
    await blobs.append(unfinished, 0, streamOf(SMALL))
    proxy.fault = () => SLOW_DOWN
    for (const id of [stored.id, unfinished]) {
      await expect(blobs.remove(id)).rejects.toMatchObject(unavailable)
      expect(await blobs.find(id)).toBeNull()
      expect(await blobs.progress(id)).toBeNull()
    }
    proxy.fault = () => null
    await blobs.remove(stored.id)
    expect(await bucket.sizeOf(stored.id)).toBeNull()
    expect((await blobs.sweep()).abandoned).toEqual([unfinished])
    for await (const each of bucket.listUploads('')) expect(each).toBeNull()
    expect(await index.isEmpty()).toBe(true)
  })

  it.each([-7_200_000, 7_200_000])('works although the clock of this machine is wrong by %i ms', async ms => {
    const { blobs, log } = await buckets.open()
    const use = async () => expect(await readAll(await blobs.read(await upload(blobs, SMALL)))).toEqual(SMALL)
    await use()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
    try {
      await use()
    } finally {
      vi.useRealTimers()
    }
    await use()
    expect(log()).toEqual([])
  })

  it('with a full disk or quota is reported as such', async () => {
    const { blobs, proxy } = await buckets.open()
    const id = await blobs.begin(newBlob(SMALL))
    proxy.fault = () => ({ status: 507, code: 'InsufficientStorage' })
    await expect(blobs.append(id, 0, streamOf(SMALL))).rejects.toMatchObject({ code: 'insufficient_storage' })
    proxy.fault = () => ({ status: 403, code: 'QuotaExceeded' })
    await expect(blobs.append(id, 0, streamOf(SMALL))).rejects.toMatchObject({ code: 'insufficient_storage' })
  })

  it('without a response causes a timeout', async () => {
    const { blobs, proxy, log } = await buckets.open({ silenceMaxMs: 100 })
    proxy.fault = () => 'hang'
    await expect(blobs.begin(newBlob(SMALL))).rejects.toMatchObject(unavailable)
    expect(log()[0]).toMatchObject({ reason: 'S3 did not answer PutObject (nothing for 0.1 s)' })
  })

  it('and is not running causes refusals', async () => {
    const { server } = await buckets.open()
    const blobs = server({ S3Endpoint: 'http://127.0.0.1:1' })
    await expect(blobs.begin(newBlob(SMALL))).rejects.toMatchObject(unavailable)
  })

  it('because of a wrong key, a missing permission or a missing bucket is not reported as a missing file', async () => {
    const { blobs, server, swift, section, log } = await buckets.open()
    const stored = await upload(blobs, SMALL)
    for (const changes of [
      { S3SecretAccessKey: 'another secret' },
      { S3AccessKeyId: 'lectern:nobody' },
      { S3AccessKeyId: swift.asStranger(section).S3AccessKeyId },
      { Url: 's3://no-such-bucket' },
    ]) {
      await expect(server(changes).read(stored)).rejects.toMatchObject(unavailable)
      await expect(server(changes).sweep()).rejects.toThrow()
    }
    const text = JSON.stringify(log())
    expect(text).toContain('SignatureDoesNotMatch')
    expect(text).toContain('NoSuchBucket')
    expect(text).not.toMatch(/another secret|Signature=|Credential=/)
    expect(text).not.toContain(section.S3SecretAccessKey)
    expect(await blobs.find(stored.id)).toEqual(stored)
  })
})

describe('a download from a bucket', () => {
  it('continues where its connection broke', async () => {
    const { blobs, proxy } = await buckets.open()
    const blob = await upload(blobs, LARGE)
    let breaks = 4
    proxy.fault = () => (breaks-- > 0 ? { breakAfter: 300_000 } : null)
    const span = { start: 1000, end: LARGE.length - 1000 }
    const bytes = await readAll(await blobs.read(blob, span))
    expect(bytes.equals(LARGE.subarray(1000, LARGE.length - 999))).toBe(true)
    expect(breaks).toBeLessThan(0)
  })

  it('fails when the storage remains unavailable', async () => {
    const { blobs, proxy } = await buckets.open()
    const blob = await upload(blobs, LARGE)
    let breaks = 1
    proxy.fault = () => (breaks-- > 0 ? { breakAfter: 300_000 } : SLOW_DOWN)
    const chunks = await blobs.read(blob)
    await expect(readAll(chunks)).rejects.toThrow('S3 answered 503 to GetObject (SlowDown)')
  })

  it('of an object that is shorter than its blob fails', async () => {
    const { blobs, bucket } = await buckets.open()
    const blob = await upload(blobs, SMALL)
    await bucket.put(blob.id, SMALL.subarray(0, 5))
    await expect(readAll(await blobs.read(blob))).rejects.toThrow('S3 answered 416')
  })

  it.each([
    ['another range', 'bytes=5-9'],
    ['more than the range', 'bytes=2-9'],
    ['the whole object', ''],
  ])('fails where the storage sends %s', async (_, range) => {
    const { blobs, proxy } = await buckets.open()
    const blob = await upload(blobs, SMALL)
    proxy.rangeOf = () => range
    await expect(blobs.read(blob, { start: 2, end: 5 }).then(readAll)).rejects.toThrow('range')
  })

  it('of a missing object is refused', async () => {
    const { blobs, bucket } = await buckets.open()
    for (const bytes of [SMALL, Buffer.alloc(0)]) {
      const blob = await upload(blobs, bytes)
      await bucket.delete(blob.id)
      await expect(blobs.read(blob)).rejects.toMatchObject({ code: 'blob_not_found' })
    }
  })

  it('cancels its request when it is closed', async () => {
    const { blobs, proxy } = await buckets.open()
    const blob = await upload(blobs, LARGE)
    // The buffers of a connection may hold the whole body: the request would be over before the first chunk is read.
    proxy.fault = () => ({ stallAfter: LARGE.length / 2 })
    for await (const chunk of await blobs.read(blob)) {
      expect(chunk.length).toBeGreaterThan(0)
      expect(proxy.open).toBe(1)
      break
    }
    await expect.poll(() => proxy.open).toBe(0)
  })

  it('that nobody reads holds its request for the time of silence only', async () => {
    const { blobs, proxy } = await buckets.open({ silenceMaxMs: 3_000 })
    const blob = await upload(blobs, LARGE)
    const chunks = await blobs.read(blob)
    await expect.poll(() => proxy.open).toBe(0)
    expect((await readAll(chunks)).equals(LARGE)).toBe(true)
  })
})
