import { describe, expect, it } from 'vitest'
import { batched } from './batched.ts'

/** Batches run when the test says so. */
function batchedManually(maxItems?: number) {
  const runs: (() => void)[] = []
  const batches: number[][] = []
  const add = batched(
    async (items: number[]) => {
      batches.push(items)
      if (items.includes(13)) throw new Error('unlucky')
      return items.map(item => item * 10)
    },
    { schedule: run => void runs.push(run), ...(maxItems && { maxItems }) },
  )
  return { add, batches, runNext: () => runs.shift()?.(), scheduled: () => runs.length }
}

describe('batched', () => {
  it('passes items that arrive together to one call, and each caller gets its own result', async () => {
    const { add, batches, runNext } = batchedManually()
    const results = [add(1), add(2)]
    runNext()
    const later = add(3)
    runNext()
    expect(await Promise.all([...results, later])).toEqual([10, 20, 30])
    expect(batches).toEqual([[1, 2], [3]])
  })

  it('splits more items than a batch may hold', async () => {
    const { add, batches, runNext, scheduled } = batchedManually(2)
    const results = [add(1), add(2), add(3)]
    runNext()
    runNext()
    expect(await Promise.all(results)).toEqual([10, 20, 30])
    expect(batches).toEqual([[1, 2], [3]])
    expect(scheduled()).toBe(0)
  })

  it('rejects all items of a batch that failed, and no others', async () => {
    const { add, runNext } = batchedManually()
    const failed = Promise.allSettled([add(1), add(13)])
    runNext()
    const next = add(2)
    runNext()
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await next).toBe(20)
  })
})
