import { type Static, Type } from 'typebox'
import { JOB_KINDS } from '../control/names/jobs.ts'
import { Next, TimePageQuery } from '../paging.ts'
import { Nullable, Result } from '../schema.ts'
import { ConferenceNames, ConferenceQuery } from './conferences.ts'

export const JOB_STATES = ['queued', 'leased', 'done', 'failed', 'cancelled'] as const
export type JobStateName = (typeof JOB_STATES)[number]

export const AdminJob = Type.Object({
  job_id: Type.String(),
  kind: Type.Enum(JOB_KINDS),
  scope: Type.String({ description: '`partner_auto`: started with the session; `manual`: by a moderator.' }),
  state: Type.Enum(JOB_STATES),
  conference_tag: Type.String(),
  conference_session_id: Type.Integer(),
  attempts: Type.Integer(),
  stop_requested: Type.Boolean(),
  worker_id: Nullable(Type.String({ description: 'The last holder.' })),
  lease_until_ms: Nullable(Type.Integer()),
  failure: Nullable(Type.String({ description: 'Why it failed, as far as the worker said.' })),
  created_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  updated_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
})
export type AdminJob = Static<typeof AdminJob>

const NamedJob = Type.Object({ ...AdminJob.properties, ...ConferenceNames })
export type AdminNamedJob = Static<typeof NamedJob>

export const AdminJobQuery = Type.Object({
  ...TimePageQuery,
  ...ConferenceQuery,
  kind: Type.Optional(Type.Enum(JOB_KINDS)),
  state: Type.Optional(Type.Enum(JOB_STATES)),
})

export const AdminJobListResponse = Type.Object({
  result: Result,
  jobs: Type.Array(NamedJob, { description: 'Newest first. Ended jobs are kept for 30 days.' }),
  next: Next,
})
export type AdminJobListResponse = Static<typeof AdminJobListResponse>

export const AdminJobResponse = Type.Object({ result: Result, ...NamedJob.properties })
