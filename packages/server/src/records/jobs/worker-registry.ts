import { JOB_KINDS, type JobKind } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { JobStore } from '../stores/jobs.ts'
import { WORKER_RECORD_INTERVAL_MS, WORKER_TIMEOUT_MS } from './limits.ts'
import type { ActiveWorker } from './ports.ts'

interface WorkerRegistryOptions {
  store: Pick<JobStore, 'recordWorker' | 'listWorkers'>
  clock: Clock
  log: Pick<Logger, 'error'>
}

type Activity = Pick<ActiveWorker, 'activeAtMs' | 'languages'>

/** The accounts that poll for jobs on any server, their last poll, and the capabilities of their workers. */
export class WorkerRegistry {
  readonly #parts: WorkerRegistryOptions
  readonly #workers: Record<JobKind, Map<number, Activity>> = {
    recording: new Map(),
    transcription: new Map(),
    conversion: new Map(),
  }
  /** When the activity of a worker was stored last. */
  readonly #storedAtMs = new Map<string, number>()

  constructor(parts: WorkerRegistryOptions) {
    this.#parts = parts
  }

  /**
   * The store learns of it now and then: other servers do not need to know the second. Without `languages` the last ones
   * count.
   */
  record(kind: JobKind, userId: number, announced?: readonly string[]): void {
    const { store, clock, log } = this.#parts
    const [now, key] = [clock(), `${kind} ${userId}`]
    const before = this.#workers[kind].get(userId)?.languages ?? []
    const languages = announced ?? before
    this.#workers[kind].set(userId, { activeAtMs: now, languages })
    const isRecent = now - (this.#storedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < WORKER_RECORD_INTERVAL_MS
    if (isRecent && languages.join() === before.join()) return
    this.#storedAtMs.set(key, now)
    store.recordWorker({ kind, userId, activeAtMs: now, languages }).catch((error: unknown) => {
      this.#storedAtMs.delete(key)
      log.error(
        { err: error },
        'the activity of a worker could not be stored: other servers may not offer it jobs',
      )
    })
  }

  /** Learns of the workers that are active on other servers. */
  async refresh(): Promise<void> {
    const { store, clock } = this.#parts
    for (const { kind, userId, activeAtMs, languages } of await store.listWorkers(
      clock() - WORKER_TIMEOUT_MS,
    ))
      if (activeAtMs > (this.#workers[kind].get(userId)?.activeAtMs ?? 0))
        this.#workers[kind].set(userId, { activeAtMs, languages })
  }

  /** Whether a worker for such jobs was active recently. */
  hasActive(kind: JobKind): boolean {
    return this.#activeOf(kind).length > 0
  }

  /** Languages that active transcribers recognise, sorted. Null: unknown, because one of them has announced none. */
  languages(): string[] | null {
    const active = this.#activeOf('transcription')
    if (active.some(({ languages }) => languages.length === 0)) return null
    return [...new Set(active.flatMap(({ languages }) => languages))].sort()
  }

  /** All that have polled since this server started. */
  accountsOf(kind: JobKind): number[] {
    return [...this.#workers[kind].keys()]
  }

  get all(): ActiveWorker[] {
    return JOB_KINDS.flatMap(kind =>
      [...this.#workers[kind]].map(([userId, activity]) => ({ kind, userId, ...activity })),
    )
  }

  #activeOf(kind: JobKind): Activity[] {
    const since = this.#parts.clock() - WORKER_TIMEOUT_MS
    return [...this.#workers[kind].values()].filter(({ activeAtMs }) => activeAtMs >= since)
  }
}
