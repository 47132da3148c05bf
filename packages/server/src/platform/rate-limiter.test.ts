import { describe, expect, it } from 'vitest'
import { RateLimiter, TokenBucket } from './rate-limiter.ts'

function fakeClock() {
  const clock = () => clock.now
  clock.now = 1_000_000
  return clock
}

describe('a token bucket', () => {
  it('grants a burst at once, then the rate, and returns the time to wait', () => {
    const clock = fakeClock()
    const bucket = new TokenBucket(clock, 60_000, 10) // one each millisecond
    for (let i = 0; i < 10; i++) expect(bucket.take(1_000)).toBe(0)
    expect(bucket.take(1_000)).toBe(1_000)
    expect(bucket.take(3_000)).toBe(3_000)
    clock.now += 999
    expect(bucket.take(1_000)).toBe(1)
    clock.now += 1
    expect(bucket.take(1_000)).toBe(0)
    clock.now += 60_000
    for (let i = 0; i < 10; i++) expect(bucket.take(1_000)).toBe(0)
    expect(bucket.take(1)).toBe(1)
  })

  it('takes nothing away when the clock is set back', () => {
    const clock = fakeClock()
    const bucket = new TokenBucket(clock, 60, 10)
    expect(bucket.take(5)).toBe(0)
    clock.now -= 3_600_000
    expect(bucket.take(5)).toBe(0)
    expect(bucket.take(1)).toBe(1_000)
    clock.now += 1_000
    expect(bucket.take(1)).toBe(0)
  })

  it('grants a cost above its capacity when it is full, and goes into debt', () => {
    const clock = fakeClock()
    const bucket = new TokenBucket(clock, 60, 10)
    expect(bucket.take(20)).toBe(0)
    expect(bucket.take(1)).toBe(11_000)
  })

  it('goes into debt for costs that are charged afterwards', () => {
    const clock = fakeClock()
    const bucket = new TokenBucket(clock, 60, 10)
    bucket.charge(70)
    expect(bucket.take(1)).toBe(61_000)
    clock.now += 61_000
    expect(bucket.take(1)).toBe(0)
  })

  it('takes nothing away when the clock is set back', () => {
    const clock = fakeClock()
    const bucket = new TokenBucket(clock, 60, 10)
    clock.now -= 3_600_000
    expect(bucket.take(10)).toBe(0)
    expect(bucket.take(1)).toBe(1_000)
    clock.now += 1_000
    expect(bucket.take(1)).toBe(0)
  })
})

describe('a rate limiter', () => {
  it('counts each key separately', () => {
    const limiter = new RateLimiter<number>(fakeClock(), 60, 1)
    expect([limiter.take(1, 1), limiter.take(2, 1)]).toEqual([0, 0])
    expect(limiter.take(1, 1)).toBe(1_000)
  })

  it('refuses with its code, and says when there is enough', () => {
    const limiter = new RateLimiter<number>(fakeClock(), 60, 1, 'too_many_commands')
    limiter.enforce(1)
    const refusal = { code: 'too_many_commands', retryAfterMs: 1_000 }
    expect(limiter.refuse(1, 1)).toMatchObject(refusal)
    expect(() => limiter.enforce(1)).toThrow(expect.objectContaining(refusal))
  })

  it('grants everything without a rate', () => {
    const limiter = new RateLimiter<number>(fakeClock(), null, 1)
    limiter.charge(1, 1e9)
    expect(limiter.take(1, 1e9)).toBe(0)
    expect(limiter.size).toBe(0)
  })

  it('removes only keys whose bucket is full again', () => {
    const clock = fakeClock()
    const limiter = new RateLimiter<number>(clock, 60, 1)
    limiter.charge(-1, 1_000)
    for (let key = 0; key < 5_000; key++) {
      limiter.take(key, 1)
      clock.now += 10
    }
    expect(limiter.size).toBeLessThan(1_200)
    expect(limiter.take(-1, 1)).toBeGreaterThan(900_000)
  })
})
