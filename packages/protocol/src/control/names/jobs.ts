import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Duration, FreeObject, Id, strict } from '../scalars.ts'
import { Cursor } from '../shared.ts'
import { LANGUAGES_MAX, Language } from './language.ts'

/** The kinds of jobs. */
export const JOB_KINDS = ['recording', 'transcription', 'conversion'] as const
export type JobKind = (typeof JOB_KINDS)[number]
const Kind = Type.Enum(JOB_KINDS)

/** The outcomes of a job. */
export const JOB_OUTCOMES = ['done', 'failed'] as const
export type JobOutcome = (typeof JOB_OUTCOMES)[number]
const Outcome = Type.Enum(JOB_OUTCOMES)

/**
 * The state of a job: `failed` ended without a result; what a `deleted` one made was deleted, or its room was; the outcome of
 * an `unknown` job is no longer stored.
 */
const State = Type.Enum(['going_on', 'done', 'failed', 'deleted', 'unknown'])

/** The most jobs in `holding`. */
export const JOBS_HELD_MAX = 100

/** The most accounts in one `job.people`. */
export const PEOPLE_PER_COMMAND_MAX = 50

const JobId = Type.String({ ...Id, description: 'As in the target of commands for it.' })
const LeaseMs = Type.Integer({ ...Duration, description: 'Remaining validity of the lease.' })
const Stop = Type.Boolean({ description: 'Finish the work and the job.' })

export const JobView = Type.Object(
  {
    job_id: JobId,
    kind: Kind,
    scope: Type.String({ ...Id, description: 'Origin of the job: partner_auto or manual.' }),
    conference_session_id: Id,
    conference_tag: Id,
    params: FreeObject,
    attempt: Type.Integer({ minimum: 1, description: 'How often the job has been leased.' }),
    details: FreeObject,
    lease_ms: LeaseMs,
    stop: Stop,
  },
  { ...strict, description: 'details: the last details of job.progress, possibly of an earlier attempt.' },
)
export type JobView = Static<typeof JobView>

export const LeaseStatus = Type.Object({ lease_ms: LeaseMs, stop: Stop }, strict)

const worker = {
  worker_id: Type.String({
    ...Id,
    description: 'Identifies the worker within its account, also after a restart.',
  }),
}

export const jobCommands = {
  'recording.start': Type.Object({}, { ...strict, description: 'In ordinary conferences.' }),
  'recording.stop': Type.Object({}, strict),
  'job.lease': Type.Object(
    {
      ...worker,
      holding: Type.Array(Id, {
        maxItems: JOBS_HELD_MAX,
        description: 'The job_ids that the worker is working on. A job that it leased before comes first.',
      }),
      languages: Type.Optional(
        Type.Array(Language, {
          maxItems: LANGUAGES_MAX,
          description: 'Of a transcriber: what it recognises. It gets no job for another language.',
        }),
      ),
      formats: Type.Optional(
        Type.Array(Type.String({ pattern: '^[a-z0-9]{1,32}$' }), {
          maxItems: 8,
          description:
            'Of a converter: what it converts beside PDF and images: office. It gets no job for another format.',
        }),
      ),
    },
    strict,
  ),
  'job.attach': Type.Object(worker, {
    ...strict,
    description: 'The connection observes the session of the job: it receives the stream and may tap media.',
  }),
  'job.renew': Type.Object(worker, strict),
  'job.progress': Type.Object(
    {
      ...worker,
      active: Type.Boolean({ description: 'Whether the worker is recording, transcribing or converting.' }),
      details: Type.Optional(FreeObject),
    },
    strict,
  ),
  'job.finish': Type.Object({ ...worker, outcome: Outcome, result: FreeObject }, strict),
  'job.state': Type.Object({}, { ...strict, description: 'For workers that still have files of a job.' }),
  'job.people': Type.Object(
    { ...worker, user_ids: Type.Array(Id, { maxItems: PEOPLE_PER_COMMAND_MAX }) },
    strict,
  ),
}

export const jobData = {
  'job.lease': Type.Object({ job: Nullable(JobView) }, strict),
  'job.attach': Type.Object(
    {
      conference_session_id: Id,
      participant_id: Type.String({ ...Id, description: 'The job_id: an observer is not a participant.' }),
      stream: Cursor,
    },
    strict,
  ),
  'job.renew': LeaseStatus,
  'job.progress': LeaseStatus,
  'job.finish': Type.Object(
    { outcome: Outcome },
    { ...strict, description: 'The outcome that counts: the first one.' },
  ),
  'job.state': Type.Object({ state: State }, strict),
  'job.people': Type.Object(
    {
      people: Type.Array(
        Type.Object(
          { user_id: Id, external_id: Type.String({ description: 'The id of the person at the partner.' }) },
          strict,
        ),
      ),
    },
    { ...strict, description: 'Without accounts that the partner of the room does not know.' },
  ),
}

export const jobEvents = {
  'job.available': Type.Object({ kind: Kind }, strict),
  'job.stopping': Type.Object({ job_id: JobId }, strict),
}
