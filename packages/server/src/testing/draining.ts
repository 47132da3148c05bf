import { randomUUID } from 'node:crypto'
import { Keys } from '../accounts/keys.ts'
import { type DrainAction, requestDrain } from '../cluster/members/drain.ts'
import { MessageSignatures } from '../cluster/network/message-signatures.ts'
import { ClusterNetwork } from '../cluster/network/network.ts'
import { addressOf, waitFor } from '../cluster/testing.ts'
import { createLog } from '../platform/log.ts'
import type { ClusterServer, TestCluster } from './cluster.ts'
import { queryPostgres } from './query.ts'
import { JWT_SECRET } from './server.ts'

const CONNECT_WAIT_MS = 30_000

export interface Draining {
  /** Resolves when the server has handed its sessions over. */
  drain(server: ClusterServer): Promise<void>
  /** Resolves when the server takes sessions again. */
  undrain(server: ClusterServer): Promise<void>
  close(): Promise<void>
}

/** Drains servers as operators do. */
export async function openDraining({ nats }: TestCluster): Promise<Draining> {
  const network = new ClusterNetwork({
    addresses: [addressOf(nats.url)],
    ca: '',
    namespace: 'lectern',
    name: 'operator',
    self: `operator-${randomUUID()}`,
    signatures: new MessageSignatures(new Keys(JWT_SECRET)),
    log: createLog('silent'),
  })
  await network.start(CONNECT_WAIT_MS)
  const idOf = (server: ClusterServer) =>
    String([...server.log().matchAll(/"server":"([\w-]+)"/g)].at(-1)?.[1])
  const isReady = async ({ url }: ClusterServer) => (await fetch(`${url}/readyz`)).ok
  const ask = async (server: ClusterServer, action: DrainAction) => {
    await requestDrain(network, idOf(server), action)
    const isWanted = action === 'undrain'
    await waitFor(async () => (await isReady(server)) === isWanted, `${server.name}: ${action}`)
  }
  return {
    drain: server => ask(server, 'drain'),
    undrain: server => ask(server, 'undrain'),
    close: () => network.stop(),
  }
}

/** Whether the server runs the open session of the conference. */
export async function isRunBy(
  { name }: ClusterServer,
  { dbUrl }: TestCluster,
  tag: string,
): Promise<boolean> {
  const [row] = await queryPostgres<{ server_id: string }>(
    dbUrl,
    `SELECT server_id FROM lectern.conference_sessions AS session JOIN lectern.server_leases AS lease ON lease.id = owner
     WHERE tag = $1 AND ended_at_ms IS NULL AND is_dead = 0`,
    [tag],
  )
  return row?.server_id.startsWith(`${name}-`) ?? false
}
