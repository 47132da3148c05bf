import { ensure } from '@lectern/protocol'
import type { CommandBody, CommandData, JobKind, JsonObject } from '@lectern/protocol/control'
import type { WorkerJobs } from '../control/ports.ts'
import type { SessionJobs, SessionRef, TranscriptionOptions } from '../sessions/ports.ts'
import { ATTEMPTS_MAX, ENDED_KEPT_MS, LEASE_MS } from './limits.ts'
import type { Job, JobOwner, JobScope, Lease, NewJob } from './ports.ts'
import { presentHeld, presentJob, presentState } from './present.ts'
import { jobReadings } from './readings.ts'
import { about, Watch, type WatchParts } from './watch.ts'

export interface JobsParts extends WatchParts {
  /** What recorders are told to make. */
  recordingParams: JsonObject
  /**
   * Takes over what a job that is done has brought, before it counts as finished; a crash in between repeats it.
   * Throws a Refusal when the result is not as it should be.
   */
  results: Record<JobKind, (job: Job, result: JsonObject) => Promise<void>>
}

/** Work beside sessions: who wants it, which worker does it, and how it goes (rules J1 to J12). */
export class Jobs implements SessionJobs, WorkerJobs {
  readonly #parts: JobsParts
  readonly #watch: Watch
  /** Sessions whose recording could not be queued yet. */
  readonly #unqueued = new Map<number, SessionRef>()

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#watch = new Watch(parts)
    parts.domainEvents.subscribe('session-started', ({ session, kind }) => {
      if (kind === 'partner') void this.#recordByItself(session)
    })
    parts.domainEvents.subscribe('session-ended', () => void this.#watch.look())
  }

