import type {
  CommandBody,
  CommandData,
  EventBody,
  JobKind,
  JobOutcome,
  JsonObject,
} from '@lectern/protocol/control'
import type { SessionRef } from '../../sessions/ports.ts'

/** The origin of a job: the beginning of a partner's session, or a moderator. */
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
  /** The last report of the worker. */
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
export interface LeaseRequest {
  kind: JobKind
  /** The jobs that it runs already. */
  holding: readonly string[]
  /** Leases that ran out until then are free for others. */
  expiredAtMs: number
  /** As those that last longer, from before the clock was set back. Absent: none. */
  impossibleAfterMs?: number
  /** Only jobs that request one of these languages, or none. Absent: any job. */
  languages?: readonly string[] | undefined
  /** Only jobs for one of these formats, or for none. */
  formats?: readonly string[] | undefined
}

/** The abilities of a worker that asks for a job. */
export interface WorkerAbilities {
  /** The languages that a transcriber recognises (BCP 47). */
  languages?: readonly string[] | undefined
  /** The formats that a converter converts beside PDF and images. */
  formats?: readonly string[] | undefined
}

export interface Lease {
  owner: JobOwner
  nowMs: number
  untilMs: number
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
  /** Languages of a transcriber (BCP 47); empty: not announced. */
  languages: readonly string[]
  /** The time at which a converter of the account said last that it converts office documents; 0: never. */
  officeAtMs: number
}

/** The sessions of this server, whose jobs it schedules. */
export interface OwnSessions {
  /** The owner as it is stored with its sessions; null while it runs none. */
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
  lease(
    worker: JobOwner,
    kind: JobKind,
    holding: string[],
    abilities?: WorkerAbilities,
  ): Promise<CommandData<'job.lease'>>
  /** The session and the kind of the job, if the worker holds it. */
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
  /** The ids that the partner of the job's room has for accounts. */
  people(worker: JobOwner, jobId: string, userIds: string[]): Promise<CommandData<'job.people'>>
  /** The state of any job, even one of another worker. */
  state(jobId: string): Promise<CommandData<'job.state'>>
}
