import { ensure } from '@lectern/protocol'
import type { CommandBody, CommandData, JobKind, JsonObject } from '@lectern/protocol/control'
import { matchesLanguage } from '../language-tags.ts'
import type {
  OwnSession,
  SessionJobs,
  SessionLease,
  SessionRef,
  TranscriptionOptions,
} from '../sessions/ports.ts'
import { LeaseLost } from '../sessions/refusals.ts'
import type { Tracing } from '../tracing.ts'
import { JobScheduler, type JobSchedulerParts, jobLogFields } from './job-scheduler.ts'
import { JobTraces } from './job-traces.ts'
import { ENDED_JOB_RETENTION_MS, LEASE_MS, MAX_ATTEMPTS } from './limits.ts'
import { jobMetrics } from './metrics.ts'
import type { Job, JobCount, JobOwner, JobScope, Lease, NewJob, WorkerJobs } from './ports.ts'
import { presentJob, presentLease, presentState } from './present.ts'

export interface JobsParts extends JobSchedulerParts {
  /** Parameters of recording jobs. */
  recordingParams: JsonObject
  /**
   * Saves the result of a job before the job is finished; after a crash in between, the worker repeats it. Throws a
   * Refusal when the result is invalid.
   */
  results: Record<JobKind, (job: Job, result: JsonObject) => Promise<void>>
  tracing?: Tracing
}

