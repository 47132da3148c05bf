import { describe, expect, it } from 'vitest'
import { ReorderBuffer } from './reorder-buffer.ts'
import { SequenceExtender } from './sequence-extender.ts'

describe('SequenceExtender', () => {
  it('continues across the wrap, also for numbers that arrive late', () => {
    const extender = new SequenceExtender()
    const extended = [65_534, 0, 65_535, 1].map(number => extender.extend(number))
    const first = extended[0] as number
    expect(extended.map(number => number - first)).toEqual([0, 2, 1, 3])
  })

  it('keeps a number before the first one positive', () => {
    const extender = new SequenceExtender()
    extender.extend(0)
    expect(extender.extend(65_535)).toBe(65_535)
  })
})

describe('ReorderBuffer', () => {
  it('restores the order and counts what is missing', () => {
    const buffer = new ReorderBuffer<string>()
    for (const number of [3, 1, 6, 2]) expect(buffer.add(number, `item ${number}`)).toBe('added')
    const taken = buffer.take(() => true)
    expect(taken.map(({ item, missingBefore }) => [item, missingBefore])).toEqual([
      ['item 1', 0],
      ['item 2', 0],
      ['item 3', 0],
      ['item 6', 2],
    ])
  })

  it('drops repeated items, and late ones', () => {
    const buffer = new ReorderBuffer<number>()
    buffer.add(1, 1)
    expect(buffer.add(1, 1)).toBe('repeated')
    buffer.take(() => true)
    expect([buffer.add(1, 1), buffer.add(0, 0), buffer.add(2, 2)]).toEqual(['late', 'late', 'added'])
  })

  it('stops at the first item that is not due', () => {
    const buffer = new ReorderBuffer<number>()
    for (const number of [1, 2, 4, 5]) buffer.add(number, number)
    const withoutGap = buffer.take(({ missingBefore }) => missingBefore === 0)
    expect(withoutGap.map(({ sequence }) => sequence)).toEqual([1, 2])
    const untilOneIsLeft = buffer.take((_, waiting) => waiting > 1)
    expect(untilOneIsLeft.map(({ sequence }) => sequence)).toEqual([4])
    expect(buffer.size).toBe(1)
  })
})
