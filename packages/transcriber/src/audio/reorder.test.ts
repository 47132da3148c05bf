import { expect, it } from 'vitest'
import { rtp } from '../testing/speech.ts'
import { Reorder } from './reorder.ts'

const FIRST = 65_533

function order(indexes: number[]) {
  const reorder = new Reorder()
  const out = indexes.flatMap(index => reorder.add(rtp(Buffer.from([index]), index, FIRST)))
  return [...out, ...reorder.flush()].map(({ payload }) => payload[0])
}

it('brings packets into order, also where the numbers begin anew', () => {
  expect(order([0, 2, 1, 5, 4, 3, 6])).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('gives each packet once, and none that comes too late', () => {
  expect(order([0, 1, 1, 0, 2])).toEqual([0, 1, 2])
})

it('waits for a packet that is late, but not for long', () => {
  const reorder = new Reorder()
  const add = (index: number) =>
    reorder.add(rtp(Buffer.from([index]), index, FIRST)).map(each => each.payload[0])
  expect(add(0)).toEqual([0])
  for (let index = 2; index < 10; index++) expect(add(index)).toEqual([])
  expect(add(10)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(add(1)).toEqual([])
  expect(add(11)).toEqual([11])
})

it('goes on when a sender begins its numbers anew', () => {
  expect(order([0, 1, 20_000, 20_001])).toEqual([0, 1, 20_000 & 0xff, 20_001 & 0xff])
})
