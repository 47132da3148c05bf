import { expect, it } from 'vitest'
import { readTogether } from './read-together.ts'

it('reads keys that are asked for together by one statement, and gives each its own rows', async () => {
  const reads: number[][] = []
  const rowsOf = readTogether(
    async (keys: number[]) => {
      reads.push(keys)
      return keys.flatMap(key => Array.from({ length: key }, (_, row) => ({ key, row })))
    },
    ({ key }) => key,
  )
  const rows = await Promise.all([2, 0, 1, 2].map(rowsOf))
  expect(rows.map(each => each.map(({ row }) => row))).toEqual([[0, 1], [], [0], [0, 1]])
  expect(reads).toEqual([[2, 0, 1]])
  await rowsOf(3)
  expect(reads).toHaveLength(2)
})
