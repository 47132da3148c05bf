import { withTimeout } from '@lectern/common'
import { LocalLeases, type SessionLeases } from '../sessions/leases.ts'
import type { Upkeep } from '../sessions/upkeep.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

const SWEEP_MS = 3_600_000
/** What takes longer is left to the leases, which run out. */
const HAND_OVER_MAX_MS = 3_000

export interface LeasesPart {
  leases: SessionLeases
  /** Whether the last renewal has reached the database; without a cluster nobody asks. */
  isStoreReachable: () => boolean
}

/** Which server runs which session; without a cluster, this one runs all. */
export async function composeLeases(
  { log, scheduler }: ServerContext,
  stores: Stores,
  { network, members, identity, delivery }: ClusterPart,
): Promise<LeasesPart> {
  if (!network) return { leases: new LocalLeases(stores.sessions), isStoreReachable: () => true }
  const { DatabaseLeases } = await import('../cluster/database-leases.ts')
  const leases = new DatabaseLeases({
    store: stores.leases,
    server: { id: identity.id, address: identity.advertise },
    mayReachStore: others =>
      !network.isConnected ||
      others.some(id => !members.get(id)) ||
      members.list('server').some(({ id, isStoreReachable }) => id !== identity.id && isStoreReachable),
    monotonicMs: () => performance.now(),
    log,
  })
  delivery.expectServers(() => leases.others)
  await leases.renew()
  scheduler.add({
    everyMs: SWEEP_MS,
    run: () => leases.sweep(),
    onFailure: 'dead servers could not be deleted',
  })
  return { leases, isStoreReachable: () => leases.isStoreReachable }
}

/** Hands all sessions over to the other servers; for a server that stops. */
export const handOver = (upkeep: Upkeep): Promise<void> =>
  withTimeout(upkeep.handOver(), HAND_OVER_MAX_MS, () => new Error('the database does not answer'))
