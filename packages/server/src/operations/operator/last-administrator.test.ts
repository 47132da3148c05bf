import { afterAll, expect, it } from 'vitest'
import { Accounts } from '../../accounts/accounts.ts'
import { Inviter } from '../../accounts/invitations.ts'
import { authSessionStore } from '../../accounts/stores/auth-sessions.ts'
import { invitationStore } from '../../accounts/stores/invitations.ts'
import { userStore } from '../../accounts/stores/users.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { Lifetime } from '../../platform/lifetime.ts'
import { createLog } from '../../platform/log.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { lastAdministratorGuard } from './last-administrator.ts'
import { UserAdminService } from './users.ts'

const lifetime = new Lifetime(createLog('silent'))
afterAll(lifetime.close)

async function openServer(url: string, { beforeUpdate = async () => {}, onRefused = () => {} } = {}) {
  const store = lifetime.own('store', await openMainStore(url), each => each.close())
  const clock = () => 1_700_000_000_000
  const users = userStore(store.db)
  const { update } = users
  users.update = (...change) => beforeUpdate().then(() => update(...change))
  const inviter = new Inviter(invitationStore(store.db), clock)
  const exclusively: typeof store.exclusively = async (name, work) => {
    const isRun = await store.exclusively(name, work)
    if (!isRun) onRefused()
    return isRun
  }
  const administration = new UserAdminService({
    users,
    sessions: authSessionStore(store.db),
    accounts: new Accounts(users, clock),
    inviter,
    serviceAccounts: null,
    guard: lastAdministratorGuard({ users, exclusively }),
    clock,
  })
  return { users, administration }
}

it('ADMIN-2 one administrator remains when two remove each other on different servers', async () => {
  const { url } = lifetime.own('database', await createTestDatabase(), each => each.drop())
  const [writing, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const beforeUpdate = () => {
    writing.resolve()
    return waiting.promise
  }
  const one = await openServer(url, { beforeUpdate })
  const other = await openServer(url, { onRefused: () => waiting.resolve() })
  const add = (login: string) =>
    other.administration.add(login, { password: 'correct horse battery', capabilities: ['admin'] })
  const [anna, ben] = [(await add('anna')).user.id, (await add('ben')).user.id]
  const removals = [one.administration.remove(anna)]
  await writing.promise
  removals.push(other.administration.set(ben, { capabilities: [] }).finally(() => waiting.resolve()))
  const outcomes = await Promise.allSettled(removals)
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'last_administrator' } }])
  expect(await other.users.listByCapability('admin')).toHaveLength(1)
})
