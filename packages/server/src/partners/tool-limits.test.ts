import { expect, it } from 'vitest'
import { ToolLimits } from './tool-limits.ts'

const backend = { name: 'school', clientId: 1, scopes: [] }
const ownedBy = (userId: number) => ({ ...backend, owner: { userId, login: 'olga', address: '' } })

it('the budget of a backend is not that of its owners, and each of them has one', () => {
  const limits = new ToolLimits(() => 0, true)
  const spend = (caller: typeof backend) => {
    for (let requests = 0; ; requests++)
      try {
        limits.enforce(caller, 10)
      } catch {
        return requests
      }
  }
  expect([spend(ownedBy(1)), spend(backend), spend(ownedBy(2)), spend(ownedBy(1))]).toEqual([12, 12, 12, 0])
})
