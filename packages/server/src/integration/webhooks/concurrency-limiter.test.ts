import { describe, expect, it } from 'vitest'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

const enter = (lanes: ConcurrencyLimiter, ...targets: string[]) =>
  targets.map(target => lanes.acquire(target))

describe('lanes', () => {
  it('let a target in as often as it may, and all targets together', () => {
    const lanes = new ConcurrencyLimiter({ total: 4, perTarget: 2 })
    expect(enter(lanes, 'a', 'a', 'a', 'b', 'c', 'd')).toEqual([true, true, false, true, true, false])
    expect(lanes.saturated()).toEqual(['a'])
    lanes.release('a', true)
    expect(lanes.saturated()).toEqual([])
    expect(enter(lanes, 'a', 'd')).toEqual([true, false])
  })

  it('give an ailing target one lane until it answers', () => {
    const lanes = new ConcurrencyLimiter({ total: 8, perTarget: 2 })
    enter(lanes, 'a', 'a')
    lanes.release('a', false)
    lanes.release('a', false)
    expect(enter(lanes, 'a', 'a')).toEqual([true, false])
    lanes.release('a')
    expect(enter(lanes, 'a', 'a')).toEqual([true, false])
    lanes.release('a', true)
    expect(enter(lanes, 'a', 'a')).toEqual([true, true])
  })

  it('keep half of all for those who are well', () => {
    const lanes = new ConcurrencyLimiter({ total: 4, perTarget: 2 })
    for (const target of ['a', 'b', 'c']) {
      lanes.acquire(target)
      lanes.release(target, false)
    }
    expect(enter(lanes, 'a', 'b', 'c')).toEqual([true, true, false])
    expect(lanes.saturated().sort()).toEqual(['a', 'b', 'c'])
    expect(enter(lanes, 'd', 'd')).toEqual([true, true])
    expect(lanes.free).toBe(0)
  })
})
