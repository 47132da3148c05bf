import { pollUntil } from '@lectern/common'
import { ConfigError } from '../../platform/config/ini.ts'
import type { Member } from './members.ts'

const POLL_MS = 500
/** A server whose lease others have ended registers again within two seconds. */
const KNOWN_WITHIN_MS = 5_000

/** The servers that are registered in a database in which this one does not find them: it has another one. */
export const membersElsewhere = (
  members: readonly Member[],
  own: { id: string; knows: readonly string[] },
): Member[] =>
  members.filter(
    ({ id, role, isRegistered }) =>
      role === 'server' && isRegistered && id !== own.id && !own.knows.includes(id),
  )

/**
 * Rejects while servers run that have another database (rule ALIVE-6): accounts and sessions have the same ids in both, so
 * that events of one installation would reach people of the other one. `elsewhere` reads the present state of the database.
 */
export async function assertSharedDatabase(elsewhere: () => Promise<Member[]>): Promise<void> {
  let found: Member[] = []
  const isShared = async () => {
    found = await elsewhere()
    return found.length === 0
  }
  if (await pollUntil(isShared, { intervalMs: POLL_MS, timeoutMs: KNOWN_WITHIN_MS })) return
  throw new ConfigError(
    `[Db] Url is not the database of the servers that run: ${found.map(({ name }) => name).join(', ')}. The servers of a cluster share one; another installation with the same NATS needs another [Cluster] Namespace.`,
  )
}
