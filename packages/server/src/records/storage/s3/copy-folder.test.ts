import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { s3Settings } from '../../../platform/config/storage.ts'
import { readAll } from '../../read-all.ts'
import { newBlob, upload } from '../../testing/uploads.ts'
import { Buckets } from '../testing/buckets.ts'
import { Folders } from '../testing/folder.ts'
import { copyFolder } from './copy-folder.ts'

const buckets = new Buckets()
const folders = new Folders()
afterAll(buckets.close)
afterAll(folders.close)

const LARGE = randomBytes(9_000_000)
const SMALL = Buffer.from('0123456789')

const open = async () => {
  const { blobs, index, folder, path } = await folders.open()
  const { proxy, section, server } = await buckets.open()
  const settings = s3Settings({ ...section, S3Endpoint: proxy.endpoint })
  if (!settings) throw new Error('not a bucket')
  const copy = () => copyFolder({ folder, settings, index })
  return { disk: blobs, path, proxy, copy, inBucket: server({}, index) }
}

describe('copying a folder to a bucket', () => {
  it('copies finished files, large, small and empty ones, and marks the bucket', async () => {
    const { disk, copy, inBucket } = await open()
    const contents = [LARGE, SMALL, Buffer.alloc(0)]
    const blobs = []
    for (const bytes of contents) blobs.push(await upload(disk, bytes))
    await disk.begin(newBlob(SMALL))
    expect(await copy()).toEqual({
      files: 3,
      bytes: 9_000_010,
      copiedFiles: 3,
      copiedBytes: 9_000_010,
      skippedFiles: 0,
      skippedBytes: 0,
      missing: [],
      damaged: [],
    })
    for (const [i, blob] of blobs.entries())
      expect((await readAll(await inBucket.read(blob))).equals(contents[i] as Buffer)).toBe(true)
    expect((await inBucket.sweep()).lost).toEqual([])
  })

  it('continues after an interruption without copying again', async () => {
    const { disk, copy, proxy, inBucket } = await open()
    const blobs = []
    for (let i = 0; i < 6; i++) blobs.push(await upload(disk, Buffer.from(`file ${i}`)))
    let left = 3
    proxy.fault = operation =>
      operation === 'CompleteMultipartUpload' && left-- <= 0 ? { status: 403, code: 'AccessDenied' } : null
    await expect(copy()).rejects.toThrow('S3 answered 403 to CompleteMultipartUpload (AccessDenied)')
    await expect(inBucket.sweep()).rejects.toThrow(/no object lectern-blobs/)
    proxy.fault = () => null
    expect(await copy()).toMatchObject({ files: 6, copiedFiles: 3, skippedFiles: 3 })
    expect(await copy()).toMatchObject({ files: 6, copiedFiles: 0, skippedFiles: 6 })
    for (const [i, blob] of blobs.entries())
      expect(String(await readAll(await inBucket.read(blob)))).toBe(`file ${i}`)
  })

  it('reports missing and damaged files, and does not mark the bucket for damaged ones', async () => {
    const { disk, copy, path, inBucket } = await open()
    const [kept, gone, damaged] = [
      await upload(disk, SMALL),
      await upload(disk, SMALL),
      await upload(disk, SMALL),
    ]
    rmSync(path(gone.id))
    writeFileSync(path(damaged.id), '012345678x')
    expect(await copy()).toMatchObject({ copiedFiles: 1, missing: [gone.id], damaged: [damaged.id] })
    expect(String(await readAll(await inBucket.read(kept)))).toBe('0123456789')
    await expect(inBucket.read(damaged)).rejects.toMatchObject({ code: 'blob_not_found' })
    await expect(inBucket.sweep()).rejects.toThrow(/no object lectern-blobs/)
  })

  it('refuses a folder that is not one of files', async () => {
    const { section } = await buckets.open()
    const { index } = await folders.open()
    const settings = s3Settings(section)
    if (!settings) throw new Error('not a bucket')
    await expect(copyFolder({ folder: '/tmp', settings, index })).rejects.toThrow(/no file lectern-blobs/)
  })
})
