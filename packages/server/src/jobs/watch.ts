import { Mutex } from '@lectern/common'
import type { JobKind } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { DomainEvents } from '../domain-events.ts'
import { LATE_MS, WORKER_KEPT_MS } from './limits.ts'
import type { Job, JobState, JobStore, SessionLocator, WorkerEvent } from './ports.ts'

export interface WatchParts {
  store: JobStore
  sessions: SessionLocator
  domainEvents: DomainEvents
  /** Nothing happens when nobody hears it. */
  workers: { publishToAccount(userId: number, event: WorkerEvent): void }
  clock: Clock
  log: Logger
}

/**
 * Reads which jobs go on, and brings to everybody's notice what that means: the store holds the truth, so nothing
 * that was missed stays missed.
 */
export class Watch {
  readonly #parts: WatchParts
  /** Accounts that have asked for jobs of a kind, and when they were heard last. */
  readonly #workers: Record<JobKind, Map<number, number>> = { recording: new Map(), transcription: new Map() }
  /** Jobs that are free, and since when. */
  readonly #free = new Map<string, { sinceMs: number; isLate: boolean }>()
  /** Sessions that a worker is active in. */
  readonly #active: Record<JobKind, Set<number>> = { recording: new Set(), transcription: new Set() }
  /** What went on at the last look. */
  #seen: Job[] = []
  readonly #mutex = new Mutex()

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** From now on the account is told of jobs of the kind. */
  remember(kind: JobKind, userId: number): void {
    this.#workers[kind].set(userId, this.#parts.clock())
  }

  /** Whether somebody who does such jobs was heard lately. */
  hasWorker(kind: JobKind): boolean {
    const since = this.#parts.clock() - WORKER_KEPT_MS
    return [...this.#workers[kind].values()].some(heardMs => heardMs >= since)
  }

  /** How many went on at the last look. */
  count(kind: JobKind, state: JobState['is']): number {
    return this.#seen.filter(job => job.kind === kind && job.state.is === state).length
  }

  /** Since when a job is known to wait for a worker; null when none does. */
  get oldestFreeMs(): number | null {
    const since = [...this.#free.values()].map(({ sinceMs }) => sinceMs)
    return since.length > 0 ? Math.min(...since) : null
  }

  /** Whether somebody has begun it, and was not heard for too long. */
  isLost(job: Job): boolean {
    return job.state.is === 'leased' && this.#isFree(job)
  }

  /** One look after another, so that nobody is told of what was before what they know. */
  look(): Promise<void> {
    return this.#mutex
      .run(() => this.#look())
      .catch(error => this.#parts.log.error({ err: error }, 'jobs could not be looked after'))
  }

  /** Cancels what nobody has begun; tells the worker of what somebody has. */
  async stop({ id, state }: Job): Promise<void> {
    const { store, clock, workers } = this.#parts
    const isNews = await store.stop(id, clock())
    if (isNews && state.is === 'leased')
      workers.publishToAccount(state.owner.userId, { name: 'job.stopping', body: { job_id: id } })
  }

  async #look(): Promise<void> {
    const { store, sessions } = this.#parts
    for (const job of await store.goingOn())
      if (!job.stopAsked && (await sessions.locateById(job.conferenceSessionId)).is === 'none')
        await this.stop(job)
    const jobs = await store.goingOn()
    this.#seen = jobs
    this.#reportActivity('recording', jobs)
    this.#reportActivity('transcription', jobs)
    this.#offer(jobs)
  }

  #reportActivity(kind: JobKind, jobs: Job[]): void {
    const report = (sessionId: number, isActive: boolean) =>
      this.#parts.domainEvents.publish('job-activity-reported', { sessionId, kind, isActive })
    const before = this.#active[kind]
    const active = jobs.filter(job => job.kind === kind && this.#isActive(job))
    this.#active[kind] = new Set(active.map(job => job.conferenceSessionId))
    for (const id of before) if (!this.#active[kind].has(id)) report(id, false)
    for (const id of this.#active[kind]) report(id, true)
  }

  #offer(jobs: Job[]): void {
    const free = jobs.filter(job => this.#isFree(job))
    const ids = new Set(free.map(({ id }) => id))
    for (const id of this.#free.keys()) if (!ids.has(id)) this.#free.delete(id)
    for (const job of free) {
      const known = this.#free.get(job.id)
      if (!known) this.#announce(job)
      else if (!known.isLate && this.#parts.clock() - known.sinceMs >= LATE_MS) {
        known.isLate = true
        this.#parts.log.warn(about(job), 'no worker takes a job; it waits for one')
      }
    }
  }

  #announce(job: Job): void {
    const { clock, log, workers } = this.#parts
    this.#free.set(job.id, { sinceMs: clock(), isLate: false })
    if (job.state.is === 'leased') log.warn(about(job), 'the lease of a job ran out')
    for (const userId of this.#workers[job.kind].keys())
      workers.publishToAccount(userId, { name: 'job.available', body: { kind: job.kind } })
  }

  #isFree = ({ state }: Job) =>
    state.is === 'queued' || (state.is === 'leased' && state.untilMs <= this.#parts.clock())

  #isActive = (job: Job) => job.state.is === 'leased' && job.state.active && !this.#isFree(job)
}

/** What a log says of a job. */
export const about = ({ id, kind, scope, conferenceSessionId, attempts }: Job) => ({
  job_id: id,
  kind,
  scope,
  conference_session_id: conferenceSessionId,
  attempts,
})
