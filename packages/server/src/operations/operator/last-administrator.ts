import { Mutex, pollUntil } from '@lectern/common'
import { ensure } from '@lectern/protocol'
import type { User } from '../../accounts/ports.ts'
import type { UserStore } from '../../accounts/stores/users.ts'

/** Runs a change that may remove an administrator, with the account that `find` returns. */
export type RemovalGuard = (find: () => Promise<User>, change: (user: User) => Promise<User>) => Promise<User>

/** The command line may remove the last administrator (rule ADMIN-2). */
export const unguarded: RemovalGuard = async (find, change) => change(await find())

/** While another server removes an administrator. */
const RETRY_MS = 20
const WAIT_MS = 5_000

interface GuardOptions {
  users: Pick<UserStore, 'listByCapability'>
  /** Runs the work unless another server runs work of that name now; false if so. */
  exclusively: (name: string, work: () => Promise<unknown>) => Promise<boolean>
}

/**
 * Keeps the last administrator (rule ADMIN-2): one removal after another, on all servers, because two administrators may
 * remove each other at the same time. Throws `last_administrator`.
 */
export function lastAdministratorGuard({ users, exclusively }: GuardOptions): RemovalGuard {
  const mutex = new Mutex()
  const assertNotLast = async (user: User) => {
    if (!user.capabilities.includes('admin') || user.disabledAt !== null) return
    const administrators = await users.listByCapability('admin')
    const others = administrators.filter(({ id, disabledAt }) => id !== user.id && disabledAt === null)
    ensure(others.length > 0, 'last_administrator')
  }
  return (find, change) =>
    mutex.run(async () => {
      let changed: User | undefined
      const attempt = () =>
        exclusively('removals of administrators', async () => {
          const user = await find()
          await assertNotLast(user)
          changed = await change(user)
        })
      await pollUntil(attempt, { intervalMs: RETRY_MS, timeoutMs: WAIT_MS })
      ensure(changed, 'temporarily_unavailable')
      return changed
    })
}
