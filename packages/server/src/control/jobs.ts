import type { Capability } from '@lectern/protocol'
import { ControlRefusal, JOB_KINDS, type JobKind, type JsonObject } from '@lectern/protocol/control'
import type { Actor, Handler } from './dispatch.ts'

/** Commands of workers: sees who works, and hands them to the jobs. */

/** What a worker's account must be capable of. */
const needed: Record<JobKind, Capability> = { recording: 'jobs.recorder', transcription: 'jobs.transcriber' }

export const lease: Handler<'job.lease'> = async ({ jobs }, actor, { target, body }) => {
  const kind = JOB_KINDS.find(each => each === target.id)
  if (!kind) throw new ControlRefusal('invalid_argument', `There are no jobs of the kind ${target.id}.`)
  if (!actor.login.user.capabilities.includes(needed[kind]))
    throw new ControlRefusal(
      'permission_denied',
      `This account does not have the capability ${needed[kind]}.`,
    )
  return { data: asData(await jobs.lease(workerOf(actor, body), kind, body.holding)) }
}

// Who holds a job was capable of it when they leased it, and nobody else is listened to.

export const renew: Handler<'job.renew'> = async ({ jobs }, actor, { target, body }) => ({
  data: asData(await jobs.renew(workerOf(actor, body), target.id)),
})

export const progress: Handler<'job.progress'> = async ({ jobs }, actor, { target, body }) => ({
  data: asData(await jobs.progress(workerOf(actor, body), target.id, body)),
})

export const finish: Handler<'job.finish'> = async ({ jobs }, actor, { target, body }) => ({
  data: asData(await jobs.finish(workerOf(actor, body), target.id, body)),
})

const workerOf = ({ login }: Actor, { worker_id }: { worker_id: string }) => ({
  userId: login.user.id,
  workerId: worker_id,
})

const asData = (data: object) => data as JsonObject
