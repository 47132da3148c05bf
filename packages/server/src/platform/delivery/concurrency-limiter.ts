export interface ConcurrencyLimits {
  /** Concurrent attempts in total. */
  total: number
  /** Concurrent attempts to one healthy target. */
  perTarget: number
}

const LIMITS: ConcurrencyLimits = { total: 256, perTarget: 4 }
/** Targets may be chosen by outsiders. The longest unhealthy is forgotten first. */
const MAX_UNHEALTHY = 5_000

/**
 * Limits concurrent attempts per target and in total. A target whose last attempt failed is unhealthy: it gets one attempt
 * at a time until it answers, and all unhealthy ones together get at most half of the capacity.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  readonly #servers: () => number
  readonly #inUse = new Map<string, number>()
  readonly #unhealthy = new Set<string>()

  /** The servers of a cluster share the limit of a target; each has one attempt at least. */
  constructor(limits = LIMITS, servers: () => number = () => 1) {
    this.#limits = limits
    this.#servers = servers
  }

  get perTarget(): number {
    return Math.max(1, Math.floor(this.#limits.perTarget / Math.max(1, this.#servers())))
  }

  get free(): number {
    return this.#limits.total - sum(this.#inUse.values())
  }

  /** False when the limit is reached. */
  acquire(target: string): boolean {
    if (this.free <= 0 || this.#isFull(target)) return false
    this.#inUse.set(target, this.#count(target) + 1)
    return true
  }

  /** `healthy` is the result of the attempt; omit it when there was none. */
  release(target: string, healthy?: boolean) {
    if (this.#count(target) > 1) this.#inUse.set(target, this.#count(target) - 1)
    else this.#inUse.delete(target)
    if (healthy === true) this.#unhealthy.delete(target)
    if (healthy === false) this.#unhealthy.add(target)
    const [oldest] = this.#unhealthy
    if (this.#unhealthy.size > MAX_UNHEALTHY && oldest !== undefined) this.#unhealthy.delete(oldest)
  }

  /** Targets at their own limit. */
  saturated(): string[] {
    return [...new Set([...this.#inUse.keys(), ...this.#unhealthy])].filter(target => this.#isFull(target))
  }

  #isFull(target: string): boolean {
    if (!this.#unhealthy.has(target)) return this.#count(target) >= this.perTarget
    return this.#count(target) > 0 || this.#usedByUnhealthy() >= this.#limits.total / 2
  }

  #usedByUnhealthy(): number {
    return sum([...this.#inUse].map(([target, count]) => (this.#unhealthy.has(target) ? count : 0)))
  }

  #count(target: string): number {
    return this.#inUse.get(target) ?? 0
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
