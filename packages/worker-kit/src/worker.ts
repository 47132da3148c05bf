import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs, coalesced } from '@lectern/common'
import type { JobKind, JobView } from '@lectern/protocol/control'
import { beginClock } from './clock.ts'
import { type Access, connect } from './connect.ts'
import { DISK_FULL_RETRY_MAX_MS, isDiskFull } from './disk-space.ts'
import { isInvalid, isTransient } from './failures.ts'
import { Attempt, type HeldJobParts, jobFolder, jobLogFields } from './held-job.ts'
import { OrphanedJobs } from './orphaned-jobs.ts'

export interface WorkerParts extends Access, Omit<HeldJobParts, 'connect' | 'drain'> {
  kind: JobKind
  /** How many jobs at once. */
  capacity: number
  languages?: readonly string[]
  formats?: readonly string[]
  /** Whether the folder of a job has content worth keeping; without it, none has. */
  hasCapturedMedia?: (folder: string) => Promise<boolean>
}

const POLL_INTERVAL_MS = 30_000
const SWEEP_INTERVAL_MS = 3_600_000
const TTL_MS = 10_000
const RETRY_AFTER_MS = 1_000
const RETRY_AFTER_MAX_MS = 60_000

/** Leases jobs of one kind, up to its capacity, and runs them. */
export class Worker {
  readonly #parts: WorkerParts
  readonly #drain = new AbortController()
  readonly #attempts = new Map<string, { attempt: Attempt; done: Promise<void> }>()
  /** Consecutive failures per job, for the back-off. */
  readonly #failures = new Map<string, number>()
  readonly #backingOff = new Set<string>()
  /** Whether the server has refused a lease that announces languages or formats: it is of an earlier version. */
  #isSilent = false
  #completed = 0
  #failedAttempts = 0
  readonly #fetchJobs = coalesced(() => this.#leaseJobs())
  readonly #polling: NodeJS.Timeout
  readonly #orphanedJobs: OrphanedJobs
  readonly #sweeping: NodeJS.Timeout

  constructor(parts: WorkerParts) {
    const { client } = parts
    this.#parts = parts
    this.#polling = setInterval(this.#fetchJobs, POLL_INTERVAL_MS)
    this.#orphanedJobs = this.#createOrphanedJobs()
    this.#sweeping = setInterval(this.#orphanedJobs.sweep, SWEEP_INTERVAL_MS)
    client.onEvent(({ name, body }) => {
      if (name === 'job.available' && body.kind === parts.kind) this.#fetchJobs()
      if (name === 'job.stopping') this.#attempts.get(String(body.job_id))?.attempt.lease.requestStop()
    })
    const onReady = () => {
      if (client.state.get().is !== 'ready') return
      this.#fetchJobs()
      this.#orphanedJobs.sweep()
    }
    client.state.subscribe(onReady)
    onReady()
  }

  /** The last two are counted since the start. */
  get jobs(): { running: number; backingOff: number; completed: number; failedAttempts: number } {
    return {
      running: this.#attempts.size,
      backingOff: this.#backingOff.size,
      completed: this.#completed,
      failedAttempts: this.#failedAttempts,
    }
  }

  /** Leases nothing new and gives running jobs some time to reach a resumable state. Safe to repeat. */
  async drain(withinMs: number): Promise<void> {
    clearInterval(this.#polling)
    clearInterval(this.#sweeping)
    this.#drain.abort()
    const all = Promise.all([...this.#attempts.values()].map(({ done }) => done))
    await Promise.race([all, sleep(withinMs, null, { ref: false })])
    this.#parts.client.close()
  }

  async #leaseJobs(): Promise<void> {
    const { capacity, log } = this.#parts
    try {
      while (!this.#drain.signal.aborted && this.#attempts.size < capacity) {
        const job = await this.#lease()
        if (!job || this.#drain.signal.aborted) return
        const isFirst = this.#attempts.size + this.#backingOff.size === 0
        await beginClock(jobFolder(this.#parts.folder, job), isFirst)
        this.#start(job)
      }
    } catch (error) {
      // Retried when the connection is ready again.
      if (!this.#drain.signal.aborted && !isTransient(error))
        log.warn({ err: error }, 'jobs could not be leased: retried when the connection is ready again')
    }
  }

  async #lease(): Promise<JobView | null> {
    const { client, kind, workerId, languages = [], formats = [] } = this.#parts
    const isAnnounced = languages.length + formats.length > 0 && !this.#isSilent
    const body = {
      worker_id: workerId,
      holding: [...this.#attempts.keys(), ...this.#backingOff],
      ...(isAnnounced && languages.length > 0 && { languages: [...languages] }),
      ...(isAnnounced && formats.length > 0 && { formats: [...formats] }),
    }
    try {
      const target = { kind: 'operation', id: kind } as const
      return (await client.command('job.lease', target, body, { ttlMs: TTL_MS })).job
    } catch (error) {
      if (!isAnnounced || !isInvalid(error)) throw error
      this.#isSilent = true
      return this.#lease()
    }
  }

  #start(job: JobView): void {
    const { log } = this.#parts
    const { job_id, attempt: count, conference_tag } = job
    log.info({ ...jobLogFields(job), attempt: count }, 'job started')
    const attempt = new Attempt(
      {
        ...this.#parts,
        connect: () => connect(this.#parts, jobLogFields(job), conference_tag),
        drain: this.#drain.signal,
      },
      job,
    )
    const done = attempt
      .run()
      .then(end => {
        this.#failures.delete(job_id)
        if (end === 'finished') this.#completed += 1
      })
      .catch(error => this.#retryLater(job, error))
      .finally(() => {
        this.#attempts.delete(job_id)
        this.#fetchJobs()
      })
    this.#attempts.set(job_id, { attempt, done })
  }

  /** The job remains leased to this worker until the lease expires; then any worker may take it. */
  #retryLater(job: JobView, error: unknown): void {
    const jobId = job.job_id
    if (this.#drain.signal.aborted) return
    this.#failedAttempts += 1
    const failures = (this.#failures.get(jobId) ?? 0) + 1
    const longestMs = isDiskFull(error) ? DISK_FULL_RETRY_MAX_MS : RETRY_AFTER_MAX_MS
    const waitMs = backoffMs(failures - 1, { firstMs: RETRY_AFTER_MS, maxMs: longestMs })
    const about = { err: error, ...jobLogFields(job), retry_in_ms: waitMs }
    this.#parts.log.error(about, 'job attempt failed: retried')
    this.#failures.set(jobId, failures)
    this.#backingOff.add(jobId)
    const again = () => {
      this.#backingOff.delete(jobId)
      this.#fetchJobs()
    }
    setTimeout(again, waitMs).unref()
  }

  #createOrphanedJobs(): OrphanedJobs {
    const { folder, hasCapturedMedia = async () => false, log } = this.#parts
    return new OrphanedJobs({
      folder: join(folder, 'jobs'),
      stateOf: async id => {
        const target = { kind: 'operation', id } as const
        return (await this.#parts.client.command('job.state', target, {}, { ttlMs: TTL_MS })).state
      },
      isActive: jobId => this.#attempts.has(jobId) || this.#backingOff.has(jobId),
      hasCapturedMedia,
      clock: Date.now,
      drain: this.#drain.signal,
      log,
    })
  }
}
