import { ensure } from '@lectern/protocol'
import type { CommandBody, CommandData, JobKind, JsonObject } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { Tracing } from '../../platform/tracing.ts'
import type { SessionRef } from '../../sessions/ports.ts'
import type { JobStore } from '../stores/jobs.ts'
import { type JobScheduler, jobLogFields } from './job-scheduler.ts'
import { JobTraces } from './job-traces.ts'
import { LEASE_MS, MAX_ATTEMPTS, MAX_CONVERSION_ATTEMPTS } from './limits.ts'
import type { Job, JobOwner, Lease, WorkerAbilities, WorkerJobs } from './ports.ts'
import { presentJob, presentLease, presentState } from './present.ts'

export interface LeasedJobsParts {
  store: JobStore
  /**
   * Saves the result of a job before the job is finished; after a crash in between, the worker repeats it. Throws a
   * Refusal when the result is invalid.
   */
  results: Record<JobKind, (job: Job, result: JsonObject) => Promise<void>>
  /** Called before a job fails for good; may be repeated. */
  onFailure?: Partial<Record<JobKind, (job: Job) => Promise<void>>>
  /** The ids that the partner of a room has for accounts; others are left out. */
  externalIdsOf: (tag: string, userIds: number[]) => Promise<Map<number, string>>
  clock: Clock
  log: Logger
  tracing?: Tracing
}

/** Leases jobs to workers, and accepts their progress and results (rules J1 to J5). */
export class LeasedJobs implements WorkerJobs {
  readonly #parts: LeasedJobsParts
  readonly #scheduler: JobScheduler
  readonly #traces: JobTraces

  constructor(parts: LeasedJobsParts, scheduler: JobScheduler) {
    this.#parts = parts
    this.#scheduler = scheduler
    this.#traces = new JobTraces(parts)
  }

  /** Jobs that workers of the account hold. */
  listHeldBy(userId: number): Promise<Job[]> {
    return this.#parts.store.listUnfinished({ heldBy: userId })
  }

  async lease(
    owner: JobOwner,
    kind: JobKind,
    holding: string[],
    { languages, formats = [] }: WorkerAbilities = {},
  ): Promise<CommandData<'job.lease'>> {
    this.#scheduler.workers.record(kind, owner.userId, { languages, formats })
    for (;;) {
      const request = { kind, holding, ...this.#scheduler.expired, languages, formats }
      const job = await this.#parts.store.lease(request, this.#lease(owner))
      if (job) this.#traces.leased(job)
      if (!job || job.attempts <= maxAttempts(job.kind)) return { job: job && presentJob(job) }
      await this.finish(owner, job.id, { outcome: 'failed', result: { reason: 'too_many_attempts' } })
    }
  }

  async held(owner: JobOwner, jobId: string): Promise<(SessionRef & { kind: JobKind }) | null> {
    const job = await this.#findHeld(owner, jobId)
    return job && { sessionId: job.conferenceSessionId, tag: job.conferenceTag, kind: job.kind }
  }

  async renew(owner: JobOwner, jobId: string): Promise<CommandData<'job.renew'>> {
    return presentLease(await this.#renew(owner, jobId))
  }

  async progress(
    owner: JobOwner,
    jobId: string,
    report: Pick<CommandBody<'job.progress'>, 'active' | 'details'>,
  ): Promise<CommandData<'job.progress'>> {
    const job = assertHeld(await this.#parts.store.progress(jobId, this.#lease(owner), report))
    this.#scheduler.workers.record(job.kind, owner.userId)
    void this.#scheduler.poll()
    return presentLease(job)
  }

  async transcribing(
    owner: JobOwner,
    jobId: string,
  ): Promise<{ sessionId: number; held: CommandData<'job.phrases'> }> {
    const job = await this.#renew(owner, jobId)
    return {
      sessionId: assertHeld(job.kind === 'transcription' ? job : null).conferenceSessionId,
      held: presentLease(job),
    }
  }

  async finish(
    owner: JobOwner,
    jobId: string,
    end: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>,
  ): Promise<CommandData<'job.finish'>> {
    const { store, results, onFailure, clock, log } = this.#parts
    const held = await this.#findHeld(owner, jobId)
    if (held && end.outcome === 'done') await results[held.kind](held, end.result)
    if (held && end.outcome === 'failed') await onFailure?.[held.kind]?.(held)
    const isInterrupted = held?.kind === 'transcription' && endsByItself(end)
    const job = assertHeld(await store.finish(jobId, owner, { ...end, isInterrupted }, clock()))
    void this.#scheduler.poll()
    if (held) this.#traces.ended(job)
    if (job.state.is === 'failed')
      log.error({ ...jobLogFields(job), result: job.state.result }, 'a job failed: its result has the reason')
    return { outcome: job.state.is === 'failed' ? 'failed' : 'done' }
  }

  async people(owner: JobOwner, jobId: string, userIds: string[]): Promise<CommandData<'job.people'>> {
    const { conferenceTag } = assertHeld(await this.#findHeld(owner, jobId))
    const found = await this.#parts.externalIdsOf(
      conferenceTag,
      userIds.map(Number).filter(Number.isSafeInteger),
    )
    return { people: [...found].map(([id, external_id]) => ({ user_id: String(id), external_id })) }
  }

  async state(jobId: string): Promise<CommandData<'job.state'>> {
    const { store } = this.#parts
    const { state } = presentState(await store.find(jobId))
    return { state: state !== 'going_on' && (await store.isDeleted(jobId)) ? 'deleted' : state }
  }

  /** Null when the owner does not hold the job. */
  async #findHeld({ userId, workerId }: JobOwner, jobId: string): Promise<Job | null> {
    const job = await this.#parts.store.find(jobId)
    if (job?.state.is !== 'leased') return null
    const { owner } = job.state
    return owner.userId === userId && owner.workerId === workerId ? job : null
  }

  async #renew(owner: JobOwner, jobId: string): Promise<Job> {
    const job = assertHeld(await this.#parts.store.renew(jobId, this.#lease(owner)))
    this.#scheduler.workers.record(job.kind, owner.userId)
    return job
  }

  #lease(owner: JobOwner): Lease {
    const nowMs = this.#parts.clock()
    return { owner, nowMs, untilMs: nowMs + LEASE_MS }
  }
}

/**
 * Whether a run ended although nobody stopped it: its transcriber was lost, or was shut down. Another run transcribes the
 * rest of the session (rule X9).
 */
const endsByItself = ({ outcome, result }: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>): boolean =>
  outcome === 'done' || result.reason === 'worker_lost'

const maxAttempts = (kind: JobKind) => (kind === 'conversion' ? MAX_CONVERSION_ATTEMPTS : MAX_ATTEMPTS)

function assertHeld(job: Job | null): Job {
  ensure(job, 'not_held')
  return job
}
