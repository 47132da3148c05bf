import { type Capability, Refusal } from '@lectern/protocol'
import { JOB_KINDS, type JobKind, type JobView, type JsonObject } from '@lectern/protocol/control'
import { PARTIAL_TRANSCRIPT_TTL_MS } from '../limits/constants.ts'
import type { ControlParts } from '../ports.ts'
import type { Handler, Sender } from './command.ts'
import { observe, stopObserving } from './observers.ts'

/** Commands of workers. */

const CAPABILITIES: Record<JobKind, Capability> = {
  recording: 'jobs.recorder',
  transcription: 'jobs.transcriber',
  conversion: 'jobs.converter',
}

export const lease: Handler<'job.lease'> = async (parts, sender, { target, body }) => {
  const kind = JOB_KINDS.find(each => each === target.id)
  if (!kind) throw new Refusal('unknown_job_kind', `There are no jobs of the kind ${target.id}.`)
  requireCapability(sender, kind)
  const leased = await parts.jobs.lease(workerOf(sender, body), kind, body.holding, body)
  if (leased.job) stopObserving(parts, observerOf(leased.job))
  return withData(leased)
}

export const attach: Handler<'job.attach'> = async (parts, sender, { target, body }) => {
  const job = await findHeldJob(parts, sender, body, target.id)
  if (!job) throw new Refusal('not_held')
  const observed = await observe(parts, sender, job, target.id, CAPABILITIES[job.kind])
  // The session of the job may have another server now, which learns that the worker is there (rule J12).
  await parts.jobs.renew(workerOf(sender, body), target.id)
  return withData(observed)
}

export const renew: Handler<'job.renew'> = async (parts, sender, { target, body }) => {
  await findHeldJob(parts, sender, body, target.id)
  return withData(await parts.jobs.renew(workerOf(sender, body), target.id))
}

export const progress: Handler<'job.progress'> = async (parts, sender, { target, body }) => {
  await findHeldJob(parts, sender, body, target.id)
  return withData(await parts.jobs.progress(workerOf(sender, body), target.id, body))
}

export const finish: Handler<'job.finish'> = async (parts, sender, { target, body }) => {
  const job = await findHeldJob(parts, sender, body, target.id)
  const result = withData(await parts.jobs.finish(workerOf(sender, body), target.id, body))
  if (job) stopObserving(parts, { sessionId: job.sessionId, participantId: target.id })
  return result
}

/** Answers every worker: the state does not name the holder, and the id of a job cannot be guessed (rule J21). */
export const state: Handler<'job.state'> = async ({ jobs }, { login }, { target }) => {
  const { capabilities } = login.user
  if (!Object.values(CAPABILITIES).some(capability => capabilities.includes(capability)))
    throw new Refusal('not_capable', 'This account does no jobs.')
  return withData(await jobs.state(target.id))
}

/** Answers the holder only: other people in the session do not get the partner's ids (rule J25). */
export const people: Handler<'job.people'> = async (parts, sender, { target, body }) => {
  await findHeldJob(parts, sender, body, target.id)
  return withData(await parts.jobs.people(workerOf(sender, body), target.id, body.user_ids))
}

/** Phrases go to everybody, once and in order; partial ones are signals (rule X4). */
export const phrases: Handler<'job.phrases'> = async (parts, sender, { target, body }) => {
  const { jobs, reports, streams } = parts
  await findHeldJob(parts, sender, body, target.id)
  const { sessionId, held } = await jobs.transcribing(workerOf(sender, body), target.id)
  const phrases = body.phrases.map(({ seq, ...phrase }) => ({ phrase_id: `${target.id}.${seq}`, ...phrase }))
  reports.addPhrases(sessionId, phrases)
  for (const { participant_id: sourceId, text } of body.partials)
    streams.sessions.signal(sessionId, { ...PARTIAL, sourceId, body: { text } })
  return withData(held)
}

const PARTIAL = { name: 'transcription.partial', ttlMs: PARTIAL_TRANSCRIPT_TTL_MS } as const

const observerOf = ({ conference_session_id, job_id }: JobView) => ({
  sessionId: Number(conference_session_id),
  participantId: job_id,
})

const workerOf = ({ login }: Sender, { worker_id }: { worker_id: string }) => ({
  userId: login.user.id,
  workerId: worker_id,
})

/** Null when the worker does not hold the job. Its account may have lost the capability meanwhile (rule J9). */
async function findHeldJob(
  { jobs }: ControlParts,
  sender: Sender,
  body: { worker_id: string },
  jobId: string,
) {
  const job = await jobs.held(workerOf(sender, body), jobId)
  if (job) requireCapability(sender, job.kind)
  return job
}

function requireCapability({ login }: Sender, kind: JobKind): void {
  if (!login.user.capabilities.includes(CAPABILITIES[kind]))
    throw new Refusal('not_capable', `This account does not have the capability ${CAPABILITIES[kind]}.`)
}

const withData = (data: object) => ({ data: data as JsonObject })
