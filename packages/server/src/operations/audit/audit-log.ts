import { Refusal } from '@lectern/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { AuditStore } from '../stores/audit.ts'
import type { AuditEntry, AuditFilter, AuditResult, StoredAuditEntry } from './ports.ts'

const DAY_MS = 86_400_000

/** The log of administrative actions (rules AUDIT-1 to AUDIT-6). */
export class AuditLog {
  readonly #store: AuditStore
  readonly #clock: Clock

  constructor(store: AuditStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Rejects when the row cannot be stored; then the action MUST NOT run. */
  begin(entry: AuditEntry): Promise<number> {
    return this.#store.begin(entry, this.#clock())
  }

  settle(id: number, result: AuditResult): Promise<void> {
    return this.#store.settle(id, result)
  }

  /** Runs an action between the two writes of its row, which stays `started` if the second one fails. */
  async run<T>(entry: AuditEntry, action: () => Promise<T>): Promise<T> {
    const id = await this.begin(entry)
    const settle = (result: AuditResult) => this.settle(id, result).catch(() => {}) // the action has happened
    try {
      const result = await action()
      await settle({ outcome: 'done', code: null })
      return result
    } catch (error) {
      await settle(resultOf(error))
      throw error
    }
  }

  list(
    filter: AuditFilter,
    page: { before?: number | undefined; limit: number },
  ): Promise<StoredAuditEntry[]> {
    return this.#store.list(filter, page)
  }

  sweep(days: number): Promise<number> {
    return this.#store.sweep(this.#clock() - days * DAY_MS)
  }
}

/** A refusal had no effect; after any other error the action may have been carried out in part. */
export const resultOf = (error: unknown): AuditResult =>
  error instanceof Refusal && error.code !== 'internal'
    ? { outcome: 'refused', code: error.code }
    : { outcome: 'failed', code: 'internal' }
