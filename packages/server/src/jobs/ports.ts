import type { EventBody, JobKind, JobOutcome, JsonObject } from '@lectern/protocol/control'

/** Why there is a job: a partner's session began, or a moderator asked. */
export type JobScope = 'partner_auto' | 'manual'

export interface NewJob {
  kind: JobKind
  scope: JobScope
  conferenceSessionId: number
  conferenceTag: string
  params: JsonObject
}

/** Who leases: a worker keeps its id over its own restarts. */
export interface JobOwner {
  userId: number
  workerId: string
}

export type JobState =
  | { is: 'queued' }
  /** The owner holds it also past `untilMs`, as long as nobody else has leased it. */
  | { is: 'leased'; owner: JobOwner; untilMs: number; active: boolean }
  | { is: JobOutcome; owner: JobOwner; result: JsonObject }
  | { is: 'cancelled' }

export interface Job extends NewJob {
  /** `job_<hex>` */
  id: string
  state: JobState
  /** How often it was leased. */
  attempts: number
  /** Whoever works on it is to come to the end. */
  stopAsked: boolean
  /** What its worker told last. */
  details: JsonObject
}

export interface Lease {
  owner: JobOwner
  nowMs: number
  untilMs: number
}

export interface JobStore {
  /** The job of this kind that goes on in the session, made only if there was none: one that stops counts no more. */
  add(job: NewJob, nowMs: number): Promise<Job>
  find(id: string): Promise<Job | null>
  /** All that are queued or leased, oldest first. */
  goingOn(): Promise<Job[]>
  /**
   * One that its owner leased before and does not hold any more, else one that is free: queued, or its lease ran
   * out. Those that were tried least often come first. Null when there is none.
   */
  lease(kind: JobKind, lease: Lease, holding: string[]): Promise<Job | null>
  /** Null, here and below, when the owner does not hold it. */
  renew(id: string, lease: Lease): Promise<Job | null>
  /** Renews, too. */
  progress(
    id: string,
    lease: Lease,
    told: { active: boolean; details?: JsonObject | undefined },
  ): Promise<Job | null>
  /** The first end stays: repeated by its owner, it gives the job as it was finished. */
  finish(
    id: string,
    owner: JobOwner,
    end: { outcome: JobOutcome; result: JsonObject },
    nowMs: number,
  ): Promise<Job | null>
  /** Cancels what nobody has begun; asks for the end of what somebody has. False when there was nothing to do. */
  stop(id: string, nowMs: number): Promise<boolean>
  /** Removes those that ended before that time. */
  sweep(beforeMs: number): Promise<void>
}

/** Where sessions run. A job goes on while its session is open on any server. */
export interface SessionLocator {
  locateById(sessionId: number): Promise<{ is: 'local' | 'remote' | 'none' }>
}

/** What workers are told on the stream of their account. */
export type WorkerEvent = {
  [N in 'job.available' | 'job.stopping']: { name: N; body: EventBody<N> }
}['job.available' | 'job.stopping']
