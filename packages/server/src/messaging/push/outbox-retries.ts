import type { Logger } from 'pino'
import { type Clock, steadyClock } from '../../platform/clock.ts'

interface OutboxRetriesOptions {
  clock: Clock
  log: Pick<Logger, 'error'>
}

/** After the attempts that fail. What fails after the last one as well is given up. */
const DELAYS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000]

/** Retries the entries of an outbox: a failure delays no other entry, and is given up after some attempts. */
export class OutboxRetries<K extends string | number> {
  readonly #parts: OutboxRetriesOptions
  readonly #monotonicMs: Clock
  readonly #failed = new Map<K, { attempts: number; nextAtMs: number }>()

  constructor(parts: OutboxRetriesOptions) {
    this.#parts = parts
    this.#monotonicMs = steadyClock(parts.clock)
  }

  /** Entries that wait for another attempt. */
  get waiting(): number {
    return this.#failed.size
  }

  /** True when the entry needs nothing more: it was handled, or is given up. */
  async attempt(entry: K, handle: () => Promise<void>): Promise<boolean> {
    const { log } = this.#parts
    const { attempts, nextAtMs } = this.#failed.get(entry) ?? { attempts: 0, nextAtMs: 0 }
    if (this.#monotonicMs() < nextAtMs) return false
    this.#failed.delete(entry)
    try {
      await handle()
      return true
    } catch (err) {
      const delayMs = DELAYS_MS[attempts]
      const isGivenUp = delayMs === undefined
      if (!isGivenUp)
        this.#failed.set(entry, { attempts: attempts + 1, nextAtMs: this.#monotonicMs() + delayMs })
      const about = { err, entry, attempt: attempts + 1, given_up: isGivenUp }
      log.error(about, 'the notifications of an event could not be stored: retried unless given up')
      return isGivenUp
    }
  }

  /** Forgets all others: another process has handled them. */
  retain(entries: readonly K[]): void {
    const present = new Set(entries)
    for (const entry of this.#failed.keys()) if (!present.has(entry)) this.#failed.delete(entry)
  }
}
