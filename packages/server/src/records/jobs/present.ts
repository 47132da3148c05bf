import type { CommandData, JobView } from '@lectern/protocol/control'
import { LEASE_MS } from './limits.ts'
import type { Job } from './ports.ts'

export const presentLease = (job: Job): CommandData<'job.renew'> => ({
  lease_ms: LEASE_MS,
  stop: job.stopRequested,
})

export const presentJob = (job: Job): JobView => ({
  job_id: job.id,
  kind: job.kind,
  scope: job.scope,
  conference_session_id: String(job.conferenceSessionId),
  conference_tag: job.conferenceTag,
  params: job.params,
  attempt: job.attempts,
  details: job.details,
  ...presentLease(job),
})

const publicState = {
  queued: 'going_on',
  leased: 'going_on',
  done: 'done',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<Job['state']['is'], string>

export const presentState = (job: Job | null): CommandData<'job.state'> => ({
  state: job ? publicState[job.state.is] : 'unknown',
})
