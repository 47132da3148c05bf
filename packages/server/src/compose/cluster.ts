import { Keys } from '../accounts/keys.ts'
import type { ClusterDelivery } from '../cluster/delivery.ts'
import { createIdentity, localIdentity, type ServerIdentity } from '../cluster/identity.ts'
import { type Member, type MemberStatus, type Members, onlyMember } from '../cluster/members.ts'
import type { ClusterNetwork } from '../cluster/network.ts'
import { noOtherServers, type ServerQueries } from '../cluster/server-queries.ts'
import { isClustered } from '../config/cluster.ts'
import type { Config } from '../config/index.ts'
import { acceptedSecrets } from '../config/jwt-secrets.ts'
import type { SharedPresence } from '../messaging/ports.ts'
import { type EventBus, InMemoryEventBus } from '../streams/event-bus.ts'
import { type EventDelivery, lossless } from '../streams/verification.ts'
import type { ServerContext } from './context.ts'

/** How this server is connected with the others of its cluster; without one, with itself alone. */
export interface ClusterPart {
  identity: ServerIdentity
  members: Members
  /** Null without a cluster. */
  network: ClusterNetwork | null
  /** Events for all servers. `name` is that of the bus, the same on all of them. */
  bus<Event>(name: string): EventBus<Event>
  /** How far the events of other servers can be relied on. */
  delivery: EventDelivery & Pick<ClusterDelivery, 'expectServers' | 'isReliable'>
  /** From now on, all servers know the presence of accounts on all servers. */
  sharePresence(presence: SharedPresence): { readonly isComplete: boolean }
  /** Asks the other servers for what only they know. */
  queries: ServerQueries
  /** Sets what this server reports about itself from now on. */
  reportStatus(status: () => MemberStatus): void
  /** Rejects with a ConfigError while only servers run that do not accept the secret of this one. */
  assertSharedSecret(): Promise<void>
}

/** A start waits this long for NATS, and continues without it. */
const CONNECT_WAIT_MS = 3_000

/** Connects with the other servers, if this server is a member of a cluster. */
export async function composeCluster(context: ServerContext): Promise<ClusterPart> {
  const { config, version, clock } = context
  const keys = new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server), clock)
  let report = (): MemberStatus => ({ load: {}, draining: false, isStoreReachable: true })
  const reportStatus: ClusterPart['reportStatus'] = next => {
    report = next
  }
  const status = () => ({ ...report(), keyIds: keyIdsOf(keys) })
  if (!isClustered(config.Cluster)) {
    const identity = localIdentity(version)
    const members = onlyMember(identity, status)
    return {
      identity,
      members,
      network: null,
      bus: () => new InMemoryEventBus(),
      delivery: { ...lossless, expectServers: () => {}, isReliable: true },
      sharePresence: () => ({ isComplete: true }),
      queries: noOtherServers,
      reportStatus,
      assertSharedSecret: async () => {},
    }
  }
  const identity = createIdentity(identityOf(config, version))
  return { identity, ...(await connect(context, identity, keys, status)), reportStatus }
}

/** Secrets are recognised by them, and not found out. */
const keyIdsOf = (keys: Keys): string[] =>
  keys.configured ? keys.deriveAccepted('cluster member').map(key => key.toString('hex', 0, 8)) : []

const identityOf = ({ Cluster }: Config, version: string) => ({
  name: Cluster.Name,
  advertise: Cluster.Advertise,
  region: Cluster.Region,
  version,
})

async function connect(
  { config, log, lifetime, tracing }: ServerContext,
  identity: ServerIdentity,
  keys: Keys,
  status: () => MemberStatus,
): Promise<Omit<ClusterPart, 'identity' | 'reportStatus'>> {
  const { Nats, NatsCa, Namespace, Name } = config.Cluster
  const { MessageSignatures } = await import('../cluster/message-signatures.ts')
  const { ClusterNetwork } = await import('../cluster/network.ts')
  const { ClusterMembers } = await import('../cluster/members.ts')
  const { ClusterDelivery } = await import('../cluster/delivery.ts')
  const { NatsEventBus } = await import('../cluster/nats-event-bus.ts')
  const { PresenceSync } = await import('../cluster/presence-sync.ts')
  const { acceptEachOther, assertSharedSecret } = await import('../cluster/shared-keys.ts')
  const { NetworkQueries } = await import('../cluster/server-queries.ts')
  const settings = { addresses: Nats, ca: NatsCa, namespace: Namespace, name: `lectern ${Name}` }
  const self = identity.id
  const network = lifetime.own(
    'cluster network',
    new ClusterNetwork({ ...settings, self, signatures: new MessageSignatures(keys), log, tracing }),
    each => each.stop(),
  )
  const members = new ClusterMembers({ network, self: identity, role: 'server', status })
  lifetime.own('cluster members', members, each => each.stop())
  const own = () => members.get(self) as Member
  const others = () => members.list('server').filter(({ id }) => id !== self)
  members.onJoined(member => {
    const { id, version, role } = member
    log.info({ member: id, role, version }, 'a member joined')
    if (!acceptEachOther(own(), member))
      log.error(
        { member: id },
        'a server has another JwtSecret: people cannot reach its sessions from this one',
      )
  })
  members.onGone(({ id, role }) => log.warn({ member: id, role }, 'a member is gone'))
  log.info({ server: identity.id, advertise: identity.advertise }, 'this server is a member of a cluster')
  const delivery = new ClusterDelivery(network, members)
  await network.start(CONNECT_WAIT_MS)
  const sharePresence = (presence: SharedPresence) => {
    const sync = new PresenceSync({ network, members, self, presence, log })
    return lifetime.own('presence of other servers', sync, each => each.stop())
  }
  const canSendLists = () => members.list('server').every(each => each.receivesEventLists)
  return {
    network,
    members,
    delivery,
    sharePresence,
    queries: new NetworkQueries(network, members, self),
    assertSharedSecret: () => assertSharedSecret(own, others, () => network.strangers),
    bus: name => new NatsEventBus(network, { self, name, canSendLists }),
  }
}
