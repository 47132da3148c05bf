import { OFFICE_FORMAT } from '@lectern/protocol'
import { JOB_KINDS, type JobKind } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import type { JobStore } from '../stores/jobs.ts'
import { WORKER_RECORD_INTERVAL_MS, WORKER_TIMEOUT_MS } from './limits.ts'
import type { ActiveWorker, WorkerAbilities } from './ports.ts'

interface WorkerRegistryOptions {
  store: Pick<JobStore, 'recordWorker' | 'listWorkers'>
  clock: Clock
  log: Pick<Logger, 'error'>
}

type Activity = Pick<ActiveWorker, 'activeAtMs' | 'languages' | 'officeAtMs'>

/** What is further ahead is of a time before the clock was set back, and says nothing. */
export const isRecent = (atMs: number, nowMs: number): boolean => Math.abs(nowMs - atMs) <= WORKER_TIMEOUT_MS

const NEVER: Activity = { activeAtMs: 0, languages: [], officeAtMs: 0 }

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
   * The store learns of it now and then: other servers do not need to know the second. What is not announced stays as it
   * was announced last.
   */
  record(kind: JobKind, userId: number, announced: WorkerAbilities = {}): void {
    const { store, clock, log } = this.#parts
    const [now, key] = [clock(), `${kind} ${userId}`]
    const before = this.#workers[kind].get(userId) ?? NEVER
    const languages = announced.languages ?? before.languages
    // Several workers may share the account, and not all of them have LibreOffice.
    const isOffice = announced.formats?.includes(OFFICE_FORMAT) ?? this.#isRecent(before.officeAtMs)
    const activity = { activeAtMs: now, languages, officeAtMs: isOffice ? now : before.officeAtMs }
    this.#workers[kind].set(userId, activity)
    const storedAtMs = this.#storedAtMs.get(key) ?? Number.NEGATIVE_INFINITY
    const isStored = storedAtMs <= now && now - storedAtMs < WORKER_RECORD_INTERVAL_MS
    const isSame = languages.join() === before.languages.join()
    if (isStored && isSame && (!isOffice || this.#isRecent(before.officeAtMs))) return
    this.#storedAtMs.set(key, now)
    store.recordWorker({ kind, userId, ...activity }).catch((error: unknown) => {
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
    for (const { kind, userId, ...stored } of await store.listWorkers(clock() - WORKER_TIMEOUT_MS)) {
      if (!this.#isRecent(stored.activeAtMs)) continue
      const known = this.#workers[kind].get(userId) ?? NEVER
      const isLatest = stored.activeAtMs > known.activeAtMs || !this.#isRecent(known.activeAtMs)
      const officeAtMs = Math.max(...[stored.officeAtMs, known.officeAtMs].filter(this.#isRecent), 0)
      this.#workers[kind].set(userId, { ...(isLatest ? stored : known), officeAtMs })
    }
  }

  /** Whether a worker for such jobs was active recently. */
  hasActive(kind: JobKind): boolean {
    return this.#activeOf(kind).length > 0
  }

  /** Whether an active converter converts office documents. */
  convertsOffice(): boolean {
    return this.#activeOf('conversion').some(({ officeAtMs }) => this.#isRecent(officeAtMs))
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
    return [...this.#workers[kind].values()].filter(({ activeAtMs }) => this.#isRecent(activeAtMs))
  }

  #isRecent = (atMs: number): boolean => isRecent(atMs, this.#parts.clock())
}
