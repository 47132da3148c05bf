import { afterAll, expect, it } from 'vitest'
import type { User } from '../accounts/ports.ts'
import { DomainEvents } from '../domain-events.ts'
import { createLog } from '../platform/log.ts'
import { Archive } from './archive.ts'
import { Jobs } from './jobs/jobs.ts'
import type { JobOwner } from './jobs/ports.ts'
import { readAll } from './read-all.ts'
import { saveRecording } from './recording-result.ts'
import { Folders } from './storage/testing/folder.ts'
import { leaseJob } from './storage/testing/jobs.ts'
import { sha256, streamOf } from './testing/uploads.ts'
import { Uploads } from './uploads.ts'

const folders = new Folders()
afterAll(folders.close)

const BYTES = Buffer.from('0123456789')
const one: JobOwner = { userId: 7, workerId: 'w' }
const two: JobOwner = { userId: 7, workerId: 'two' }
const recorder = { id: 7, capabilities: ['jobs.recorder'] } as User

interface Controls {
  jobs: Jobs
  sweep: () => Promise<string[]>
  /** The lease of worker one has expired; returns the job. */
  leaseToTwo: () => Promise<string>
}

/** A recording that worker one holds, with its file stored; `duringRecord` runs while the record is being made. */
async function uploaded(duringRecord: (controls: Controls) => Promise<void>) {
  const { blobs, recordings, passHours, seconds, ...stores } = await folders.open()
  const clock = () => seconds() * 1000
  const sweep = async () => (await blobs.sweep()).unclaimed
  const leaseToTwo = async () => {
    const [nowMs, untilMs] = [clock(), clock() + 30_000]
    const request = { kind: 'recording', holding: [], expiredAtMs: nowMs } as const
    return (await stores.jobs.lease(request, { owner: two, nowMs, untilMs }))?.id ?? ''
  }
  const ownerOf = async () => {
    await duringRecord({ jobs, sweep, leaseToTwo })
    return 7
  }
  const archive = new Archive({ store: recordings, blobs, ownerOf, clock, onAdded: () => {} })
  const jobs: Jobs = new Jobs({
    store: stores.jobs,
    sessions: { owner: 'local' },
    domainEvents: new DomainEvents(createLog('silent')),
    workers: { publishToAccount: () => {} },
    recordingParams: {},
    results: {
      recording: (job, result) => saveRecording(archive, job, result),
      transcription: async () => {},
      conversion: async () => {},
    },
    externalIdsOf: async () => new Map(),
    clock,
    log: createLog('silent'),
  })
  const uploads = new Uploads({
    blobs,
    listLeasedJobs: id => jobs.leased.listHeldBy(id),
    ownerOf: async () => null,
    files: { isPlanned: () => false } as never,
    documents: { onUploaded: async () => {} },
  })
  const jobId = await leaseJob(stores.jobs, seconds())
  const file = {
    job_id: jobId,
    path: 'recording.mkv',
    content_type: 'video/x-matroska',
    sha256: sha256(BYTES),
  }
  const blobId = await uploads.begin(await uploads.plan(recorder, '127.0.0.1', BYTES.length, file))
  await uploads.append(blobId, 0, streamOf(BYTES))
  await uploads.finish(blobId)
  const result = {
    ...{ status: 'completed', profile: 'raw_tracks_v1', started_at_ms: 0, ended_at_ms: 1, duration_ms: 1 },
    ...{ output_dir: '/jobs/1', blob_ids: [blobId], artifact: {} },
  }
  return {
    jobs,
    sweep,
    leaseToTwo,
    passHours,
    finish: () => jobs.leased.finish(one, jobId, { outcome: 'done', result }),
    record: async () => (await recordings.find(jobId))?.files.map(each => each.blobId),
    read: async () => readAll(await blobs.read({ id: blobId, size: BYTES.length })),
    blobId,
  }
}

it('keeps the files of a worker that finishes after weeks, also while the record is created (rule U7)', async () => {
  const { jobs, sweep, passHours, finish, record, read, blobId } = await uploaded(async controls => {
    expect(await controls.sweep()).toEqual([])
  })
  passHours(24 * 60)
  await jobs.sweep()
  expect(await sweep()).toEqual([])
  expect(await finish()).toEqual({ outcome: 'done' })
  passHours(24 * 60)
  await jobs.sweep()
  expect(await sweep()).toEqual([])
  expect(await record()).toEqual([blobId])
  expect(await read()).toEqual(BYTES)
})

it('keeps the files of a record when another worker failed the job while it was created', async () => {
  const { sweep, passHours, finish, record, read, blobId } = await uploaded(
    async ({ jobs, sweep, leaseToTwo }) => {
      await jobs.leased.finish(two, await leaseToTwo(), { outcome: 'failed', result: {} })
      expect(await sweep()).toEqual([])
    },
  )
  passHours(48)
  await expect(finish()).rejects.toMatchObject({ code: 'not_held' })
  passHours(48)
  expect(await sweep()).toEqual([])
  expect(await record()).toEqual([blobId])
  expect(await read()).toEqual(BYTES)
})

it('removes the files of a worker whose job another one failed (rule U7)', async () => {
  const { jobs, leaseToTwo, sweep, passHours, finish, record, read, blobId } = await uploaded(async () => {})
  passHours(48)
  await jobs.leased.finish(two, await leaseToTwo(), { outcome: 'failed', result: {} })
  await expect(finish()).rejects.toMatchObject({ code: 'not_held' })
  expect(await sweep()).toEqual([])
  passHours(25)
  expect(await sweep()).toEqual([blobId])
  expect(await record()).toBeUndefined()
  await expect(read()).rejects.toMatchObject({ code: 'blob_not_found' })
})
