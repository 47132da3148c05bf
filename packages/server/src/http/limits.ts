import { Refusal } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { type Clock, steadyClock } from '../platform/clock.ts'
import type { Config } from '../platform/config/index.ts'
import { networksOf, WIDE_FACTOR } from '../platform/networks.ts'
import type { Limits, Rate } from '../platform/route-limits.ts'

const WINDOW_MS = 60_000
/** Networks that each limit remembers: those whose windows have begun last. */
const NETWORKS_MAX = 20_000

const RATES: Record<Rate, keyof Config['Limits']> = {
  login: 'LoginPerMinute',
  refresh: 'RefreshPerMinute',
  guest: 'GuestPerMinute',
  token: 'TokenPerMinute',
  link: 'LinkPerMinute',
  control: 'ControlPerMinute',
  search: 'SearchPerMinute',
}

/**
 * Limits requests for each client address; an IPv6 address by its /64 network and by its /48, which has four times the
 * limit. A clock that is set back prolongs nothing.
 */
export function routeLimits(config: Config['Limits'], clock: Clock): Limits {
  if (!config.Enabled) return () => ({})
  const steady = steadyClock(clock)
  const hooks = new Map(
    (Object.keys(RATES) as Rate[]).map(rate => [rate, limitOf(Number(config[RATES[rate]]), steady)]),
  )
  return rate => ({ onRequest: hooks.get(rate) })
}

function limitOf(max: number, clock: Clock) {
  const narrow = new WindowCounter(max, clock)
  const wide = new WindowCounter(max * WIDE_FACTOR, clock)
  return async ({ ip }: Pick<FastifyRequest, 'ip'>): Promise<void> => {
    const networks = networksOf(ip)
    const waitMs = narrow.count(networks.narrow) || (networks.wide === null ? 0 : wide.count(networks.wide))
    if (waitMs === 0) return
    const seconds = Math.ceil(waitMs / 1000)
    throw new Refusal('rate_limited', `Too many requests; try again in ${seconds} s.`, {
      retryAfterMs: seconds * 1000,
    })
  }
}

/** Counts for each key in windows that begin with its first request. */
class WindowCounter {
  readonly #max: number
  readonly #clock: Clock
  /** In the order in which they have begun. An LRUCache would take its memory for all networks at once. */
  readonly #windows = new Map<string, { count: number; endsAtMs: number }>()

  constructor(max: number, clock: Clock) {
    this.#max = max
    this.#clock = clock
  }

  /** Returns 0, or the milliseconds until the window ends if it has had too many. */
  count(key: string): number {
    const now = this.#clock()
    const known = this.#windows.get(key)
    const window = known && known.endsAtMs > now ? known : this.#begin(key, now)
    window.count += 1
    return window.count <= this.#max ? 0 : window.endsAtMs - now
  }

  #begin(key: string, nowMs: number) {
    const window = { count: 0, endsAtMs: nowMs + WINDOW_MS }
    this.#windows.delete(key)
    this.#windows.set(key, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > NETWORKS_MAX && oldest !== undefined) this.#windows.delete(oldest)
    return window
  }
}
