import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobKind, JobView } from '@lectern/protocol/control'
import { type Access, connect } from './connect.ts'
import { isPassing } from './failures.ts'
import { Attempt, type HeldJobParts } from './held-job.ts'
import { Leftovers } from './leftovers.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { isNoRoom, WITHOUT_ROOM_MAX_MS } from './room.ts'

export interface WorkerParts extends Access, Omit<HeldJobParts, 'connect' | 'drain'> {
  kind: JobKind
  /** How many jobs at once. */
  capacity: number
  /** Whether somebody could miss what is in the folder of a job; if it is not given, nobody does. */
  isWorthKeeping?: (folder: string) => Promise<boolean>
}

const ASK_EVERY_MS = 30_000
const SWEEP_EVERY_MS = 3_600_000
const TTL_MS = 10_000
const RETRY_AFTER_MS = 1_000
const RETRY_AFTER_MAX_MS = 60_000

/** Takes jobs of one kind, as many as it has room for, and does them. */
export class Worker {
  readonly #parts: WorkerParts
  readonly #drain = new AbortController()
  readonly #attempts = new Map<string, { attempt: Attempt; done: Promise<void> }>()
  /** Jobs that went wrong lately, and how often: they wait before they are tried again. */
  readonly #failures = new Map<string, number>()
  readonly #resting = new Set<string>()
  readonly #fetch = oneAtATime(() => this.#takeJobs())
  readonly #asking: NodeJS.Timeout
  readonly #leftovers: Leftovers
  readonly #sweeping: NodeJS.Timeout

  constructor(parts: WorkerParts) {
    const { client } = parts
    this.#parts = parts
    this.#asking = setInterval(this.#fetch, ASK_EVERY_MS)
    this.#leftovers = this.#findLeftovers()
    this.#sweeping = setInterval(this.#leftovers.sweep, SWEEP_EVERY_MS)
    client.onEvent(({ name, body }) => {
      if (name === 'job.available' && body.kind === parts.kind) this.#fetch()
      if (name === 'job.stopping') this.#attempts.get(String(body.job_id))?.attempt.lease.askToStop()
    })
    const look = () => {
      if (client.state.get().is !== 'ready') return
      this.#fetch()
      this.#leftovers.sweep()
    }
    client.state.subscribe(look)
    look()
  }

  /** Takes nothing new, and gives those at work some time to leave everything in order. Safe to repeat. */
  async drain(withinMs: number): Promise<void> {
    clearInterval(this.#asking)
    clearInterval(this.#sweeping)
    this.#drain.abort()
    const all = Promise.all([...this.#attempts.values()].map(({ done }) => done))
    await Promise.race([all, sleep(withinMs, null, { ref: false })])
    this.#parts.client.close()
  }

  async #takeJobs(): Promise<void> {
    const { kind, workerId, capacity, log } = this.#parts
    const target = { kind: 'operation', id: kind } as const
    try {
      while (!this.#drain.signal.aborted && this.#attempts.size < capacity) {
        const holding = [...this.#attempts.keys(), ...this.#resting]
        const body = { worker_id: workerId, holding }
        const { job } = await this.#parts.client.command('job.lease', target, body, { ttlMs: TTL_MS })
        if (!job || this.#drain.signal.aborted) return
        this.#begin(job)
      }
    } catch (error) {
      // Once the server is there again, it is asked again.
      if (!this.#drain.signal.aborted && !isPassing(error))
        log.warn({ err: error }, 'no jobs could be asked for')
    }
  }

  #begin(job: JobView): void {
    const { log } = this.#parts
    const { job_id, attempt: count, conference_session_id } = job
    log.info({ job_id, attempt: count, conference_session_id }, 'a job begins')
    const attempt = new Attempt(
      { ...this.#parts, connect: () => connect(this.#parts, { job_id }), drain: this.#drain.signal },
      job,
    )
    const done = attempt
      .run()
      .then(() => void this.#failures.delete(job_id))
      .catch(error => this.#rest(job_id, error))
      .finally(() => {
        this.#attempts.delete(job_id)
        this.#fetch()
      })
    this.#attempts.set(job_id, { attempt, done })
  }

  /** The job stays this worker's for the length of a lease; whoever is sooner takes it. */
  #rest(jobId: string, error: unknown): void {
    if (this.#drain.signal.aborted) return
    const failures = (this.#failures.get(jobId) ?? 0) + 1
    const longestMs = isNoRoom(error) ? WITHOUT_ROOM_MAX_MS : RETRY_AFTER_MAX_MS
    const waitMs = Math.min(RETRY_AFTER_MS * 2 ** (failures - 1), longestMs)
    this.#parts.log.error({ err: error, job_id: jobId, retry_in_ms: waitMs }, 'a job went wrong')
    this.#failures.set(jobId, failures)
    this.#resting.add(jobId)
    const again = () => {
      this.#resting.delete(jobId)
      this.#fetch()
    }
    setTimeout(again, waitMs).unref()
  }

  #findLeftovers(): Leftovers {
    const { folder, isWorthKeeping = async () => false, log } = this.#parts
    return new Leftovers({
      folder: join(folder, 'jobs'),
      stateOf: async id => {
        const target = { kind: 'operation', id } as const
        return (await this.#parts.client.command('job.state', target, {}, { ttlMs: TTL_MS })).state
      },
      isAtWork: jobId => this.#attempts.has(jobId) || this.#resting.has(jobId),
      isWorthKeeping,
      clock: Date.now,
      drain: this.#drain.signal,
      log,
    })
  }
}
