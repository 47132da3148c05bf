import { type ErrorCode, Refusal } from '@lectern/protocol'
import type { Clock } from './clock.ts'

/** A token bucket: refills at `perMinute` and holds at most `burstSeconds` of that rate. Null: no limit. */
export class TokenBucket {
  readonly #clock: Clock
  readonly #perMs: number
  readonly #capacity: number
  #tokens: number
  #refilledAtMs: number

  constructor(clock: Clock, perMinute: number | null, burstSeconds: number) {
    this.#clock = clock
    this.#perMs = (perMinute ?? Number.POSITIVE_INFINITY) / 60_000
    this.#capacity = this.#perMs * burstSeconds * 1000
    this.#tokens = this.#capacity
    this.#refilledAtMs = clock()
  }

  get isFull(): boolean {
    return this.#refill() >= this.#capacity
  }

  /** False if there are not enough tokens. */
  spend(cost: number): boolean {
    return this.take(cost) === 0
  }

  /** Returns 0 and takes the tokens, or returns the milliseconds until there are enough. */
  take(cost: number): number {
    const waitMs = this.waitMs(cost)
    if (waitMs === 0) this.#tokens -= cost
    return waitMs
  }

  /** Like `take`, but takes no tokens. */
  waitMs(cost: number): number {
    // A cost above the capacity is granted to a full bucket, and leaves a debt.
    const missing = Math.min(cost, this.#capacity) - this.#refill()
    return missing > 0 ? Math.max(1, Math.ceil(missing / this.#perMs)) : 0
  }

  /** Takes tokens unconditionally, into debt if necessary: for costs that are only known afterwards. */
  charge(cost: number): void {
    this.#tokens = this.#refill() - cost
  }

  #refill(): number {
    if (this.#capacity === Number.POSITIVE_INFINITY) return this.#tokens
    const now = this.#clock()
    // A clock that is set back takes no tokens away.
    const elapsedMs = Math.max(0, now - this.#refilledAtMs)
    this.#tokens = Math.min(this.#capacity, this.#tokens + elapsedMs * this.#perMs)
    this.#refilledAtMs = now
    return this.#tokens
  }
}

const MIN_SWEEP_SIZE = 1_000

/** One token bucket for each key, such as an account. Without a rate there is no limit. `code`: of its refusals. */
export class RateLimiter<Key> {
  readonly #newBucket: (() => TokenBucket) | null
  readonly #code: ErrorCode
  readonly #buckets = new Map<Key, TokenBucket>()
  #sweepSize = MIN_SWEEP_SIZE

  constructor(
    clock: Clock,
    perMinute: number | null,
    burstSeconds: number,
    code: ErrorCode = 'rate_limited',
  ) {
    this.#code = code
    this.#newBucket = perMinute === null ? null : () => new TokenBucket(clock, perMinute, burstSeconds)
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes the tokens, or throws a Refusal. */
  enforce(key: Key, cost = 1): void {
    const refusal = this.refuse(key, cost)
    if (refusal) throw refusal
  }

  /** Takes the tokens and returns null, or returns why not. */
  refuse(key: Key, cost: number): Refusal | null {
    const retryAfterMs = this.take(key, cost)
    return retryAfterMs > 0 ? new Refusal(this.#code, undefined, { retryAfterMs }) : null
  }

  /** Takes the tokens and returns 0, or returns the milliseconds until there are enough. */
  take(key: Key, cost: number): number {
    return this.#bucketOf(key)?.take(cost) ?? 0
  }

  /** Like `take`, but takes no tokens. */
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
    if (this.#buckets.size >= this.#sweepSize) this.#sweep()
    const bucket = this.#newBucket()
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** A full bucket equals a new one. */
  #sweep(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key)
    this.#sweepSize = Math.max(MIN_SWEEP_SIZE, 2 * this.#buckets.size)
  }
}
