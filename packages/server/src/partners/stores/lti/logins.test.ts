import { expect, it } from 'vitest'
import { openMainStore } from '../../../platform/db/open.ts'
import { loginStore } from './logins.ts'

it('launches that are begun for nothing make room for others, and for none that a platform has answered', async () => {
  const main = await openMainStore(':memory:')
  const store = loginStore(main.db)
  const login = { platformId: 'p', nonce: 'n', bindingHash: 'b', storageTarget: null, claims: null }
  const add = (hash: string, at: number) => store.add(hash, login, { expiresAtMs: 1_000 + at, max: 3 })
  await add('answered', 1)
  await store.answer('answered', '{}')
  for (let i = 2; i <= 5; i++) await add(`begun ${i}`, i)
  const found = await Promise.all(
    ['answered', 'begun 2', 'begun 3', 'begun 4', 'begun 5'].map(hash => store.find(hash, 0)),
  )
  expect(found.map(each => each !== null)).toEqual([true, false, false, true, true])
  await main.close()
})
