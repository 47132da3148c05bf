import { sql } from 'kysely'
import type { DatabaseClock } from '../cluster/database-clock.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

const ADJUST_MS = 5_000

/** All servers of a cluster have one time, that of the database. */
export async function followDatabaseClock(
  { scheduler, log }: Pick<ServerContext, 'scheduler' | 'log'>,
  { main }: Pick<Stores, 'main'>,
  { network }: Pick<ClusterPart, 'network'>,
  clock: DatabaseClock,
): Promise<void> {
  if (!network) return
  const readDatabase = async () => {
    const { rows } = await sql<{ now: number }>`SELECT ${main.dialect.nowMs} AS now`.execute(main.db)
    return Number(rows[0]?.now)
  }
  const adjust = () => clock.adjust(readDatabase)
  await adjust()
  scheduler.add({
    everyMs: ADJUST_MS,
    // Whether the database answers is reported by the leases.
    run: () => adjust().catch(error => log.debug({ err: error }, 'the clock of the database was not read')),
    onFailure: 'the clock of the database was not read',
  })
}
