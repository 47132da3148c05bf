import { expect, it } from 'vitest'
import { Accounts } from '../../../accounts/accounts.ts'
import { userStore } from '../../../accounts/stores/users.ts'
import { openIntegrationStore, openMainStore } from '../../../platform/db/open.ts'
import { watched } from '../../../platform/db/testing/query-plans.ts'
import { serviceAccountStore } from '../../stores/service-accounts.ts'
import { usableEndpoints } from './usable-endpoints.ts'

it('endpoints are usable while their account and its technical user are, which two queries find for all', async () => {
  const main = await openMainStore(':memory:')
  const integration = await openIntegrationStore(':memory:')
  const users = userStore(main.db, () => {})
  const accounts = serviceAccountStore(integration.db)
  const add = async (login: string, enabled = true) => {
    const program = { displayName: login, kind: 'technical' as const, capabilities: [], passwordHash: null }
    const { id } = (await users.add({ login, ...program, createdAt: 1 })) ?? { id: 0 }
    const account = { name: login, clientId: id, secretHash: 'plain:x', scopes: [], enabled, createdAt: 1 }
    await accounts.add(account)
    return { serviceAccount: login, clientId: id }
  }
  const [school, deleted, disabled] = [
    await add('school'),
    await add('deleted'),
    await add('disabled', false),
  ]
  await users.update(deleted.clientId, { deletedAt: 2 })

  const [mainSpy, integrationSpy] = [watched(main.db), watched(integration.db)]
  const isUsable = usableEndpoints({
    serviceAccounts: serviceAccountStore(integrationSpy.db),
    accounts: new Accounts(
      userStore(mainSpy.db, () => {}),
      Date.now,
    ),
  })
  const count = () => mainSpy.queries().length + integrationSpy.queries().length
  const before = count() // what stores prepare
  const unknown = { serviceAccount: 'unknown', clientId: 99 }
  const asked = [school, deleted, disabled, unknown, school].map(isUsable)
  expect(await Promise.all(asked)).toEqual([true, false, false, false, true])
  expect(count() - before).toBe(2)
  await integration.close()
  await main.close()
})
