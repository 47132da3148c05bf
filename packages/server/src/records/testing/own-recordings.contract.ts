import { beforeEach, describe, expect, it } from 'vitest'
import type { OrdinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import type { JobOwner } from '../jobs/ports.ts'
import type { Recording, Transcript } from '../ports.ts'
import type { JobStore } from '../stores/jobs.ts'
import type { OwnRecordingStore } from '../stores/own-recordings.ts'
import type { RecordingRemovalStore } from '../stores/recording-removals.ts'
import type { RecordingStore } from '../stores/recordings.ts'
import type { TranscriptStore } from '../stores/transcripts.ts'

interface Stores {
  conferences: OrdinaryConferenceStore
  recordings: RecordingStore
  transcripts: TranscriptStore
  jobs: JobStore
  own: OwnRecordingStore
  removals: RecordingRemovalStore
}

const ANNA = 7
const BEN = 8
const SESSION = 3

const recording = (jobId: string, changes: Partial<Recording> = {}): Recording => ({
  jobId,
  ownerId: null,
  conferenceTag: 'of-anna',
  conferenceSessionId: SESSION,
  profile: 'consolidated_native',
  status: 'completed',
  startedAtMs: 10_000,
  endedAtMs: 20_000,
  durationMs: 10_000,
  outputDir: '',
  files: [
    { path: 'a', blobId: `b_${jobId}_1`, size: 1, contentType: 'a/b', sha256: 'ab' },
    { path: 'b', blobId: `b_${jobId}_2`, size: 2, contentType: 'a/b', sha256: 'cd' },
  ],
  artifact: {},
  indexedAt: 21,
  ...changes,
})

const transcript = (jobId: string, startedAtMs: number, endedAtMs: number, tag = 'of-anna'): Transcript => ({
  jobId,
  conferenceTag: tag,
  conferenceSessionId: SESSION,
  status: 'completed',
  language: 'en',
  engine: 'vosk',
  startedAtMs,
  endedAtMs,
  reason: 'stopped',
  text: jobId,
  segments: [],
  indexedAt: 22,
})

/** The contract of own recordings and their removal. Each call of `open` returns empty stores. */
export function describeOwnRecordings(open: () => Promise<Stores>) {
  describe('own recordings', () => {
    let stores: Stores
    beforeEach(async () => {
      stores = await open()
      for (const [tag, ownerId] of [
        ['of-anna', ANNA],
        ['also-of-anna', ANNA],
        ['of-ben', BEN],
      ] as const)
        await stores.conferences.add({
          tag,
          title: `Title ${tag}`,
          ownerId,
          createdAtMs: 1,
          entry: 'open',
          purpose: 'meeting',
        })
    })
    const list = async (ownerId: number, before?: number, limit = 10) =>
      (await stores.own.list({ ownerId, before, limit })).map(({ jobId }) => jobId)

    it('OWN-1 belong to the owner of the conference, also after the conference was removed', async () => {
      await stores.recordings.add(recording('a'))
      await stores.recordings.add(recording('b', { conferenceTag: 'of-ben' }))
      await stores.recordings.add(recording('c', { conferenceTag: 'also-of-anna' }))
      await stores.conferences.remove('also-of-anna', 1)
      expect([await list(ANNA), await list(BEN), await list(9)]).toEqual([['c', 'a'], ['b'], []])
      expect(await stores.own.find(ANNA, 'c')).toMatchObject({
        ...recording('c', { conferenceTag: 'also-of-anna' }),
        title: 'Title also-of-anna',
        transcript: 'none',
      })
      expect([await stores.own.find(BEN, 'c'), await stores.own.find(ANNA, 'x')]).toEqual([null, null])
    })

    it('OWN-2 are not those of a partner, whatever the tag', async () => {
      await stores.recordings.add(recording('partner', { ownerId: ANNA }))
      await stores.recordings.add(recording('room', { ownerId: 5, conferenceTag: 'a-room' }))
      expect(await list(ANNA)).toEqual([])
      expect(await stores.own.find(ANNA, 'partner')).toBeNull()
    })

    it('OWN-3 are listed last indexed first, in pages', async () => {
      for (const jobId of ['a', 'b', 'c']) await stores.recordings.add(recording(jobId))
      const [newest, second] = await stores.own.list({ ownerId: ANNA, limit: 2 })
      expect([newest?.jobId, second?.jobId]).toEqual(['c', 'b'])
      expect(await list(ANNA, second?.position)).toEqual(['a'])
    })

    it('OWN-4 have the transcripts that overlap them in their session', async () => {
      const added = recording('a')
      await stores.recordings.add(added)
      await stores.transcripts.add(transcript('before', 1_000, 10_000))
      await stores.transcripts.add(transcript('other', 11_000, 12_000, 'of-ben'))
      expect((await stores.own.find(ANNA, 'a'))?.transcript).toBe('none')
      const run = { kind: 'transcription', scope: 'manual', conferenceTag: 'of-anna', params: {} } as const
      const job = await stores.jobs.add({ ...run, conferenceSessionId: SESSION }, 1)
      expect((await stores.own.find(ANNA, 'a'))?.transcript).toBe('processing')
      await stores.jobs.stop(job.id, 2)
      await stores.transcripts.add(transcript('late', 19_000, 30_000))
      await stores.transcripts.add(transcript('early', 9_000, 11_000))
      expect((await stores.own.find(ANNA, 'a'))?.transcript).toBe('ready')
      expect((await stores.own.listTranscripts(added, 10)).map(({ jobId }) => jobId)).toEqual([
        'early',
        'late',
      ])
    })

    it('OWN-5 are listed as unfinished until they have a record, and for a while after they failed', async () => {
      const owner: JobOwner = { userId: 1, workerId: 'w' }
      const add = async (session: number, tag: string, nowMs: number) => {
        const ref = { conferenceSessionId: session, conferenceTag: tag }
        return (await stores.jobs.add({ kind: 'recording', scope: 'manual', ...ref, params: {} }, nowMs)).id
      }
      const running = await add(1, 'of-anna', 100)
      const failed = await add(2, 'also-of-anna', 200)
      await add(3, 'of-ben', 300)
      const held: string[] = []
      for (const _ of [1, 2, 3]) {
        const job = await stores.jobs.lease(
          { kind: 'recording', holding: held, expiredAtMs: 400 },
          { owner, nowMs: 400, untilMs: 9_000 },
        )
        held.push(job?.id ?? '')
      }
      const states = async (since: number) =>
        (await stores.own.listUnfinished(ANNA, since, 10)).map(({ jobId, state }) => [jobId, state])
      expect(await states(0)).toEqual([
        [failed, 'recording'],
        [running, 'recording'],
      ])
      await stores.jobs.finish(failed, owner, { outcome: 'failed', result: {} }, 500)
      await stores.jobs.stop(running, 500)
      expect(await states(500)).toEqual([
        [failed, 'failed'],
        [running, 'processing'],
      ])
      await stores.recordings.add(recording(running))
      expect(await states(501)).toEqual([])
    })

    it('OWN-6 are removed with their transcripts, immediately and permanently', async () => {
      await stores.recordings.add(recording('a'))
      await stores.transcripts.add(transcript('t', 11_000, 12_000))
      expect(await stores.removals.begin('a', 5)).toEqual({ jobId: 'a', blobIds: ['b_a_1', 'b_a_2'] })
      expect([await stores.recordings.find('a'), await stores.transcripts.find('t')]).toEqual([null, null])
      expect(await stores.removals.begin('a', 6)).toBeNull()
      expect([
        await stores.removals.isRemoved(ANNA, 'a'),
        await stores.removals.isRemoved(BEN, 'a'),
        await stores.removals.isRemoved(ANNA, 'x'),
        await stores.recordings.wasRemoved('a'),
      ]).toEqual([true, false, false, true])
      expect(await stores.recordings.add(recording('a'))).toBe(false)
      expect(await stores.recordings.find('a')).toBeNull()
    })

    it('OWN-7 keep a transcript that another recording shares, until that is removed as well (PLAY-5)', async () => {
      await stores.recordings.add(recording('a'))
      await stores.recordings.add(recording('b', { startedAtMs: 30_000, endedAtMs: 40_000 }))
      for (const [jobId, from, to] of [
        ['only-a', 11_000, 12_000],
        ['both', 15_000, 35_000],
        ['neither', 22_000, 23_000],
      ] as const)
        await stores.transcripts.add(transcript(jobId, from, to))
      const left = async () => (await stores.transcripts.list(9)).map(({ jobId }) => jobId)
      await stores.removals.begin('a', 5)
      expect(await left()).toEqual(['neither', 'both'])
      await stores.removals.begin('b', 6)
      expect(await left()).toEqual(['neither'])
    })

    it('OWN-8 stay pending until their files are removed, and lose late transcripts', async () => {
      await stores.recordings.add(recording('a'))
      await stores.recordings.add(recording('p', { conferenceTag: 'a-room', ownerId: 5 }))
      const removal = await stores.removals.begin('a', 5)
      expect(await stores.removals.listPending()).toEqual([removal])
      expect(await stores.removals.findPending('a')).toEqual(removal)
      await stores.removals.begin('p', 5)
      for (const id of ['a', 'p']) await stores.removals.complete(id, 6)
      expect(await stores.removals.listPending()).toEqual([])
      expect(await stores.removals.findPending('a')).toBeNull()
      await stores.transcripts.add(transcript('late', 11_000, 12_000))
      await stores.transcripts.add(transcript('of-partner', 11_000, 12_000, 'a-room'))
      await stores.removals.sweep(6)
      expect(await stores.transcripts.list(9)).toEqual([])
      expect(await stores.recordings.wasRemoved('a')).toBe(true)
      await stores.removals.sweep(7)
      expect(await stores.recordings.wasRemoved('a')).toBe(false)
    })
  })
}
