import { type Capability, Refusal } from '@lectern/protocol'
import {
  JOB_KINDS,
  type JobKind,
  type JobView,
  type JsonObject,
  sessionStream,
} from '@lectern/protocol/control'
import { PARTIAL_TRANSCRIPT_TTL_MS } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import { observe, stopObserving } from './observers.ts'
import type { Handler, Sender } from './table.ts'

/** Commands of workers: sees who works, and hands them to the jobs. */

/** What a worker's account must be capable of. */
const needed: Record<JobKind, Capability> = { recording: 'jobs.recorder', transcription: 'jobs.transcriber' }

export const lease: Handler<'job.lease'> = async (parts, actor, { target, body }) => {
  const kind = JOB_KINDS.find(each => each === target.id)
  if (!kind) throw new Refusal('unknown_job_kind', `There are no jobs of the kind ${target.id}.`)
  ensureCapable(actor, kind)
  const leased = await parts.jobs.lease(workerOf(actor, body), kind, body.holding)
  if (leased.job) stopObserving(parts, placeOf(leased.job))
  return { data: asData(leased) }
}

export const attach: Handler<'job.attach'> = async (parts, actor, { target, body }) => {
  const job = await heldBy(parts, actor, body, target.id)
  if (!job) throw new Refusal('not_held')
  return { data: asData(observe(parts, actor, job, target.id, needed[job.kind])) }
}

export const renew: Handler<'job.renew'> = async (parts, actor, { target, body }) => {
  await heldBy(parts, actor, body, target.id)
  return { data: asData(await parts.jobs.renew(workerOf(actor, body), target.id)) }
}

export const progress: Handler<'job.progress'> = async (parts, actor, { target, body }) => {
  await heldBy(parts, actor, body, target.id)
  return { data: asData(await parts.jobs.progress(workerOf(actor, body), target.id, body)) }
}

export const finish: Handler<'job.finish'> = async (parts, actor, { target, body }) => {
  const job = await heldBy(parts, actor, body, target.id)
  const data = asData(await parts.jobs.finish(workerOf(actor, body), target.id, body))
  if (job) stopObserving(parts, { sessionId: job.sessionId, participantId: target.id })
  return { data }
}

/** Says nothing of whose the job is, and its id cannot be guessed (rule J21). */
export const state: Handler<'job.state'> = async ({ jobs }, { login }, { target }) => {
  const { capabilities } = login.user
  if (!Object.values(needed).some(capability => capabilities.includes(capability)))
    throw new Refusal('not_capable', 'This account does no jobs.')
  return { data: asData(await jobs.state(target.id)) }
}

/** What is whole goes to everybody, once and in order; what goes on is for those who hear it now (rule X4). */
export const phrases: Handler<'job.phrases'> = async (parts, actor, { target, body }) => {
  const { jobs, conferences, streams } = parts
  await heldBy(parts, actor, body, target.id)
  const { sessionId, held } = await jobs.transcribing(workerOf(actor, body), target.id)
  const whole = body.phrases.map(({ seq, ...spoken }) => ({ phrase_id: `${target.id}.${seq}`, ...spoken }))
  conferences.addPhrases(sessionId, whole)
  for (const { participant_id: sourceId, text } of body.partials)
    streams.signal(sessionStream(String(sessionId)), { ...partial, sourceId, body: { text } })
  return { data: asData(held) }
}

const partial = { name: 'transcription.partial', ttlMs: PARTIAL_TRANSCRIPT_TTL_MS } as const

const placeOf = ({ conference_session_id, job_id }: JobView) => ({
  sessionId: Number(conference_session_id),
  participantId: job_id,
})

const workerOf = ({ login }: Sender, { worker_id }: { worker_id: string }) => ({
  userId: login.user.id,
  workerId: worker_id,
})

/** The job, if the worker holds it; the capability that it leased it with may have been removed (rule J9). */
async function heldBy({ jobs }: ControlParts, actor: Sender, body: { worker_id: string }, jobId: string) {
  const job = await jobs.held(workerOf(actor, body), jobId)
  if (job) ensureCapable(actor, job.kind)
  return job
}

function ensureCapable({ login }: Sender, kind: JobKind): void {
  if (!login.user.capabilities.includes(needed[kind]))
    throw new Refusal('not_capable', `This account does not have the capability ${needed[kind]}.`)
}

const asData = (data: object) => data as JsonObject
