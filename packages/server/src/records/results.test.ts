import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@lectern/protocol/control'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMainStore } from '../platform/db/open.ts'
import { Archive } from './archive.ts'
import type { Job } from './jobs/ports.ts'
import { saveRecording } from './recording-result.ts'
import { recordingScope, transcriptScope } from './scope.ts'
import { DiskBlobs } from './storage/disk-blobs.ts'
import { blobIndex } from './stores/blobs.ts'
import { recordingStore } from './stores/recordings.ts'
import { transcriptStore } from './stores/transcripts.ts'
import { upload } from './testing/uploads.ts'
import { Transcripts } from './transcripts.ts'

const TAG = 'aaaa-bbbbb-cccc'
const clock = () => 1_700_000_000_000

let folder: string
let close: () => Promise<void>
let blobs: DiskBlobs
let archive: Archive
let transcripts: Transcripts
let added: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-results-'))
  const { db, ...main } = await openMainStore(':memory:')
  close = main.close
  added = 0
  const onAdded = () => void added++
  blobs = await DiskBlobs.open({ folder, index: blobIndex(db), clock, reserve: 0 })
  archive = new Archive({ store: recordingStore(db), blobs, ownerOf: async () => 7, clock, onAdded })
  transcripts = new Transcripts({ store: transcriptStore(db), blobs, clock, onAdded })
})
afterEach(async () => {
  await close()
  rmSync(folder, { recursive: true })
})

const job = (kind: Job['kind'], id = 'job_1'): Job => ({
  id,
  kind,
  scope: 'manual',
  conferenceSessionId: 42,
  conferenceTag: TAG,
  params: {},
  state: { is: 'leased', owner: { userId: 9, workerId: 'w' }, untilMs: 0, active: true },
  attempts: 1,
  stopRequested: false,
  details: {},
  createdAtMs: 0,
})

const put = async (text: string, scope: string, jobId: string | null = null) =>
  (await upload(blobs, Buffer.from(text), { scope, jobId, name: 'report.json' })).id

const refused = (message: RegExp) => ({
  code: expect.stringMatching(/^invalid_(argument|json)$/),
  message: expect.stringMatching(message),
})

describe('the result of a recording', () => {
  const result = (changes: JsonObject = {}): JsonObject => ({
    status: 'completed',
    profile: 'raw_tracks_v1',
    started_at_ms: 1000,
    ended_at_ms: 3000,
    duration_ms: 2000,
    output_dir: '/var/jobs/1',
    blob_ids: [],
    artifact: { tracks: 3 },
    more: 'is let through',
    ...changes,
  })
  const keep = (changes: JsonObject = {}) => saveRecording(archive, job('recording'), result(changes))

  it('becomes one record of the archive when it is repeated (rule ARCHIVE-4)', async () => {
    const blob = await put('{}', recordingScope(TAG), 'job_1')
    await keep({ blob_ids: [blob] })
    await keep({ blob_ids: [blob] })
    expect(await archive.list()).toEqual([
      {
        jobId: 'job_1',
        ownerId: 7,
        conferenceTag: TAG,
        conferenceSessionId: 42,
        profile: 'raw_tracks_v1',
        status: 'completed',
        startedAtMs: 1000,
        endedAtMs: 3000,
        durationMs: 2000,
        outputDir: '/var/jobs/1',
        files: [expect.objectContaining({ path: 'report.json', blobId: blob })],
        artifact: { tracks: 3 },
        indexedAt: 1_700_000_000,
      },
    ])
    expect(added).toBe(1)
  })

  it.each([
    [{ status: 'failed' }, /status must be one of completed, stopped/],
    [{ profile: '' }, /profile must have at least 1 character/],
    [{ started_at_ms: '1' }, /started_at_ms must be an integer/],
    [{ started_at_ms: -1 }, /started_at_ms/],
    [{ ended_at_ms: 253_402_300_800_000 }, /ended_at_ms/],
    [{ ended_at_ms: 999 }, /ended_at_ms is before started_at_ms/],
    [{ duration_ms: 1.5 }, /duration_ms must be an integer/],
    [{ blob_ids: ['../x'] }, /blob_ids/],
    [{ blob_ids: Array(2001).fill(`b_${'0'.repeat(32)}`) }, /blob_ids/],
    [{ blob_ids: [`b_${'0'.repeat(32)}`, `b_${'0'.repeat(32)}`] }, /names a file twice/],
    [{ artifact: [] }, /artifact must be an object/],
  ] as [JsonObject, RegExp][])('is refused with %j', async (changes, message) => {
    await expect(keep(changes)).rejects.toMatchObject(refused(message))
    expect(await archive.list()).toEqual([])
  })

  it('is refused when a file is missing or belongs to another conference or job', async () => {
    await expect(keep({ blob_ids: [`b_${'0'.repeat(32)}`] })).rejects.toMatchObject({
      code: 'blob_not_found',
    })
    const foreign = await put('{}', recordingScope('other'))
    await expect(keep({ blob_ids: [foreign] })).rejects.toMatchObject(refused(/another conference/))
    const former = await put('{}', recordingScope(TAG), 'job_0')
    await expect(keep({ blob_ids: [former] })).rejects.toMatchObject(refused(/another job/))
  })
})

