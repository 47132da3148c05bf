import {
  type CommandBody,
  type CommandData,
  ControlRefusal,
  type JobKind,
  type JsonObject,
} from '@lectern/protocol/control'
import type { Conference, SessionJobs, SessionRef } from '../conference/ports.ts'
import type { WorkerJobs } from '../control/ports.ts'
import { ATTEMPTS_MAX, LEASE_MS } from './limits.ts'
import type { Job, JobOwner, JobScope, Lease } from './ports.ts'
import { presentHeld, presentJob } from './present.ts'
import { about, Watch, type WatchParts } from './watch.ts'

interface JobsParts extends WatchParts {
  /** What recorders are told to make. */
  recordingParams: JsonObject
}

/** Work beside sessions: who wants it, which worker does it, and how it goes (rules J1 to J12). */
export class Jobs implements SessionJobs, WorkerJobs {
  readonly #parts: JobsParts
  readonly #watch: Watch

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#watch = new Watch(parts)
  }

  /** Whatever is a matter of time. To be called about every second. */
  tick(): Promise<void> {
    return this.#watch.look()
  }

  began(session: SessionRef, kind: Conference['kind']): void {
    if (kind !== 'partner') return
    this.#record(session, 'partner_auto').catch(error =>
      this.#parts.log.error(
        { err: error, conference_session_id: session.sessionId },
        'a recording could not be queued',
      ),
    )
  }

  ended(): void {
    void this.#watch.look()
  }

  startRecording(session: SessionRef): Promise<void> {
    return this.#record(session, 'manual')
  }

  async stopRecording(sessionId: number): Promise<void> {
    for (const job of await this.#parts.store.goingOn())
      if (job.kind === 'recording' && job.conferenceSessionId === sessionId) await this.#watch.stop(job)
  }

  async lease(owner: JobOwner, kind: JobKind, holding: string[]): Promise<CommandData<'job.lease'>> {
    this.#watch.remember(kind, owner.userId)
    for (;;) {
      const job = await this.#parts.store.lease(kind, this.#lease(owner), holding)
      if (!job || job.attempts <= ATTEMPTS_MAX) return { job: job && presentJob(job) }
      await this.finish(owner, job.id, { outcome: 'failed', result: { reason: 'too_many_attempts' } })
    }
  }

  async renew(owner: JobOwner, jobId: string): Promise<CommandData<'job.renew'>> {
    return presentHeld(demandHeld(await this.#parts.store.renew(jobId, this.#lease(owner))))
  }

  async progress(
    owner: JobOwner,
    jobId: string,
    told: Pick<CommandBody<'job.progress'>, 'active' | 'details'>,
  ): Promise<CommandData<'job.progress'>> {
    const job = demandHeld(await this.#parts.store.progress(jobId, this.#lease(owner), told))
    void this.#watch.look()
    return presentHeld(job)
  }

  async finish(
    owner: JobOwner,
    jobId: string,
    end: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>,
  ): Promise<CommandData<'job.finish'>> {
    const { store, clock, log } = this.#parts
    const job = demandHeld(await store.finish(jobId, owner, end, clock()))
    void this.#watch.look()
    if (job.state.is === 'failed') log.error({ ...about(job), result: job.state.result }, 'a job failed')
    return { outcome: job.state.is === 'failed' ? 'failed' : 'done' }
  }

  async #record({ sessionId, tag }: SessionRef, scope: JobScope): Promise<void> {
    const { store, recordingParams, clock } = this.#parts
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    await store.add({ kind: 'recording', scope, ...session, params: recordingParams }, clock())
    void this.#watch.look()
  }

  #lease(owner: JobOwner): Lease {
    const nowMs = this.#parts.clock()
    return { owner, nowMs, untilMs: nowMs + LEASE_MS }
  }
}

function demandHeld(job: Job | null): Job {
  if (!job)
    throw new ControlRefusal('permission_denied', 'This worker does not hold that job.', {
      reason: 'not_held',
    })
  return job
}