/** The jobs of sessions and the workers that process them (rules J1 to J12). */
export class Jobs implements SessionJobs, WorkerJobs {
  readonly #parts: JobsParts
  readonly #scheduler: JobScheduler
  readonly #traces: JobTraces
  /** Sessions whose automatic recording could not be queued yet. */
  readonly #unqueuedRecordings = new Map<number, OwnSession>()

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#scheduler = new JobScheduler(parts)
    this.#traces = new JobTraces(parts)
    parts.domainEvents.subscribe('session-started', ({ session, kind }) => {
      if (kind === 'partner') void this.#startAutomaticRecording(session)
    })
    parts.domainEvents.subscribe('session-ended', ({ sessionId }) => {
      this.#unqueuedRecordings.delete(sessionId)
      void this.#scheduler.poll()
    })
  }

  /** Call it about every second. */
  async tick(): Promise<void> {
    for (const session of [...this.#unqueuedRecordings.values()]) await this.#startAutomaticRecording(session)
    await this.#scheduler.poll()
  }

  /** Removes jobs that ended long ago. */
  sweep(): Promise<void> {
    return this.#parts.store.sweep(this.#parts.clock() - ENDED_JOB_RETENTION_MS)
  }

  get metrics() {
    const { store, clock } = this.#parts
    return jobMetrics({ store, scheduler: this.#scheduler, clock })
  }

  /** For administrators. */
  get workers() {
    return this.#scheduler.workers.all
  }

  /** The unfinished jobs of all sessions, on whatever server. */
  async countUnfinished(): Promise<{ queued: number; leased: number }> {
    const counts = await this.#parts.store.countUnfinished()
    const sum = (state: JobCount['state']) =>
      counts.reduce((total, each) => total + (each.state === state ? each.count : 0), 0)
    return { queued: sum('queued'), leased: sum('leased') }
  }

  /** Cancels a queued job; requests the worker of a leased one to finish. False: it has ended. */
  async cancel(jobId: string): Promise<boolean> {
    const job = await this.#parts.store.find(jobId)
    if (!job || (job.state.is !== 'queued' && job.state.is !== 'leased')) return false
    await this.#scheduler.stop(job)
    void this.#scheduler.poll()
    return true
  }

  startRecording(session: OwnSession): Promise<void> {
    return this.#record(session, 'manual')
  }

  async stopRecording(sessionId: number): Promise<void> {
    await this.#stop('recording', sessionId)
  }

  hasTranscriber(): boolean {
    return this.#scheduler.workers.hasActive('transcription')
  }

  transcriptionLanguages(): string[] {
    return this.#scheduler.workers.languages() ?? []
  }

  canTranscribe(language: string): boolean {
    const languages = this.#scheduler.workers.languages()
    return languages === null || languages.some(each => matchesLanguage(each, language))
  }

  async startTranscription(
    { sessionId, tag, lease }: OwnSession,
    options: TranscriptionOptions,
  ): Promise<void> {
    // A job whose worker was lost yields no result (rule X8), and must not prevent another one.
    await this.#stop(
      'transcription',
      sessionId,
      job => this.#scheduler.hasLostWorker(job) || wasStartedByFormerProcess(job),
    )
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    await this.#add(lease, { kind: 'transcription', scope: 'manual', ...session, params: options })
  }

  stopTranscription(sessionId: number): Promise<void> {
    return this.#stop('transcription', sessionId)
  }

  /** Jobs that workers of the account hold. */
  listLeasedTo(userId: number): Promise<Job[]> {
    return this.#parts.store.listUnfinished({ heldBy: userId })
  }

  async lease(
    owner: JobOwner,
    kind: JobKind,
    holding: string[],
    languages?: readonly string[],
  ): Promise<CommandData<'job.lease'>> {
    this.#scheduler.workers.record(kind, owner.userId, languages)
    for (;;) {
      const request = { kind, holding, expiredAtMs: this.#scheduler.expiredAtMs, languages }
      const job = await this.#parts.store.lease(request, this.#lease(owner))
      if (job) this.#traces.leased(job)
      if (!job || job.attempts <= MAX_ATTEMPTS) return { job: job && presentJob(job) }
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
    const { store, results, clock, log } = this.#parts
    const held = await this.#findHeld(owner, jobId)
    if (held && end.outcome === 'done') await results[held.kind](held, end.result)
    const isInterrupted = held?.kind === 'transcription' && endsByItself(end)
    const job = assertHeld(await store.finish(jobId, owner, { ...end, isInterrupted }, clock()))
    void this.#scheduler.poll()
    if (held) this.#traces.ended(job)
    if (job.state.is === 'failed')
      log.error({ ...jobLogFields(job), result: job.state.result }, 'a job failed')
    return { outcome: job.state.is === 'failed' ? 'failed' : 'done' }
  }

  async state(jobId: string): Promise<CommandData<'job.state'>> {
    return presentState(await this.#parts.store.find(jobId))
  }

  /** Retries failures until the session ends, or another server runs it: that one begins to record by itself. */
  async #startAutomaticRecording(session: OwnSession): Promise<void> {
    const { sessionId } = session
    const isRetry = this.#unqueuedRecordings.delete(sessionId)
    try {
      await this.#record(session, 'partner_auto')
    } catch (error) {
      if (error instanceof LeaseLost) return
      this.#unqueuedRecordings.set(sessionId, session)
      if (!isRetry)
        this.#parts.log.error(
          { err: error, conference_session_id: sessionId },
          'a recording could not be queued',
        )
    }
  }

  async #record({ sessionId, tag, lease }: OwnSession, scope: JobScope): Promise<void> {
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    // Partners get Matroska; the owners of other conferences play their recordings in browsers.
    const container = scope === 'manual' ? { container: 'mp4' } : {}
    const params = { ...this.#parts.recordingParams, ...container }
    await this.#add(lease, { kind: 'recording', scope, ...session, params })
  }

  async #add(lease: SessionLease, job: NewJob): Promise<void> {
    if (!(await this.#parts.store.addUnder(lease, job, this.#parts.clock()))) throw new LeaseLost()
    void this.#scheduler.poll()
  }

  /** Null when the owner does not hold the job. */
  async #findHeld({ userId, workerId }: JobOwner, jobId: string): Promise<Job | null> {
    const job = await this.#parts.store.find(jobId)
    if (job?.state.is !== 'leased') return null
    const { owner } = job.state
    return owner.userId === userId && owner.workerId === workerId ? job : null
  }

  async #stop(kind: JobKind, sessionId: number, isMeant: (job: Job) => boolean = () => true): Promise<void> {
    for (const job of await this.#parts.store.listUnfinished({ sessionId }))
      if (job.kind === kind && isMeant(job)) await this.#scheduler.stop(job)
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

/** Whether the worker has restarted: it is inactive, but its former process reported details. */
const wasStartedByFormerProcess = ({ state, details }: Job): boolean =>
  state.is === 'leased' && !state.active && Object.keys(details).length > 0

/**
 * Whether a run ended although nobody stopped it: its transcriber was lost, or was shut down. Another run transcribes the
 * rest of the session (rule X9).
 */
const endsByItself = ({ outcome, result }: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>): boolean =>
  outcome === 'done' || result.reason === 'worker_lost'

function assertHeld(job: Job | null): Job {
  ensure(job, 'not_held')
  return job
}
