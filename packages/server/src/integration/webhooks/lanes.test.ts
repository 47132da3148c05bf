import { describe, expect, it } from 'vitest'
import { Lanes } from './lanes.ts'

const enter = (lanes: Lanes, ...targets: string[]) => targets.map(target => lanes.enter(target))

describe('lanes', () => {
  it('let a target in as often as it may, and all targets together', () => {
    const lanes = new Lanes({ all: 4, each: 2 })
    expect(enter(lanes, 'a', 'a', 'a', 'b', 'c', 'd')).toEqual([true, true, false, true, true, false])
    expect(lanes.full()).toEqual(['a'])
    lanes.leave('a', true)
    expect(lanes.full()).toEqual([])
    expect(enter(lanes, 'a', 'd')).toEqual([true, false])
  })

  it('give an ailing target one lane until it answers', () => {
    const lanes = new Lanes({ all: 8, each: 2 })
    enter(lanes, 'a', 'a')
    lanes.leave('a', false)
    lanes.leave('a', false)
    expect(enter(lanes, 'a', 'a')).toEqual([true, false])
    lanes.leave('a')
    expect(enter(lanes, 'a', 'a')).toEqual([true, false])
    lanes.leave('a', true)
    expect(enter(lanes, 'a', 'a')).toEqual([true, true])
  })

  it('keep half of all for those who are well', () => {
    const lanes = new Lanes({ all: 4, each: 2 })
    for (const target of ['a', 'b', 'c']) {
      lanes.enter(target)
      lanes.leave(target, false)
    }
    expect(enter(lanes, 'a', 'b', 'c')).toEqual([true, true, false])
    expect(lanes.full().sort()).toEqual(['a', 'b', 'c'])
    expect(enter(lanes, 'd', 'd')).toEqual([true, true])
    expect(lanes.free).toBe(0)
  })
})
