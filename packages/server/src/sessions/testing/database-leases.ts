import { DatabaseLeases } from '../../cluster/leases/database-leases.ts'
import { createDatabaseClock } from '../../cluster/testing/database-clock.ts'
import { createLog } from '../../platform/log.ts'
import { leaseStore } from '../stores/session-leases.ts'
import type { TestHarness } from './test-harness.ts'

/** From the next start on, the servers of the harness are members of a cluster, one after another. */
export function useDatabaseLeases(harness: TestHarness): void {
  let servers = 0
  harness.leases = async db => {
    const leases = new DatabaseLeases({
      store: leaseStore(db, (await createDatabaseClock(db as never)).nowMs),
      server: { id: `server-${++servers}`, address: 'http://server' },
      mayReachStore: () => true,
      monotonicMs: () => harness.now,
      log: createLog('silent'),
    })
    await leases.renew()
    return leases
  }
}
