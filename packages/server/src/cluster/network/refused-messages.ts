import type { Logger } from 'pino'
import { type Unreadable, VERSION } from './envelope.ts'

/** Members report themselves twice a second: one that was silent for longer is gone, or was updated. */
const INCOMPATIBLE_FOR_MS = 5_000
/** Refused messages of one sender are logged once in this time. */
const REPORT_INTERVAL_MS = 60_000
const SENDERS_MAX = 1_000

/** The messages of others that this member cannot read, or does not trust. */
export class RefusedMessages {
  readonly #log: Logger
  readonly #reportedAtMs = new Map<string, number>()
  /** Members that speak a newer version, by id. */
  readonly #newer = new Map<string, { version: number; seenAtMs: number }>()

  /** Senders without a valid signature, by the ids that they claim, and when they were seen. */
  readonly #strangers = new Map<string, number>()
  #repeated = 0

  constructor(log: Logger) {
    this.#log = log
  }

  /** Members that speak a newer version of the protocol than this program. */
  get incompatible(): { id: string; version: number }[] {
    const since = performance.now() - INCOMPATIBLE_FOR_MS
    for (const [id, { seenAtMs }] of this.#newer) if (seenAtMs < since) this.#newer.delete(id)
    return [...this.#newer].map(([id, { version }]) => ({ id, version }))
  }

  get strangers(): string[] {
    const since = performance.now() - INCOMPATIBLE_FOR_MS
    for (const [id, seenAtMs] of this.#strangers) if (seenAtMs < since) this.#strangers.delete(id)
    return [...this.#strangers.keys()]
  }

  /** How many messages were refused because they had been received before. */
  get repeated(): number {
    return this.#repeated
  }

  reportRepeated(from: string): void {
    this.#repeated += 1
    if (this.#isReportDue(`${from} repeated`))
      this.#log.warn(
        { from },
        'a message of another server came again, or after a later one, and was refused: somebody may repeat messages',
      )
  }

  report(subject: string, unreadable: Unreadable): void {
    const { from, why } = unreadable
    const nowMs = performance.now()
    if (unreadable.why === 'newer_version' && (this.#newer.has(from) || this.#newer.size < SENDERS_MAX))
      this.#newer.set(from, { version: unreadable.v, seenAtMs: nowMs })
    if (why === 'unsigned' && (this.#strangers.has(from) || this.#strangers.size < SENDERS_MAX))
      this.#strangers.set(from, nowMs)
    // A sender that cannot sign can claim any id.
    if (!this.#isReportDue(why === 'unsigned' ? why : `${from} ${why}`)) return
    if (unreadable.why === 'newer_version')
      this.#log.error(
        { from, why, speaks: unreadable.v, understands: VERSION },
        'a member speaks a newer protocol between servers than this one, which refuses its messages: update this one',
      )
    else if (why === 'unsigned')
      this.#log.error(
        { from, subject, why },
        'a server has another JwtSecret, or somebody else sends messages between servers: they are refused',
      )
    else this.#log.warn({ from, subject, why }, 'a message of another server was refused')
  }

  #isReportDue(key: string): boolean {
    const nowMs = performance.now()
    if (nowMs - (this.#reportedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS) return false
    if (this.#reportedAtMs.size > SENDERS_MAX) this.#reportedAtMs.clear()
    this.#reportedAtMs.set(key, nowMs)
    return true
  }
}
