import { JOB_KINDS, type JobKind } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { WORKER_RECORD_INTERVAL_MS, WORKER_TIMEOUT_MS } from './limits.ts'
import type { ActiveWorker, JobStore } from './ports.ts'

interface Parts {
  store: Pick<JobStore, 'recordWorker' | 'listWorkers'>
  clock: Clock
  log: Pick<Logger, 'error'>
}

/** The accounts that ask for jobs on any server, and when they did last. */
export class WorkerRegistry {
  readonly #parts: Parts
  readonly #workers: Record<JobKind, Map<number, number>> = { recording: new Map(), transcription: new Map() }
  /** When the activity of a worker was stored last. */
  readonly #storedAtMs = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The store learns of it now and then: other servers do not need to know the second. */
  record(kind: JobKind, userId: number): void {
    const { store, clock, log } = this.#parts
    const [now, key] = [clock(), `${kind} ${userId}`]
    this.#workers[kind].set(userId, now)
    if (now - (this.#storedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < WORKER_RECORD_INTERVAL_MS) return
    this.#storedAtMs.set(key, now)
    store.recordWorker({ kind, userId, activeAtMs: now }).catch((error: unknown) => {
      this.#storedAtMs.delete(key)
      log.error({ err: error }, 'the activity of a worker could not be stored')
    })
  }

  /** Learns of the workers that are active on other servers. */
  async refresh(): Promise<void> {
    const { store, clock } = this.#parts
    for (const { kind, userId, activeAtMs } of await store.listWorkers(clock() - WORKER_TIMEOUT_MS))
      if (activeAtMs > (this.#workers[kind].get(userId) ?? 0)) this.#workers[kind].set(userId, activeAtMs)
  }

  /** Whether a worker for such jobs was active recently. */
  hasActive(kind: JobKind): boolean {
    const since = this.#parts.clock() - WORKER_TIMEOUT_MS
    return [...this.#workers[kind].values()].some(activeAtMs => activeAtMs >= since)
  }

  /** Those that have ever asked, since this server started. */
  accountsOf(kind: JobKind): number[] {
    return [...this.#workers[kind].keys()]
  }

  get all(): ActiveWorker[] {
    return JOB_KINDS.flatMap(kind =>
      [...this.#workers[kind]].map(([userId, activeAtMs]) => ({ kind, userId, activeAtMs })),
    )
  }
}
