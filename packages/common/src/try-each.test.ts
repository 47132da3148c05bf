import { expect, it } from 'vitest'
import { tryEach } from './try-each.ts'

it('tries every item, so many at once, and rejects with the first failure', async () => {
  const seen: number[] = []
  let running = 0
  let most = 0
  const work = async (item: number) => {
    seen.push(item)
    most = Math.max(most, ++running)
    await Promise.resolve()
    running -= 1
    if (item % 2 === 1) throw new Error(`broken ${item}`)
  }
  await expect(tryEach([0, 1, 2, 3, 4], work, { atOnce: 2 })).rejects.toThrow('broken 1')
  expect(seen).toEqual([0, 1, 2, 3, 4])
  expect(most).toBe(2)
  await tryEach([0, 2], work)
})
