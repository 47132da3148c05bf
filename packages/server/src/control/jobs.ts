import type { Capability } from '@lectern/protocol'
import {
  ControlRefusal,
  JOB_KINDS,
  type JobKind,
  type JobView,
  type JsonObject,
  sessionStream,
} from '@lectern/protocol/control'
import type { Actor, Handler } from './dispatch.ts'
import { PARTIAL_TTL_MS } from './limits.ts'
import { observe, release } from './observing.ts'

/** Commands of workers: sees who works, and hands them to the jobs. */

/** What a worker's account must be capable of. */
const needed: Record<JobKind, Capability> = { recording: 'jobs.recorder', transcription: 'jobs.transcriber' }

export const lease: Handler<'job.lease'> = async (parts, actor, { target, body }) => {
  const kind = JOB_KINDS.find(each => each === target.id)
  if (!kind) throw new ControlRefusal('invalid_argument', `There are no jobs of the kind ${target.id}.`)
  if (!actor.login.user.capabilities.includes(needed[kind]))
    throw new ControlRefusal(
      'permission_denied',
      `This account does not have the capability ${needed[kind]}.`,
    )
  const leased = await parts.jobs.lease(workerOf(actor, body), kind, body.holding)
  if (leased.job) release(parts, placeOf(leased.job))
  return { data: asData(leased) }
}

// Who holds a job was capable of it when they leased it, and nobody else is listened to.

export const attach: Handler<'job.attach'> = async (parts, actor, { target, body }) => {
  const session = await parts.jobs.held(workerOf(actor, body), target.id)
  if (!session)
    throw new ControlRefusal('permission_denied', 'This worker does not hold that job.', {
      reason: 'not_held',
    })
  return { data: asData(observe(parts, actor, session, target.id)) }
}

export const renew: Handler<'job.renew'> = async ({ jobs }, actor, { target, body }) => ({
  data: asData(await jobs.renew(workerOf(actor, body), target.id)),
})

export const progress: Handler<'job.progress'> = async ({ jobs }, actor, { target, body }) => ({
  data: asData(await jobs.progress(workerOf(actor, body), target.id, body)),
})

export const finish: Handler<'job.finish'> = async (parts, actor, { target, body }) => {
  const worker = workerOf(actor, body)
  const session = await parts.jobs.held(worker, target.id)
  const data = asData(await parts.jobs.finish(worker, target.id, body))
  if (session) release(parts, { sessionId: session.sessionId, participantId: target.id })
  return { data }
}

/** Says nothing of whose the job is, and its id cannot be guessed (rule J21). */
export const state: Handler<'job.state'> = async ({ jobs }, { login }, { target }) => {
  const { capabilities } = login.user
  if (!Object.values(needed).some(capability => capabilities.includes(capability)))
    throw new ControlRefusal('permission_denied', 'This account does no jobs.')
  return { data: asData(await jobs.state(target.id)) }
}

/** What is whole goes to everybody, once and in order; what goes on is for those who hear it now (rule X4). */
export const phrases: Handler<'job.phrases'> = async (
  { jobs, conferences, streams },
  actor,
  { target, body },
) => {
  const { sessionId, held } = await jobs.transcribing(workerOf(actor, body), target.id)
  const whole = body.phrases.map(({ seq, ...spoken }) => ({ phrase_id: `${target.id}.${seq}`, ...spoken }))
  conferences.hear(sessionId, whole)
  for (const { participant_id: sourceId, text } of body.partials)
    streams.signal(sessionStream(String(sessionId)), { ...partial, sourceId, body: { text } })
  return { data: asData(held) }
}

const partial = { name: 'transcription.partial', ttlMs: PARTIAL_TTL_MS } as const

const placeOf = ({ conference_session_id, job_id }: JobView) => ({
  sessionId: Number(conference_session_id),
  participantId: job_id,
})

const workerOf = ({ login }: Actor, { worker_id }: { worker_id: string }) => ({
  userId: login.user.id,
  workerId: worker_id,
})

const asData = (data: object) => data as JsonObject
