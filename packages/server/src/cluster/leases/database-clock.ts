import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'

/** Clocks that are set by NTP differ by less; what servers compare with each other needs no more. */
const TOLERANCE_MS = 1_000

/** The time of the database, independent of the clock of this machine (rule LEASE-10). */
export class DatabaseClock {
  readonly #local: Clock
  readonly #log: Pick<Logger, 'warn'>
  readonly #monotonicMs: () => number
  #offsetMs = 0

  constructor(local: Clock, log: Pick<Logger, 'warn'>, monotonicMs: () => number = () => performance.now()) {
    this.#local = local
    this.#log = log
    this.#monotonicMs = monotonicMs
  }

  readonly now: Clock = () => this.#local() + this.#offsetMs

  /** MUST be called every few seconds: clocks are set, and databases move to other machines. */
  async adjust(readDatabase: () => Promise<number>): Promise<void> {
    const before = { localMs: this.#local(), atMs: this.#monotonicMs() }
    const databaseMs = await readDatabase()
    const halfTripMs = (this.#monotonicMs() - before.atMs) / 2
    const differenceMs = Math.round(databaseMs - halfTripMs - before.localMs)
    const isNear = (offsetMs: number) => Math.abs(differenceMs - offsetMs) <= TOLERANCE_MS + halfTripMs
    if (isNear(this.#offsetMs)) return
    this.#offsetMs = isNear(0) ? 0 : differenceMs
    const about = { database_is_ahead_ms: differenceMs }
    if (this.#offsetMs === 0) this.#log.warn(about, 'the clock of this machine is right again')
    else
      this.#log.warn(
        about,
        'the clock of this machine differs from that of the database, which is used instead',
      )
  }
}
