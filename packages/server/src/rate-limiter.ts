import type { Clock } from './clock.ts'

/** A token bucket: so much per minute on average, and at once as much as `burstSeconds` give. Null: no limit. */
export class TokenBucket {
  readonly #clock: Clock
  readonly #perMs: number
  readonly #capacity: number
  #left: number
  #atMs: number

  constructor(clock: Clock, perMinute: number | null, burstSeconds: number) {
    this.#clock = clock
    this.#perMs = (perMinute ?? Number.POSITIVE_INFINITY) / 60_000
    this.#capacity = this.#perMs * burstSeconds * 1000
    this.#left = this.#capacity
    this.#atMs = clock()
  }

  get isFull(): boolean {
    return this.#refill() >= this.#capacity
  }

  /** False when there is not enough. */
  spend(cost: number): boolean {
    return this.take(cost) === 0
  }

  /** 0 when it is taken, otherwise the milliseconds until there is enough. */
  take(cost: number): number {
    const waitMs = this.waitMs(cost)
    if (waitMs === 0) this.#left -= cost
    return waitMs
  }

  /** As `take`, and takes nothing. */
  waitMs(cost: number): number {
    // What costs more than the bucket can hold is granted to a full bucket, and leaves a debt.
    const missing = Math.min(cost, this.#capacity) - this.#refill()
    return missing > 0 ? Math.max(1, Math.ceil(missing / this.#perMs)) : 0
  }

  /** For costs that were granted elsewhere, or are known afterwards only: takes what is not there as a debt. */
  charge(cost: number): void {
    this.#left = this.#refill() - cost
  }

  #refill(): number {
    if (this.#capacity === Number.POSITIVE_INFINITY) return this.#left
    const now = this.#clock()
    this.#left = Math.min(this.#capacity, this.#left + (now - this.#atMs) * this.#perMs)
    this.#atMs = now
    return this.#left
  }
}

const FIRST_SWEEP_AT = 1_000

/** A token bucket for each key, such as an account. Without a rate everything is granted. */
export class RateLimiter<Key> {
  readonly #newBucket: (() => TokenBucket) | null
  readonly #buckets = new Map<Key, TokenBucket>()
  #sweepAt = FIRST_SWEEP_AT

  constructor(clock: Clock, perMinute: number | null, burstSeconds: number) {
    this.#newBucket = perMinute === null ? null : () => new TokenBucket(clock, perMinute, burstSeconds)
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: Key, cost: number): number {
    return this.#bucketOf(key)?.take(cost) ?? 0
  }

  /** As `take`, and takes nothing. */
  waitMs(key: Key, cost: number): number {
    return this.#buckets.get(key)?.waitMs(cost) ?? 0
  }

  charge(key: Key, cost: number): void {
    this.#bucketOf(key)?.charge(cost)
  }

  #bucketOf(key: Key): TokenBucket | null {
    if (!this.#newBucket) return null
    const known = this.#buckets.get(key)
    if (known) return known
    if (this.#buckets.size >= this.#sweepAt) this.#sweep()
    const bucket = this.#newBucket()
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** A full bucket is as good as none. */
  #sweep(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key)
    this.#sweepAt = Math.max(FIRST_SWEEP_AT, 2 * this.#buckets.size)
  }
}
