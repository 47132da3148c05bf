import { createHash } from 'node:crypto'
import { Refusal } from '@lectern/protocol'
import { LRUCache } from 'lru-cache'
import { type Clock, steadyClock } from '../platform/clock.ts'
import { type Networks, WIDE_FACTOR } from '../platform/networks.ts'

export interface FailureLimits {
  FailedLoginsPerAccount: number
  FailedLoginsPerAddress: number
  FailedLogins: number
}

/** One attempt, which counts for some keys, or does not count any more. */
export interface FailureNotice {
  /** Without names and addresses: what they are digests of is known to those who count. */
  counts: [key: string, limit: number][]
  change: 1 | -1
}

/** Brings a notice to the limiters of all servers; to the own one before `publish` returns. */
export interface FailureNotices {
  publish(topic: string, notice: FailureNotice): void
  subscribe(topic: string, handler: (notice: FailureNotice) => void): unknown
}

const TOPIC = 'failures'
const WINDOW_MS = 10 * 60_000
/** Far above what [Limits] FailedLogins permits in a window, so that an attacker cannot evict a counter. */
const COUNTS_MAX = 50_000

/**
 * Limits failed sign-ins with leaky buckets. Networks from which the account has signed in before have a separate counter,
 * so that failures from elsewhere do not lock the owner out (decision 26). All servers of a cluster count together: trying
 * more of them gives no more attempts. While they cannot reach each other, each counts for itself.
 */
export class FailureLimiter {
  readonly #limits: FailureLimits
  readonly #clock: Clock
  readonly #notices: FailureNotices
  readonly #counts = new LRUCache<string, { level: number; at: number }>({ max: COUNTS_MAX })

  constructor(limits: FailureLimits, clock: Clock, notices: FailureNotices) {
    this.#limits = limits
    this.#clock = steadyClock(clock) // one that is set back would prolong every wait
    this.#notices = notices
    notices.subscribe(TOPIC, ({ counts, change }) => {
      for (const [key, limit] of counts) this.#add(key, limit, change)
    })
  }

  /**
   * Counts an attempt as failed before it is made, so that concurrent attempts are limited as well. Returns a function
   * that reverts this. Throws `rate_limited`.
   */
  reserve(login: string, networks: Networks, isKnown: boolean): () => void {
    const counts = this.#countsOf(login, networks, isKnown)
    const waitMs = Math.max(...counts.map(([key, limit]) => this.#waitMs(key, limit)))
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000)
      throw new Refusal('rate_limited', `Too many failed sign-ins; try again in ${seconds} s.`, {
        retryAfterMs: seconds * 1000,
      })
    }
    this.#notices.publish(TOPIC, { counts, change: 1 })
    return () => this.#notices.publish(TOPIC, { counts, change: -1 })
  }

  #countsOf(login: string, networks: Networks, isKnown: boolean): FailureNotice['counts'] {
    return this.#namesOf(login, networks, isKnown).map(([name, limit]) => [digest(name), limit])
  }

  #namesOf(login: string, { narrow, wide }: Networks, isKnown: boolean): [name: string, limit: number][] {
    const { FailedLoginsPerAccount, FailedLoginsPerAddress, FailedLogins } = this.#limits
    if (isKnown) return [[`known ${narrow} ${login}`, FailedLoginsPerAddress]]
    return [
      [`account ${login}`, FailedLoginsPerAccount],
      [`network ${narrow}`, FailedLoginsPerAddress],
      ...(wide ? [[`network ${wide}`, FailedLoginsPerAddress * WIDE_FACTOR] as [string, number]] : []),
      ['all', FailedLogins],
    ]
  }

  #level(key: string, limit: number): number {
    const count = this.#counts.get(key)
    if (!count) return 0
    return Math.max(0, count.level - ((this.#clock() - count.at) / WINDOW_MS) * limit)
  }

  #waitMs(key: string, limit: number): number {
    const excess = this.#level(key, limit) + 1 - limit
    return excess > 0 ? (excess / limit) * WINDOW_MS : 0
  }

  #add(key: string, limit: number, change: 1 | -1): void {
    this.#counts.set(key, { level: Math.max(0, this.#level(key, limit) + change), at: this.#clock() })
  }
}

const digest = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 22)
