import { describe, expect, it } from 'vitest'
import type { Recording } from '../ports.ts'
import type { RecordingStore } from '../stores/recordings.ts'

const recording = (jobId: string, changes: Partial<Recording> = {}): Recording => ({
  jobId,
  ownerId: 7,
  conferenceTag: 'aaaa-bbbbb-cccc',
  conferenceSessionId: 3,
  profile: 'consolidated_native',
  status: 'completed',
  startedAtMs: 1_700_000_000_123,
  endedAtMs: 1_700_000_020_456,
  durationMs: 20_333,
  outputDir: '/var/jobs/1',
  files: [{ path: 'Ärger.mkv', blobId: 'b_1', size: 2 ** 40, contentType: 'video/webm', sha256: 'ab' }],
  artifact: { tracks: [{ lost: 0.5 }], note: '👋' },
  indexedAt: 1_700_000_021,
  ...changes,
})

/** The contract of recording stores. Each call of `open` returns an empty one. */
export function describeRecordingStore(open: () => Promise<RecordingStore>) {
  const jobIds = (list: Recording[]) => list.map(({ jobId }) => jobId)

  describe('recording store', () => {
    it('RECORDING-1 returns what was added', async () => {
      const store = await open()
      for (const ownerId of [7, null]) {
        const added = recording(`job-${ownerId}`, { ownerId })
        expect(await store.add(added)).toBe(true)
        expect(await store.find(added.jobId)).toEqual(added)
        expect((await store.list(1))[0]).toEqual(added)
      }
    })

    it('RECORDING-2 keeps the first record of each job', async () => {
      const store = await open()
      const callers = Array.from({ length: 10 }, (_, i) => recording('job', { status: `status ${i}` }))
      const added = await Promise.all(callers.map(each => store.add(each)))
      expect(added.filter(Boolean)).toHaveLength(1)
      expect(await store.list(10)).toEqual([callers[added.indexOf(true)]])
    })

    it('RECORDING-3 lists the most recently indexed first, independent of recording times, up to the limit', async () => {
      const store = await open()
      for (const [i, jobId] of ['c', 'a', 'b'].entries())
        await store.add(recording(jobId, { startedAtMs: 1000 - i, indexedAt: 5 }))
      expect(jobIds(await store.list(10))).toEqual(['b', 'a', 'c'])
      expect(jobIds(await store.list(2))).toEqual(['b', 'a'])
    })

    it('RECORDING-4 lists the records of one owner', async () => {
      const store = await open()
      for (const [jobId, ownerId] of [
        ['a', 7],
        ['b', 8],
        ['c', null],
        ['d', 7],
      ] as const)
        await store.add(recording(jobId, { ownerId }))
      expect(jobIds(await store.list(10, 7))).toEqual(['d', 'a'])
      expect(jobIds(await store.list(1, 7))).toEqual(['d'])
      expect(jobIds(await store.list(10, 9))).toEqual([])
      expect(jobIds(await store.list(10))).toEqual(['d', 'c', 'b', 'a'])
    })

    it('RECORDING-6 lists records without a notification, oldest first', async () => {
      const store = await open()
      for (const jobId of ['c', 'a', 'b']) await store.add(recording(jobId))
      expect(jobIds(await store.listUnnotified(2))).toEqual(['c', 'a'])
      expect(await store.markNotified('a', 9)).toBe(true)
      expect(await store.markNotified('none', 9)).toBe(false)
      expect(jobIds(await store.listUnnotified(9))).toEqual(['c', 'b'])
      expect(await store.find('a')).toEqual(recording('a'))
      expect(await store.count()).toBe(3)
    })

    it('RECORDING-7 gives an owner only to a record without one', async () => {
      const store = await open()
      await store.add(recording('owned'))
      await store.add(recording('free', { ownerId: null }))
      for (const jobId of ['owned', 'free', 'none']) await store.setOwner(jobId, 8)
      expect(await store.list(9)).toEqual([recording('free', { ownerId: 8 }), recording('owned')])
    })

    it('RECORDING-5 finds nothing in an empty store', async () => {
      const store = await open()
      expect(await store.find('job')).toBeNull()
      expect(await store.list(500)).toEqual([])
    })
  })
}
