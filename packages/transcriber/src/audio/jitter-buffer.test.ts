import { expect, it } from 'vitest'
import { rtp } from '../testing/speech.ts'
import { JitterBuffer } from './jitter-buffer.ts'

const FIRST = 65_533

function order(indexes: number[]) {
  const reorder = new JitterBuffer()
  const out = indexes.flatMap(index => reorder.add(rtp(Buffer.from([index]), index, FIRST)))
  return [...out, ...reorder.flush()].map(({ payload }) => payload[0])
}

it('restores order across the wrap of sequence numbers', () => {
  expect(order([0, 2, 1, 5, 4, 3, 6])).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('drops duplicates and late packets', () => {
  expect(order([0, 1, 1, 0, 2])).toEqual([0, 1, 2])
})

it('waits a bounded time for a missing packet', () => {
  const reorder = new JitterBuffer()
  const add = (index: number) =>
    reorder.add(rtp(Buffer.from([index]), index, FIRST)).map(each => each.payload[0])
  expect(add(0)).toEqual([0])
  for (let index = 2; index < 10; index++) expect(add(index)).toEqual([])
  expect(add(10)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(add(1)).toEqual([])
  expect(add(11)).toEqual([11])
})

it('continues when a sender restarts its numbering', () => {
  expect(order([0, 1, 20_000, 20_001])).toEqual([0, 1, 20_000 & 0xff, 20_001 & 0xff])
})
