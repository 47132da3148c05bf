import { describe, expect, it } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const acquire = (limiter: ConcurrencyLimiter, ...targets: string[]) =>
  targets.map(target => limiter.acquire(target))

describe('ConcurrencyLimiter', () => {
  it('limits attempts per target and in total', () => {
    const limiter = new ConcurrencyLimiter({ total: 4, perTarget: 2 })
    expect(acquire(limiter, 'a', 'a', 'a', 'b', 'c', 'd')).toEqual([true, true, false, true, true, false])
    expect(limiter.saturated()).toEqual(['a'])
    limiter.release('a', true)
    expect(limiter.saturated()).toEqual([])
    expect(acquire(limiter, 'a', 'd')).toEqual([true, false])
  })

  it('shares the limit of a target between the servers of a cluster, each of which may always send one', () => {
    let servers = 2
    const limiter = new ConcurrencyLimiter({ total: 9, perTarget: 4 }, () => servers)
    expect(acquire(limiter, 'a', 'a', 'a')).toEqual([true, true, false])
    servers = 1
    expect(acquire(limiter, 'a', 'a', 'a')).toEqual([true, true, false])
    servers = 9
    expect(acquire(limiter, 'a', 'b', 'b')).toEqual([false, true, false])
    expect(limiter.perTarget).toBe(1)
  })

  it('allows an unhealthy target one attempt at a time until it answers (RETRY-6)', () => {
    const limiter = new ConcurrencyLimiter({ total: 8, perTarget: 2 })
    acquire(limiter, 'a', 'a')
    limiter.release('a', false)
    limiter.release('a', false)
    expect(acquire(limiter, 'a', 'a')).toEqual([true, false])
    limiter.release('a')
    expect(acquire(limiter, 'a', 'a')).toEqual([true, false])
    limiter.release('a', true)
    expect(acquire(limiter, 'a', 'a')).toEqual([true, true])
  })

  it('reserves half of the capacity for healthy targets', () => {
    const limiter = new ConcurrencyLimiter({ total: 4, perTarget: 2 })
    for (const target of ['a', 'b', 'c']) {
      limiter.acquire(target)
      limiter.release(target, false)
    }
    expect(acquire(limiter, 'a', 'b', 'c')).toEqual([true, true, false])
    expect(limiter.saturated().sort()).toEqual(['a', 'b', 'c'])
    expect(acquire(limiter, 'd', 'd')).toEqual([true, true])
    expect(limiter.free).toBe(0)
  })
})
