import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { BlobIntake, BlobStore } from '../ports.ts'
import { readAll } from '../read-all.ts'
import { newBlob, sha256, streamOf, upload } from './uploads.ts'

const TAIL = Buffer.from('456789')
const SMALL = Buffer.from('0123456789')

/**
 * The contract of blob stores. Each call of `open` returns an empty one. `piece` is the least number of bytes that it keeps of
 * an unfinished upload.
 */
export function describeBlobStore(open: () => Promise<BlobStore & BlobIntake>, piece: number) {
  const HEAD = randomBytes(piece)
  const BYTES = Buffer.concat([HEAD, TAIL])
  const begun = async (bytes = BYTES) => {
    const blobs = await open()
    return { blobs, id: await blobs.begin(newBlob(bytes)) }
  }
  const wrong = (message: RegExp) => ({
    code: 'invalid_argument',
    message: expect.stringMatching(message),
  })
  const missing = { code: 'blob_not_found' }

  describe('blob store', () => {
    it('BLOB-1 returns the stored metadata and bytes', async () => {
      const blobs = await open()
      const blob = await upload(blobs, BYTES)
      expect(blob).toEqual({ ...newBlob(BYTES), id: expect.any(String), createdAt: expect.any(Number) })
      expect(await blobs.find(blob.id)).toEqual(blob)
      expect((await readAll(await blobs.read(blob))).equals(BYTES)).toBe(true)
      expect(await blobs.exists(blob)).toBe(true)
    })

    it('BLOB-2 creates unpredictable ids, even for equal bytes', async () => {
      const blobs = await open()
      const ids = [await upload(blobs, SMALL), await upload(blobs, SMALL)].map(blob => blob.id)
      for (const id of ids) expect(id).toMatch(/^b_[0-9a-f]{32}$/)
      expect(new Set(ids).size).toBe(2)
    })

    it('BLOB-3 reads a range, both ends included', async () => {
      const blobs = await open()
      const blob = await upload(blobs, SMALL)
      for (const [start, end] of [
        [0, 0],
        [2, 5],
        [9, 9],
        [0, 9],
      ] as const)
        expect(String(await readAll(await blobs.read(blob, { start, end })))).toBe(
          '0123456789'.slice(start, end + 1),
        )
    })

    it('BLOB-4 stores an empty file', async () => {
      const blobs = await open()
      const blob = await upload(blobs, Buffer.alloc(0))
      expect((await readAll(await blobs.read(blob))).length).toBe(0)
    })

    it('BLOB-5 does not find unfinished uploads', async () => {
      const { blobs, id } = await begun()
      await blobs.append(id, 0, streamOf(BYTES))
      expect(await blobs.find(id)).toBeNull()
      await expect(blobs.read({ id, size: BYTES.length })).rejects.toMatchObject(missing)
    })

    it('BLOB-6 accepts the bytes in chunks and reports the progress', async () => {
      const { blobs, id } = await begun()
      expect(await blobs.progress(id)).toMatchObject({ received: 0, blob: { id, size: BYTES.length } })
      expect(await blobs.append(id, 0, streamOf(HEAD.subarray(0, 2), HEAD.subarray(2)))).toBe(piece)
      expect(await blobs.progress(id)).toMatchObject({ received: piece })
      expect(await blobs.append(id, piece, streamOf(TAIL))).toBe(BYTES.length)
      expect((await blobs.finish(id)).sha256).toBe(sha256(BYTES))
      expect(await blobs.progress(id)).toMatchObject({ received: BYTES.length })
    })

    it('BLOB-7 keeps pieces received before an interruption, and no more bytes than were sent', async () => {
      const { blobs, id } = await begun()
      const broken = Readable.from(
        (function* () {
          yield HEAD
          throw new Error('connection lost')
        })(),
      )
      await expect(blobs.append(id, 0, broken)).rejects.toThrow('connection lost')
      const { received } = (await blobs.progress(id)) ?? { received: -1 }
      expect(received).toBeLessThanOrEqual(piece)
      await blobs.append(id, received, streamOf(BYTES.subarray(received)))
      expect((await readAll(await blobs.read(await blobs.finish(id)))).equals(BYTES)).toBe(true)
    })

    it('BLOB-8 rejects bytes at a wrong offset, and more bytes than declared', async () => {
      const { blobs, id } = await begun()
      await blobs.append(id, 0, streamOf(HEAD))
      const atPiece = wrong(new RegExp(`at byte ${piece}`))
      await expect(blobs.append(id, 0, streamOf(HEAD))).rejects.toMatchObject(atPiece)
      await expect(blobs.append(id, piece + 1, streamOf('5'))).rejects.toMatchObject(atPiece)
      await expect(blobs.append(id, piece, streamOf('4567890'))).rejects.toMatchObject(
        wrong(/announced size/),
      )
      await blobs.append(id, piece, streamOf(TAIL))
      await blobs.finish(id)
    })

    it('BLOB-9 does not finish before all bytes have arrived', async () => {
      const { blobs, id } = await begun()
      await blobs.append(id, 0, streamOf(HEAD))
      const message = new RegExp(`${piece} of ${BYTES.length} bytes`)
      await expect(blobs.finish(id)).rejects.toMatchObject(wrong(message))
      await blobs.append(id, piece, streamOf(TAIL))
      await blobs.finish(id)
    })

    it('BLOB-10 deletes an upload whose bytes do not match the declared hash', async () => {
      const { blobs, id } = await begun()
      await blobs.append(id, 0, streamOf(HEAD, '45678x'))
      await expect(blobs.finish(id)).rejects.toMatchObject(wrong(/sha256/))
      expect(await blobs.progress(id)).toBeNull()
      await expect(blobs.finish(id)).rejects.toMatchObject(missing)
    })

    it('BLOB-11 accepts a repeated finish', async () => {
      const { blobs, id } = await begun()
      await blobs.append(id, 0, streamOf(BYTES))
      expect(await blobs.finish(id)).toEqual(await blobs.finish(id))
    })

    it('BLOB-12 removes blobs and uploads; removal is idempotent', async () => {
      const { blobs, id } = await begun()
      const blob = await upload(blobs, SMALL)
      for (const each of [id, blob.id, blob.id]) {
        await blobs.remove(each)
        expect(await blobs.find(each)).toBeNull()
        expect(await blobs.progress(each)).toBeNull()
      }
      expect(await blobs.exists(blob)).toBe(false)
    })

    it('BLOB-13 finds nothing for unknown or malformed ids', async () => {
      const blobs = await open()
      for (const id of ['', '..', '../../lectern.db', `b_${'0'.repeat(32)}`, 'b_\0']) {
        expect(await blobs.find(id)).toBeNull()
        expect(await blobs.progress(id)).toBeNull()
        await expect(blobs.finish(id)).rejects.toMatchObject(missing)
        await expect(blobs.append(id, 0, streamOf('0'))).rejects.toMatchObject(missing)
      }
    })
  })
}
