import { randomBytes } from 'node:crypto'
import { Keys } from '../../accounts/keys.ts'
import { type DrainAction, requestDrain } from '../../cluster/members/drain.ts'
import type { Member } from '../../cluster/members/members.ts'
import { MessageSignatures } from '../../cluster/network/message-signatures.ts'
import { ClusterNetwork } from '../../cluster/network/network.ts'
import { isNoResponder } from '../../cluster/network/network-error.ts'
import { observeMembers } from '../../cluster/network/observe.ts'
import { OperatorError } from '../../operations/operator/checks.ts'
import { isClustered } from '../../platform/config/cluster.ts'
import type { Config } from '../../platform/config/index.ts'
import { acceptedSecrets } from '../../platform/config/jwt-secrets.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { createLog } from '../../platform/log.ts'
import { type ServerSessions, sessionsByServer } from '../../sessions/stores/session-counts.ts'

export interface ClusterNodeStatus extends Member {
  /** Open sessions whose lease it holds; null for a media node, and while the database is unavailable. */
  leases: number | null
}

export interface ClusterStatus {
  nats: { reachable: boolean; servers: string[] }
  database: { reachable: boolean }
  nodes: ClusterNodeStatus[]
  /** Members that speak a newer protocol than this program: nothing else is known of them. */
  incompatible: { id: string; version: number }[]
  /** Servers with leases in the database that did not report themselves: dead ones, until their leases run out. */
  silent: ServerSessions[]
  /** Open sessions that no server runs at the moment. */
  unowned: number | null
}

/** Actions of the command line on a cluster. */
export interface ClusterOperator {
  status(): Promise<ClusterStatus>
  /** Asks a node, by its name or id, to give up its sessions and to take no new ones; returns it. */
  drain(node: string): Promise<Member>
  /** Asks a node that drains to take sessions again; returns it. */
  undrain(node: string): Promise<Member>
  close(): Promise<void>
}

const CONNECT_WAIT_MS = 3_000

/** Throws an OperatorError without a cluster. */
export async function openClusterOperator(config: Config): Promise<ClusterOperator> {
  if (!isClustered(config.Cluster))
    throw new OperatorError('This is no cluster: [Cluster] Nats is not set, so there is one server.')
  const { Nats, NatsCa, Namespace } = config.Cluster
  const network = new ClusterNetwork({
    addresses: Nats,
    ca: NatsCa,
    namespace: Namespace,
    name: 'lectern cluster',
    signatures: new MessageSignatures(new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server))),
    self: `operator-${randomBytes(4).toString('hex')}`,
    log: createLog('silent'),
  })
  await network.start(CONNECT_WAIT_MS)
  const ask = async (action: DrainAction, node: string) => {
    if (!network.isConnected) throw new OperatorError('NATS cannot be reached.')
    const found = findMember(await observeMembers(network), node)
    await requestDrain(network, found.id, action).catch(error => {
      throw isNoResponder(error)
        ? new OperatorError(`${found.id} cannot ${action}: it is gone, or of an older version.`)
        : error
    })
    return found
  }
  return {
    status: async () => {
      const [members, sessions] = await Promise.all([observeMembers(network), readSessions(config)])
      const { incompatible } = network
      const known = new Set([...members, ...incompatible].map(({ id }) => id))
      const leasesOf = (id: string) => sessions?.servers.find(each => each.serverId === id)?.sessions ?? 0
      return {
        nats: { reachable: network.isConnected, servers: Nats.map(({ label }) => label) },
        database: { reachable: sessions !== null },
        nodes: members.map(member => ({
          ...member,
          leases: sessions && member.role === 'server' ? leasesOf(member.id) : null,
        })),
        incompatible,
        silent: (sessions?.servers ?? []).filter(({ serverId }) => !known.has(serverId)),
        unowned: sessions?.unowned ?? null,
      }
    },
    drain: node => ask('drain', node),
    undrain: node => ask('undrain', node),
    close: () => network.stop(),
  }
}

/** By its name or id. */
function findMember(members: Member[], node: string): Member {
  const [found, ...others] = members.filter(({ id, name }) => id === node || name === node)
  if (!found) throw new OperatorError(`There is no node ${node}: ${describe(members)}.`)
  if (others.length > 0)
    throw new OperatorError(`Several nodes are named ${node}; use an id: ${describe([found, ...others])}.`)
  return found
}

const describe = (members: Member[]): string => members.map(({ id }) => id).join(', ') || 'no node answers'

/** Null when the database does not answer. */
async function readSessions(config: Config) {
  try {
    const main = await openMainStore(config.Db.Url)
    try {
      return await sessionsByServer(main.db)
    } finally {
      await main.close()
    }
  } catch {
    return null
  }
}
