import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Duration, FreeObject, Id, strict } from '../scalars.ts'
import { Cursor } from '../shared.ts'

/** What workers do. */
export const JOB_KINDS = ['recording', 'transcription'] as const
export type JobKind = (typeof JOB_KINDS)[number]
const Kind = Type.Enum(JOB_KINDS)

/** How a job may end. */
export const JOB_OUTCOMES = ['done', 'failed'] as const
export type JobOutcome = (typeof JOB_OUTCOMES)[number]
const Outcome = Type.Enum(JOB_OUTCOMES)

/** How a job stands: `failed` is over without a result, and how an `unknown` one ended nobody knows any more. */
const State = Type.Enum(['going_on', 'done', 'failed', 'unknown'])

/** Jobs that one worker can say it holds. */
export const JOBS_HELD_MAX = 100

const JobId = Type.String({ ...Id, description: 'As in the target of the commands about it.' })
const LeaseMs = Type.Integer({ ...Duration, description: 'How long the lease is good from now on.' })
const Stop = Type.Boolean({ description: 'The work is to come to its end, and the job to be finished.' })

export const JobView = Type.Object(
  {
    job_id: JobId,
    kind: Kind,
    scope: Type.String({ ...Id, description: 'Why there is the job: partner_auto or manual.' }),
    conference_session_id: Id,
    conference_tag: Id,
    params: FreeObject,
    attempt: Type.Integer({ minimum: 1, description: 'How often the job has been leased.' }),
    details: FreeObject,
    lease_ms: LeaseMs,
    stop: Stop,
  },
  { ...strict, description: 'details: what job.progress told last, maybe in an earlier attempt.' },
)
export type JobView = Static<typeof JobView>

export const LeaseStatus = Type.Object({ lease_ms: LeaseMs, stop: Stop }, strict)

const worker = {
  worker_id: Type.String({
    ...Id,
    description: 'Names the worker among those of its account, also after it was started anew.',
  }),
}

export const jobCommands = {
  'recording.start': Type.Object({}, { ...strict, description: 'In conferences that are no partner’s.' }),
  'recording.stop': Type.Object({}, strict),
  'job.lease': Type.Object(
    {
      ...worker,
      holding: Type.Array(Id, {
        maxItems: JOBS_HELD_MAX,
        description: 'The job_ids that it works on. Another that it leased before is given first.',
      }),
    },
    strict,
  ),
  'job.attach': Type.Object(worker, {
    ...strict,
    description:
      'The connection observes the session of the job: it hears the stream, and may tap the media.',
  }),
  'job.renew': Type.Object(worker, strict),
  'job.progress': Type.Object(
    {
      ...worker,
      active: Type.Boolean({ description: 'It records, or transcribes, right now.' }),
      details: Type.Optional(FreeObject),
    },
    strict,
  ),
  'job.finish': Type.Object({ ...worker, outcome: Outcome, result: FreeObject }, strict),
  'job.state': Type.Object({}, { ...strict, description: 'For who keeps something of a job.' }),
}

export const jobData = {
  'job.lease': Type.Object({ job: Nullable(JobView) }, strict),
  'job.attach': Type.Object(
    {
      conference_session_id: Id,
      participant_id: Type.String({ ...Id, description: 'The job_id: who observes is no participant.' }),
      stream: Cursor,
    },
    strict,
  ),
  'job.renew': LeaseStatus,
  'job.progress': LeaseStatus,
  'job.finish': Type.Object(
    { outcome: Outcome },
    { ...strict, description: 'The first that was told; it stays.' },
  ),
  'job.state': Type.Object({ state: State }, strict),
}

export const jobEvents = {
  'job.available': Type.Object({ kind: Kind }, strict),
  'job.stopping': Type.Object({ job_id: JobId }, strict),
}
