import { queryObjects } from 'node:v8'
import { expect, it } from 'vitest'
import { openTestHarness } from './testing/test-harness.ts'

it('the maintenance of sessions leaves nothing in memory by its rounds', async () => {
  const { upkeep } = await openTestHarness()
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++)
      await Promise.all([upkeep.renewLeases(), upkeep.sweep(), upkeep.openVacant()])
    return queryObjects(Array, { format: 'count' })
  }
  const before = await rounds(100)
  const after = await rounds(600)
  expect(after - before).toBeLessThan(200)
})