describe('the result of a transcription', () => {
  const segments = [
    { seq: 1, at: 1500, speaker: { client_id: 5, device_id: 1, name: 'Анна' }, text: 'Да', partial: false },
  ]
  const document = (changes: JsonObject = {}) =>
    JSON.stringify({
      status: 'completed',
      language: 'ru',
      engine: 'vosk',
      started_at_ms: 1000,
      ended_at_ms: 3000,
      reason: 'stopped',
      text: 'Да',
      segments,
      ...changes,
    })
  const keep = (blobId: string) => transcripts.save(job('transcription'), { blob_id: blobId })

  it('becomes one transcript without its file when it is repeated (rule EVENT-5)', async () => {
    const blob = await put(document(), transcriptScope('job_1'))
    await keep(blob)
    await keep(blob)
    expect(await transcripts.find('job_1')).toEqual({
      jobId: 'job_1',
      conferenceTag: TAG,
      conferenceSessionId: 42,
      status: 'completed',
      language: 'ru',
      engine: 'vosk',
      startedAtMs: 1000,
      endedAtMs: 3000,
      reason: 'stopped',
      text: 'Да',
      segments,
      indexedAt: 1_700_000_000,
    })
    expect(await blobs.find(blob)).toBeNull()
    expect(added).toBe(1)
  })

  it('removes its file also after a crash in between', async () => {
    await keep(await put(document(), transcriptScope('job_1')))
    const again = await put(document({ text: 'other' }), transcriptScope('job_1'))
    await keep(again)
    expect(await blobs.find(again)).toBeNull()
    expect((await transcripts.find('job_1'))?.text).toBe('Да')
  })

  it('may be empty when nobody spoke', async () => {
    await keep(await put(document({ text: '', segments: [] }), transcriptScope('job_1')))
    expect(await transcripts.find('job_1')).toMatchObject({ conferenceTag: TAG, text: '' })
  })

  it.each([
    ['no JSON', '{', /valid JSON/],
    ['no text', document({ text: null }), /text must be a string/],
    [
      'a segment without a speaker',
      document({ segments: [{ seq: 1, at: 1, text: '', partial: true }] }),
      /speaker/,
    ],
    ['a NUL', document({ text: 'a\0b' }), /text must be well-formed/],
  ])('is refused with %s', async (_, text, message) => {
    await expect(keep(await put(text, transcriptScope('job_1')))).rejects.toMatchObject(refused(message))
  })

  it('is refused when the file is missing or has another scope', async () => {
    await expect(keep(`b_${'0'.repeat(32)}`)).rejects.toMatchObject({ code: 'blob_not_found' })
    for (const scope of [transcriptScope('job_2'), recordingScope(TAG)]) {
      const foreign = await put(document(), scope)
      await expect(keep(foreign)).rejects.toMatchObject(refused(/something else/))
      expect(await blobs.find(foreign)).not.toBeNull()
    }
    await expect(transcripts.save(job('transcription'), {})).rejects.toMatchObject(
      refused(/blob_id is required/),
    )
  })
})
