import { type Clock, steadyClock } from '../../platform/clock.ts'

/** Until a device that has vanished is noticed, nobody waits for its return any more, and its account counts as offline. */
const KEPT_MS = 35_000
const TOPICS_PER_ACCOUNT = 50

interface RecentEvent {
  atMs: number
  decideAgain: (userId: number) => Promise<void>
}

/**
 * Events of which accounts were not notified because they counted as present. A device that has vanished counts for a
 * while: when that is noticed, the notification is decided again.
 */
export class RecentEvents {
  readonly #clock: Clock
  /** By account and topic, of which the newest event counts; oldest first. */
  readonly #ofAccounts = new Map<number, Map<string, RecentEvent>>()
  /** When a device of the account has vanished last. */
  readonly #vanishedAtMs = new Map<number, number>()

  constructor(clock: Clock) {
    this.#clock = steadyClock(clock)
  }

  add(userIds: readonly number[], topic: string, decideAgain: RecentEvent['decideAgain']): void {
    for (const userId of userIds) {
      const events = this.#ofAccounts.get(userId) ?? new Map<string, RecentEvent>()
      this.#ofAccounts.set(userId, events)
      events.delete(topic)
      events.set(topic, { atMs: this.#clock(), decideAgain })
      const [oldest] = events.keys()
      if (events.size > TOPICS_PER_ACCOUNT && oldest !== undefined) events.delete(oldest)
    }
  }

  /** A device of the account was silent until its time was over. */
  vanished(userId: number): void {
    this.#vanishedAtMs.set(userId, this.#clock())
  }

  /** Only if a device has vanished: one that was closed had received what came. */
  async decideAgain(userId: number): Promise<void> {
    const atMs = this.#vanishedAtMs.get(userId)
    this.#vanishedAtMs.delete(userId)
    if (atMs === undefined || this.#isOld({ atMs })) return
    const events = [...(this.#ofAccounts.get(userId)?.values() ?? [])]
    this.#ofAccounts.delete(userId)
    for (const event of events) if (!this.#isOld(event)) await event.decideAgain(userId)
  }

  /** MUST be called about every minute. */
  sweep(): void {
    for (const [userId, atMs] of this.#vanishedAtMs)
      if (this.#isOld({ atMs })) this.#vanishedAtMs.delete(userId)
    for (const [userId, events] of this.#ofAccounts)
      if ([...events.values()].every(this.#isOld)) this.#ofAccounts.delete(userId)
  }

  #isOld = ({ atMs }: { atMs: number }): boolean => this.#clock() - atMs > KEPT_MS
}