  /** Whatever is a matter of time. To be called about every second. */
  async tick(): Promise<void> {
    for (const session of [...this.#unqueued.values()]) await this.#recordByItself(session)
    await this.#watch.look()
  }

  /** Forgets jobs that ended long ago. */
  sweep(): Promise<void> {
    return this.#parts.store.sweep(this.#parts.clock() - ENDED_KEPT_MS)
  }

  get readings() {
    return jobReadings(this.#watch, this.#parts.clock)
  }

  startRecording(session: SessionRef): Promise<void> {
    return this.#record(session, 'manual')
  }

  async stopRecording(sessionId: number): Promise<void> {
    await this.#stop('recording', sessionId)
  }

  hasTranscriber(): boolean {
    return this.#watch.hasWorker('transcription')
  }

  async startTranscription({ sessionId, tag }: SessionRef, wish: TranscriptionOptions): Promise<void> {
    // One whose worker is lost has no result any more (rule X8), and must not be in the way of another.
    await this.#stop('transcription', sessionId, job => this.#watch.isLost(job) || wasBegunBefore(job))
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    await this.#add({ kind: 'transcription', scope: 'manual', ...session, params: wish })
  }

  stopTranscription(sessionId: number): Promise<void> {
    return this.#stop('transcription', sessionId)
  }

  /** What workers of the account hold. */
  async heldBy(userId: number): Promise<Job[]> {
    const jobs = await this.#parts.store.goingOn()
    return jobs.filter(({ state }) => state.is === 'leased' && state.owner.userId === userId)
  }

  async lease(owner: JobOwner, kind: JobKind, holding: string[]): Promise<CommandData<'job.lease'>> {
    this.#watch.remember(kind, owner.userId)
    for (;;) {
      const job = await this.#parts.store.lease(kind, this.#lease(owner), holding)
      if (!job || job.attempts <= ATTEMPTS_MAX) return { job: job && presentJob(job) }
      await this.finish(owner, job.id, { outcome: 'failed', result: { reason: 'too_many_attempts' } })
    }
  }

  async held(owner: JobOwner, jobId: string): Promise<(SessionRef & { kind: JobKind }) | null> {
    const job = await this.#find(owner, jobId)
    return job && { sessionId: job.conferenceSessionId, tag: job.conferenceTag, kind: job.kind }
  }

  async renew(owner: JobOwner, jobId: string): Promise<CommandData<'job.renew'>> {
    return presentHeld(await this.#renew(owner, jobId))
  }

  async progress(
    owner: JobOwner,
    jobId: string,
    told: Pick<CommandBody<'job.progress'>, 'active' | 'details'>,
  ): Promise<CommandData<'job.progress'>> {
    const job = demandHeld(await this.#parts.store.progress(jobId, this.#lease(owner), told))
    this.#watch.remember(job.kind, owner.userId)
    void this.#watch.look()
    return presentHeld(job)
  }

  async transcribing(
    owner: JobOwner,
    jobId: string,
  ): Promise<{ sessionId: number; held: CommandData<'job.phrases'> }> {
    const job = await this.#renew(owner, jobId)
    return {
      sessionId: demandHeld(job.kind === 'transcription' ? job : null).conferenceSessionId,
      held: presentHeld(job),
    }
  }

  async finish(
    owner: JobOwner,
    jobId: string,
    end: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>,
  ): Promise<CommandData<'job.finish'>> {
    const { store, results, clock, log } = this.#parts
    const held = end.outcome === 'done' ? await this.#find(owner, jobId) : null
    if (held) await results[held.kind](held, end.result)
    const job = demandHeld(await store.finish(jobId, owner, end, clock()))
    void this.#watch.look()
    if (job.state.is === 'failed') log.error({ ...about(job), result: job.state.result }, 'a job failed')
    return { outcome: job.state.is === 'failed' ? 'failed' : 'done' }
  }

  async state(jobId: string): Promise<CommandData<'job.state'>> {
    return presentState(await this.#parts.store.find(jobId))
  }

  /** What fails is tried again for as long as the session goes on. */
  async #recordByItself(session: SessionRef): Promise<void> {
    const { sessions, log } = this.#parts
    const { sessionId } = session
    const isAgain = this.#unqueued.delete(sessionId)
    if (isAgain && (await sessions.locateById(sessionId)).is === 'none') return
    try {
      await this.#record(session, 'partner_auto')
    } catch (error) {
      this.#unqueued.set(sessionId, session)
      if (!isAgain)
        log.error({ err: error, conference_session_id: sessionId }, 'a recording could not be queued')
    }
  }

  async #record({ sessionId, tag }: SessionRef, scope: JobScope): Promise<void> {
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    await this.#add({ kind: 'recording', scope, ...session, params: this.#parts.recordingParams })
  }

  async #add(job: NewJob): Promise<void> {
    await this.#parts.store.add(job, this.#parts.clock())
    void this.#watch.look()
  }

  /** What the owner holds; null when they do not. */
  async #find({ userId, workerId }: JobOwner, jobId: string): Promise<Job | null> {
    const job = await this.#parts.store.find(jobId)
    if (job?.state.is !== 'leased') return null
    const { owner } = job.state
    return owner.userId === userId && owner.workerId === workerId ? job : null
  }

  async #stop(kind: JobKind, sessionId: number, isMeant: (job: Job) => boolean = () => true): Promise<void> {
    for (const job of await this.#parts.store.goingOn())
      if (job.kind === kind && job.conferenceSessionId === sessionId && isMeant(job))
        await this.#watch.stop(job)
  }

  async #renew(owner: JobOwner, jobId: string): Promise<Job> {
    const job = demandHeld(await this.#parts.store.renew(jobId, this.#lease(owner)))
    this.#watch.remember(job.kind, owner.userId)
    return job
  }

  #lease(owner: JobOwner): Lease {
    const nowMs = this.#parts.clock()
    return { owner, nowMs, untilMs: nowMs + LEASE_MS }
  }
}

/** By a process that is gone: the present one has not begun, but finds what the former has told. */
const wasBegunBefore = ({ state, details }: Job): boolean =>
  state.is === 'leased' && !state.active && Object.keys(details).length > 0

function demandHeld(job: Job | null): Job {
  ensure(job, 'not_held')
  return job
}
