import { describe, expect, it } from 'vitest'
import type { Transcript } from '../ports.ts'
import type { TranscriptStore } from '../stores/transcripts.ts'

const transcript = (jobId: string, changes: Partial<Transcript> = {}): Transcript => ({
  jobId,
  conferenceTag: 'aaaa-bbbbb-cccc',
  conferenceSessionId: 3,
  status: 'completed',
  language: 'ru',
  engine: 'vosk',
  startedAtMs: 1_700_000_000_123,
  endedAtMs: 1_700_000_020_456,
  reason: 'stopped',
  text: 'Ärger 👋',
  segments: [
    {
      seq: 1,
      at: 2 ** 41,
      speaker: { client_id: 5, device_id: 1, name: 'Анна' },
      text: 'Да',
      partial: false,
    },
  ],
  indexedAt: 1_700_000_021,
  ...changes,
})

/** The contract of transcript stores. Each call of `open` returns an empty one. */
export function describeTranscriptStore(open: () => Promise<TranscriptStore>) {
  const jobIds = (list: { jobId: string }[]) => list.map(({ jobId }) => jobId)

  describe('transcript store', () => {
    it('TRANSCRIPT-1 returns what was added', async () => {
      const store = await open()
      expect([await store.has('job'), await store.find('job')]).toEqual([false, null])
      expect(await store.add(transcript('job'))).toBe(true)
      expect([await store.has('job'), await store.find('job')]).toEqual([true, transcript('job')])
    })

    it('TRANSCRIPT-2 keeps the first transcript of each job', async () => {
      const store = await open()
      const callers = Array.from({ length: 10 }, (_, i) => transcript('job', { text: `text ${i}` }))
      const added = await Promise.all(callers.map(each => store.add(each)))
      expect(added.filter(Boolean)).toHaveLength(1)
      expect(await store.find('job')).toEqual(callers[added.indexOf(true)])
    })

    it('TRANSCRIPT-3 lists the latest first, of one conference or of all, without text and segments', async () => {
      const store = await open()
      for (const jobId of ['c', 'a', 'b']) await store.add(transcript(jobId))
      await store.add(transcript('d', { conferenceTag: 'other' }))
      expect(jobIds(await store.list(3))).toEqual(['d', 'b', 'a'])
      expect(jobIds(await store.list(9, 'aaaa-bbbbb-cccc'))).toEqual(['b', 'a', 'c'])
      const { text: _, segments: __, ...head } = transcript('d', { conferenceTag: 'other' })
      expect(await store.list(9, 'other')).toEqual([head])
    })

    it('TRANSCRIPT-4 lists transcripts without a notification, oldest first', async () => {
      const store = await open()
      for (const jobId of ['c', 'a', 'b']) await store.add(transcript(jobId))
      expect(await store.listUnnotified(1)).toEqual([transcript('c')])
      expect(await store.markNotified('c', 9)).toBe(true)
      expect(await store.markNotified('none', 9)).toBe(false)
      expect(jobIds(await store.listUnnotified(9))).toEqual(['a', 'b'])
    })
  })
}
