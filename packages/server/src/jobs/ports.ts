import type {
  CommandBody,
  CommandData,
  EventBody,
  JobKind,
  JobOutcome,
  JsonObject,
} from '@lectern/protocol/control'
import type { SessionLease, SessionRef } from '../sessions/ports.ts'

/** What started a job: the beginning of a partner's session, or a moderator. */
export type JobScope = 'partner_auto' | 'manual'

export interface NewJob {
  kind: JobKind
  scope: JobScope
  conferenceSessionId: number
  conferenceTag: string
  params: JsonObject
  /** The attempts of the job that it continues. */
  attempts?: number
}

/** The holder of a lease. A worker keeps its id across its restarts. */
export interface JobOwner {
  userId: number
  workerId: string
}

export type JobState =
  | { is: 'queued' }
  /** The owner holds it beyond `untilMs` until another worker leases it. */
  | { is: 'leased'; owner: JobOwner; untilMs: number; active: boolean }
  | { is: JobOutcome; owner: JobOwner; result: JsonObject }
  | { is: 'cancelled' }

export interface Job extends NewJob {
  /** `job_<hex>` */
  id: string
  state: JobState
  /** The number of leases so far. */
  attempts: number
  /** The worker is requested to finish. */
  stopRequested: boolean
  /** As last reported by the worker. */
  details: JsonObject
  createdAtMs: number
}

/** An unfinished job, and what its session says about it. */
export interface ScheduledJob extends Job {
  isSessionOpen: boolean
  /** Whether its holder has renewed its lease since the session was restored or acquired last. */
  isConfirmed: boolean
}

/** The request of a worker for a job. */
interface LeaseRequest {
  kind: JobKind
  /** The jobs that it runs already. */
  holding: readonly string[]
  /** Leases that ran out until then are free for others. */
  expiredAtMs: number
  /** Only jobs that request one of these languages, or none. Absent: any job. */
  languages?: readonly string[] | undefined
}

export interface Lease {
  owner: JobOwner
  nowMs: number
  untilMs: number
}

export interface JobStore {
  /** The unfinished job of this kind in the session, created if there is none; a job that stops does not count. */
  add(job: NewJob, nowMs: number): Promise<Job>
  /** As add, for a session of this server. Null: its lease is not held any more, and nothing was stored. */
  addUnder(lease: SessionLease, job: NewJob, nowMs: number): Promise<Job | null>
  find(id: string): Promise<Job | null>
  /** Queued and leased jobs, oldest first: of a session, or those that workers of an account hold. */
  listUnfinished(of: { sessionId: number } | { heldBy: number }): Promise<Job[]>
  /** Queued and leased jobs of the sessions of an owner, and of those that have ended, oldest first. */
  listScheduled(sessionOwner: string | null): Promise<ScheduledJob[]>
  /** The queued and leased jobs of all sessions. */
  countUnfinished(): Promise<JobCount[]>
  /**
   * Leases a job that the owner held before and has lost track of, else a free one: queued, or with an expired lease.
   * Jobs with the fewest attempts come first. Null when there is none.
   */
  lease(request: LeaseRequest, lease: Lease): Promise<Job | null>
  /** Null, as below, when the owner does not hold the job. */
  renew(id: string, lease: Lease): Promise<Job | null>
  /** Also renews the lease. */
  progress(
    id: string,
    lease: Lease,
    report: { active: boolean; details?: JsonObject | undefined },
  ): Promise<Job | null>
  /**
   * The first outcome is final; when its owner repeats the call, it returns the finished job. `isInterrupted`: another job
   * continues it, unless it was requested to stop or its session has ended.
   */
  finish(
    id: string,
    owner: JobOwner,
    end: { outcome: JobOutcome; result: JsonObject; isInterrupted?: boolean },
    nowMs: number,
  ): Promise<Job | null>
  /** Cancels a queued job; requests a leased one to stop. False when nothing changed. */
  stop(id: string, nowMs: number): Promise<boolean>
  /** Removes jobs that ended before that time, and workers that were not active since. */
  sweep(beforeMs: number): Promise<void>
  /** Keeps the latest time for each account and kind, and the languages that were announced last. */
  recordWorker(worker: ActiveWorker): Promise<void>
  /** Those that were active since that time, on any server. */
  listWorkers(sinceMs: number): Promise<ActiveWorker[]>
}

export interface JobCount {
  kind: JobKind
  state: 'queued' | 'leased'
  count: number
}

/** An account that polls for jobs of a kind, and the time of the last poll. */
export interface ActiveWorker {
  kind: JobKind
  userId: number
  activeAtMs: number
  /** Of a transcriber, BCP 47; empty: not announced. */
  languages: readonly string[]
}

/** The sessions of this server, whose jobs it schedules. */
export interface OwnSessions {
  /** As stored with its sessions; null while it runs none. */
  readonly owner: string | null
}

/** Published on the stream of a worker's account. */
export type WorkerEvent = {
  [N in 'job.available' | 'job.stopping']: { name: N; body: EventBody<N> }
}['job.available' | 'job.stopping']

/**
 * The jobs as workers use them. The caller has checked that the account may do jobs of the kind; what is about a
 * job that the worker does not hold throws a Refusal.
 */
export interface WorkerJobs {
  /** `languages`: what a transcriber recognises. */
  lease(
    worker: JobOwner,
    kind: JobKind,
    holding: string[],
    languages?: readonly string[],
  ): Promise<CommandData<'job.lease'>>
  /** Its session and its kind, if the worker holds it. */
  held(worker: JobOwner, jobId: string): Promise<(SessionRef & { kind: JobKind }) | null>
  renew(worker: JobOwner, jobId: string): Promise<CommandData<'job.renew'>>
  progress(
    worker: JobOwner,
    jobId: string,
    report: Pick<CommandBody<'job.progress'>, 'active' | 'details'>,
  ): Promise<CommandData<'job.progress'>>
  /** Renews, too. */
  transcribing(
    worker: JobOwner,
    jobId: string,
  ): Promise<{ sessionId: number; held: CommandData<'job.phrases'> }>
  finish(
    worker: JobOwner,
    jobId: string,
    end: Pick<CommandBody<'job.finish'>, 'outcome' | 'result'>,
  ): Promise<CommandData<'job.finish'>>
  /** Of any job, also of other workers. */
  state(jobId: string): Promise<CommandData<'job.state'>>
}
