import type { JobOutcome } from '@lectern/protocol/control'
import type { JobOwner } from '../../jobs/ports.ts'
import type { Recording } from '../../ports.ts'
import type { JobStore } from '../../stores/jobs.ts'

const owner: JobOwner = { userId: 7, workerId: 'w' }
let sessions = 0

/** Leases a recording job at that time (Unix seconds). */
export async function leaseJob(jobs: JobStore, at: number): Promise<string> {
  const nowMs = at * 1000
  const session = { conferenceSessionId: ++sessions, conferenceTag: 'aaaa-bbbbb-cccc' }
  const { id } = await jobs.add({ kind: 'recording', scope: 'manual', ...session, params: {} }, nowMs)
  await jobs.lease(
    { kind: 'recording', holding: [], expiredAtMs: nowMs },
    { owner, nowMs, untilMs: nowMs + 30_000 },
  )
  return id
}

export async function endJob(jobs: JobStore, id: string, outcome: JobOutcome, at: number): Promise<void> {
  await jobs.finish(id, owner, { outcome, result: {} }, at * 1000)
}

/** The record of a job with these files. */
export const recordOf = (jobId: string, blobIds: string[]): Recording => ({
  jobId,
  ownerId: null,
  conferenceTag: 'aaaa-bbbbb-cccc',
  conferenceSessionId: 1,
  profile: 'raw_tracks_v1',
  status: 'completed',
  startedAtMs: 0,
  endedAtMs: 1,
  durationMs: 1,
  outputDir: '',
  files: blobIds.map(blobId => ({ path: blobId, blobId, size: 1, contentType: 'a/b', sha256: 'ab' })),
  artifact: {},
  indexedAt: 0,
})
