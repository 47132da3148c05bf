import { coalesced } from '@lectern/common'
import type { JobKind } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { DomainEvents } from '../../domain-events.ts'
import { type Clock, steadyClock } from '../../platform/clock.ts'
import type { JobStore } from '../stores/jobs.ts'
import { LeaseGracePeriod } from './lease-grace-period.ts'
import { UNTAKEN_WARNING_MS } from './limits.ts'
import type { Job, OwnSessions, ScheduledJob, WorkerEvent } from './ports.ts'
import { WorkerRegistry } from './worker-registry.ts'

export interface JobSchedulerParts {
  store: JobStore
  sessions: OwnSessions
  domainEvents: DomainEvents
  workers: { publishToAccount(userId: number, event: WorkerEvent): void }
  clock: Clock
  log: Logger
}

/** Kinds of jobs that end with their session, and of which participants learn. */
type SessionJobKind = Exclude<JobKind, 'conversion'>

/**
 * Polls the unfinished jobs of the sessions of this server, reports the activity of workers and notifies workers of free
 * jobs; jobs of ended sessions are cancelled by whichever server is first. The store is authoritative, so the next poll
 * makes up for a missed notification.
 */
export class JobScheduler {
  readonly #parts: JobSchedulerParts
  /** The workers that poll for jobs, here and on other servers. */
  readonly workers: WorkerRegistry
  /** Of the times since which jobs wait. */
  readonly #steadyMs: Clock
  /** Jobs that no worker holds. */
  readonly #free = new Map<string, { sinceMs: number; isLate: boolean }>()
  /** Sessions with an active worker. */
  readonly #active: Record<SessionJobKind, Set<number>> = { recording: new Set(), transcription: new Set() }
  readonly #gracePeriod = new LeaseGracePeriod()
  #isClosed = false

  constructor(parts: JobSchedulerParts) {
    this.#parts = parts
    this.#steadyMs = steadyClock(parts.clock)
    this.workers = new WorkerRegistry(parts)
  }

  /** How long the oldest free job has been waiting; 0 when none does. */
  get longestWaitMs(): number {
    const nowMs = this.#steadyMs()
    return Math.max(0, ...[...this.#free.values()].map(({ sinceMs }) => nowMs - sinceMs))
  }

  /** Which leases are free for others. */
  get expired() {
    return this.#gracePeriod.expired(this.#parts.clock())
  }

  /** Whether its lease has expired. */
  hasLostWorker(job: Job): boolean {
    return job.state.is === 'leased' && this.#isFree(job)
  }

  /** Polls run one after another, so that notifications keep their order; however often one is requested, one more. */
  readonly poll = coalesced(() =>
    this.#poll().catch(error =>
      this.#parts.log.error(
        { err: error },
        'jobs could not be read: workers get no new ones until the database answers',
      ),
    ),
  )

  /** Polls that are still requested read nothing: the store may be closed. */
  close(): void {
    this.#isClosed = true
  }

  /** Cancels a queued job; requests the worker of a leased one to stop. */
  async stop({ id, state }: Job): Promise<void> {
    const { store, clock, workers } = this.#parts
    const isChanged = await store.stop(id, clock())
    if (isChanged && state.is === 'leased')
      workers.publishToAccount(state.owner.userId, { name: 'job.stopping', body: { job_id: id } })
  }

  async #poll(): Promise<void> {
    if (this.#isClosed) return
    const { store, sessions, clock } = this.#parts
    await this.workers.refresh()
    const scheduled = await store.listScheduled(sessions.owner)
    this.#gracePeriod.onReached(clock())
    const jobs: ScheduledJob[] = []
    for (const job of scheduled) {
      const isDue = job.kind !== 'conversion' && !job.isSessionOpen && !job.stopRequested
      if (isDue) await this.stop(job)
      if (!isDue || job.state.is === 'leased') jobs.push(job)
    }
    this.#reportActivity('recording', jobs)
    this.#reportActivity('transcription', jobs)
    this.#trackFreeJobs(jobs)
  }

  #reportActivity(kind: SessionJobKind, jobs: ScheduledJob[]): void {
    const report = (sessionId: number, isActive: boolean) =>
      this.#parts.domainEvents.publish('job-activity-reported', { sessionId, kind, isActive })
    const before = this.#active[kind]
    const active = jobs.filter(job => job.kind === kind && this.#isActive(job))
    this.#active[kind] = new Set(active.map(job => job.conferenceSessionId))
    for (const id of before) if (!this.#active[kind].has(id)) report(id, false)
    for (const id of this.#active[kind]) report(id, true)
  }

  #trackFreeJobs(jobs: Job[]): void {
    const nowMs = this.#steadyMs()
    const free = jobs.filter(job => this.#isFree(job))
    const ids = new Set(free.map(({ id }) => id))
    for (const id of this.#free.keys()) if (!ids.has(id)) this.#free.delete(id)
    const [lost, late]: [Job[], Job[]] = [[], []]
    for (const job of free) {
      const known = this.#free.get(job.id)
      if (!known) {
        if (job.state.is === 'leased') lost.push(job)
        this.#free.set(job.id, { sinceMs: nowMs, isLate: false })
        this.#notifyWorkers(job)
      } else if (!known.isLate && nowMs - known.sinceMs >= UNTAKEN_WARNING_MS) {
        known.isLate = true
        late.push(job)
      }
    }
    this.#warn(
      lost,
      'the lease of a job expired: its worker no longer renews it, and another one may continue',
    )
    this.#warn(late, 'no worker takes a job: it remains queued until one with the capability connects')
  }

  /** One line for each kind: thousands of sessions may miss their worker in the same second. */
  #warn(jobs: Job[], text: string): void {
    for (const [kind, [first, ...others] = []] of Map.groupBy(jobs, ({ kind }) => kind))
      if (first) this.#parts.log.warn({ ...jobLogFields(first), kind, others: others.length }, text)
  }

  #notifyWorkers(job: Job): void {
    const { workers } = this.#parts
    for (const userId of this.workers.accountsOf(job.kind))
      workers.publishToAccount(userId, { name: 'job.available', body: { kind: job.kind } })
  }

  #isFree({ state }: Job): boolean {
    if (state.is !== 'leased') return state.is === 'queued'
    const { expiredAtMs, impossibleAfterMs } = this.expired
    return state.untilMs <= expiredAtMs || state.untilMs > impossibleAfterMs
  }

  /** A worker that has died together with the server of its session is not active until it is back. */
  #isActive = (job: ScheduledJob) =>
    job.state.is === 'leased' && job.state.active && job.isConfirmed && !this.#isFree(job)
}

export const jobLogFields = ({ id, kind, scope, conferenceSessionId, attempts }: Job) => ({
  job_id: id,
  kind,
  scope,
  conference_session_id: conferenceSessionId,
  attempts,
})
