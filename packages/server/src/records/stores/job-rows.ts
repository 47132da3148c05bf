import { randomBytes } from 'node:crypto'
import type { JobKind, JsonObject } from '@lectern/protocol/control'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { JobsTable, MainSchema } from '../../platform/db/schema.ts'
import { requestsMetBy } from '../../platform/language-tags.ts'
import type { Job, JobOwner, JobScope, JobState, NewJob } from '../jobs/ports.ts'

type Row = Selectable<JobsTable>

const parse = (text: string) => JSON.parse(text) as JsonObject

function toState(row: Row): JobState {
  const state = row.state as JobState['is']
  if (state === 'queued' || state === 'cancelled') return { is: state }
  const owner = { userId: row.owner_user_id as number, workerId: row.owner_worker_id as string }
  if (state === 'leased')
    return { is: state, owner, untilMs: row.lease_until_ms as number, active: row.active === 1 }
  return { is: state, owner, result: parse(row.result as string) }
}

export const toJob = (row: Row): Job => ({
  id: row.id,
  kind: row.kind as JobKind,
  scope: row.scope as JobScope,
  conferenceSessionId: row.conference_session_id,
  conferenceTag: row.conference_tag,
  params: parse(row.params),
  state: toState(row),
  attempts: row.attempts,
  stopRequested: row.stop_requested === 1,
  details: parse(row.details),
  createdAtMs: row.created_at_ms,
})

export const toRow = (job: NewJob, nowMs: number) => ({
  id: `job_${randomBytes(12).toString('hex')}`,
  kind: job.kind,
  scope: job.scope,
  conference_session_id: job.conferenceSessionId,
  conference_tag: job.conferenceTag,
  params: JSON.stringify(job.params),
  state: 'queued',
  stop_requested: 0,
  attempts: job.attempts ?? 0,
  session_incarnation: 0,
  active: 0,
  details: '{}',
  created_at_ms: nowMs,
  updated_at_ms: nowMs,
})

/** MUST equal the conditions of the indexes literally. */
export const isUnfinished = sql<boolean>`state IN ('queued', 'leased')`

type Where = ExpressionBuilder<MainSchema, 'jobs'>

/** Whether a job requests one of these languages, or none. Tags consist of letters, digits and hyphens. */
export const requestsOneOf = (languages: readonly string[]) => (eb: Where) => {
  const params = sql<string>`lower(params)`
  const matches = languages
    .map(requestsMetBy)
    .flatMap(({ exactly, beginningWith }) => [
      ...exactly.map(tag => eb(params, 'like', `%"language":"${tag}"%`)),
      eb(params, 'like', `%"language":"${beginningWith}%`),
    ])
  return eb.or([eb(params, 'not like', '%"language":%'), ...matches])
}

/** Whether a job is for one of these formats, or for none. They consist of letters and digits. */
export const needsOneOf = (formats: readonly string[]) => (eb: Where) =>
  eb.or([
    eb('params', 'not like', '%"format":%'),
    ...formats.map(each => eb('params', 'like', `%"format":"${each}"%`)),
  ])

export const isOf =
  ({ userId, workerId }: JobOwner) =>
  (eb: Where) =>
    eb.and({ owner_user_id: userId, owner_worker_id: workerId })

/** Whether this worker has finished the job. */
export const isFinishedBy = ({ state }: Job, { userId, workerId }: JobOwner) =>
  'result' in state && state.owner.userId === userId && state.owner.workerId === workerId
