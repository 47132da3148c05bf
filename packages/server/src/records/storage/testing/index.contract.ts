import { describe, expect, it } from 'vitest'
import type { Blob } from '../../ports.ts'
import { documentScope } from '../../scope.ts'
import type { BlobIndex } from '../../stores/blobs.ts'
import type { JobStore } from '../../stores/jobs.ts'
import type { RecordingStore } from '../../stores/recordings.ts'
import { endJob, leaseJob, recordOf } from './jobs.ts'

const blob = (start: string, jobId: string | null = null): Blob => ({
  id: `b_${start.padEnd(32, '0')}`,
  ownerId: 7,
  scope: 'recording:aaaa-bbbbb-cccc',
  jobId,
  name: 'tracks/Ärger 👋.ogg',
  contentType: 'audio/ogg',
  size: 2 ** 40,
  sha256: 'ab'.repeat(32),
  createdAt: 1_700_000_000,
})

/** A blob index, with the jobs and records that decide whether a blob is claimed. */
interface Stores {
  index: BlobIndex
  jobs: JobStore
  recordings: RecordingStore
}

/** The contract of blob indexes. Each call of `open` returns an empty one. */
export function describeBlobIndex(open: () => Promise<Stores>) {
  describe('blob index', () => {
    it('INDEX-1 returns what was added, first as writing, then as ready', async () => {
      const { index } = await open()
      await index.add(blob('1'))
      await index.add(blob('2'), 'upload-2')
      const first = { blob: blob('1'), uploadId: null }
      expect(await index.find(blob('1').id)).toEqual({ ...first, state: 'writing' })
      await index.markReady(blob('1').id)
      expect(await index.find(blob('1').id)).toEqual({ ...first, state: 'ready' })
      expect(await index.find(blob('2').id)).toEqual({
        blob: blob('2'),
        state: 'writing',
        uploadId: 'upload-2',
      })
    })

    it('INDEX-11 hides what is being removed, but from the sweep, until it is removed', async () => {
      const { index } = await open()
      const [upload, ready] = [blob('1'), blob('2')]
      await index.add(upload, 'upload-1')
      await index.add(ready, 'upload-2')
      await index.markReady(ready.id)
      expect(await index.beginRemoval(upload.id)).toBe('upload-1')
      expect(await index.beginRemoval(ready.id)).toBeNull()
      expect(await index.beginRemoval(blob('3').id)).toBeNull()
      await index.markReady(upload.id) // a request that finishes it at the same time
      for (const { id } of [upload, ready]) expect(await index.find(id)).toBeNull()
      const listed = await index.listByPrefix('b_')
      expect(listed.map(({ state }) => state)).toEqual(['removing', 'removing'])
      await index.remove(upload.id)
      expect(await index.listByPrefix('b_1')).toEqual([])
    })

    it('INDEX-2 lists by id prefix', async () => {
      const { index } = await open()
      for (const start of ['0f', '10', '1fff', '20', 'ff']) await index.add(blob(start))
      const listed = async (prefix: string) => (await index.listByPrefix(prefix)).map(row => row.blob.id)
      expect(await listed('b_1')).toEqual([blob('10').id, blob('1fff').id])
      expect(await listed('b_ff')).toEqual([blob('ff').id])
      expect(await listed('b_33')).toEqual([])
    })

    it('INDEX-3 is empty until a blob is added and after all are removed', async () => {
      const { index } = await open()
      expect(await index.isEmpty()).toBe(true)
      await index.add(blob('1'))
      expect(await index.isEmpty()).toBe(false)
      for (const _ of [1, 2]) await index.remove(blob('1').id)
      expect(await index.isEmpty()).toBe(true)
      expect(await index.find(blob('1').id)).toBeNull()
    })

    describe('listUnclaimed', () => {
      const ADDED = blob('').createdAt
      const DAY = 86_400
      /** A job that ended right after its two uploads, a day and a second ago. */
      const ofJob = async (end: Parameters<typeof endJob>[2] | null) => {
        const stores = await open()
        const jobId = await leaseJob(stores.jobs, ADDED)
        for (const start of ['1', '2']) {
          await stores.index.add(blob(start, jobId))
          await stores.index.markReady(blob(start).id)
        }
        if (end) await endJob(stores.jobs, jobId, end, ADDED)
        const unclaimed = (before = ADDED + 1, prefix = 'b_', limit = 9) =>
          stores.index.listUnclaimed(prefix, before, limit)
        return { ...stores, jobId, unclaimed }
      }
      const both = [blob('1').id, blob('2').id]

      it('INDEX-4 lists those of a failed job, by prefix of the id and up to the limit', async () => {
        const { unclaimed } = await ofJob('failed')
        expect(await unclaimed()).toEqual(both)
        expect(await unclaimed(ADDED + 1, 'b_2')).toEqual([blob('2').id])
        expect(await unclaimed(ADDED + 1, 'b_', 1)).toEqual([blob('1').id])
      })

      it('INDEX-5 lists those of a finished job that its record does not contain', async () => {
        const { unclaimed, recordings, jobId } = await ofJob('done')
        await recordings.add(recordOf(jobId, [blob('2').id]))
        expect(await unclaimed()).toEqual([blob('1').id])
      })

      it('INDEX-6 lists none of an unfinished job, even long after its last lease renewal', async () => {
        const { unclaimed } = await ofJob(null)
        expect(await unclaimed(ADDED + 1000 * DAY)).toEqual([])
      })

      it('INDEX-7 lists none that was uploaded, or whose job ended, at or after the given time', async () => {
        const { unclaimed, jobs, jobId } = await ofJob(null)
        await endJob(jobs, jobId, 'failed', ADDED + DAY)
        expect(await unclaimed(ADDED)).toEqual([])
        expect(await unclaimed(ADDED + DAY)).toEqual([])
        expect(await unclaimed(ADDED + DAY + 1)).toEqual(both)
      })

      it('INDEX-8 lists those of a removed job, except those of its record', async () => {
        const { unclaimed, jobs, recordings, jobId } = await ofJob('done')
        await recordings.add(recordOf(jobId, [blob('2').id]))
        await jobs.sweep((ADDED + DAY) * 1000)
        expect(await unclaimed()).toEqual([blob('1').id])
      })

      it('INDEX-9 lists none that is being uploaded or has no job', async () => {
        const { index, jobId, unclaimed } = await ofJob('failed')
        await index.add(blob('3', jobId))
        await index.add(blob('4', null))
        await index.markReady(blob('4').id)
        expect(await unclaimed()).toEqual(both)
      })

      it('INDEX-10 lists those of a document that do not belong to it', async () => {
        const { index, unclaimed } = await ofJob('failed')
        await index.add({ ...blob('3'), scope: documentScope('b_5') })
        await index.markReady(blob('3').id)
        expect(await unclaimed()).toEqual([...both, blob('3').id])
        expect(await unclaimed(ADDED)).toEqual([])
      })
    })
  })
}
