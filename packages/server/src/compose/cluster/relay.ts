import { readFileSync } from 'node:fs'
import type { Keys } from '../../accounts/keys.ts'
import type { ServerIdentity } from '../../cluster/members/identity.ts'
import type { Members } from '../../cluster/members/members.ts'
import type { ClusterNetwork } from '../../cluster/network/network.ts'
import { OwnerConnections } from '../../cluster/requests/owner-connections.ts'
import { Relay } from '../../cluster/requests/relay.ts'
import { RelayHeader } from '../../cluster/requests/relay-header.ts'
import { RequestRelay } from '../../cluster/requests/request-relay.ts'
import type { SessionRegistry } from '../../sessions/session-registry.ts'
import type { ServerContext } from '../context.ts'

interface RelayParts {
  keys: Keys
  network: ClusterNetwork
  members: Members
  identity: ServerIdentity
  registry: SessionRegistry
}

/** Passes control connections and requests on to the servers that run their conferences. */
export function createRelay(
  { config: { Cluster, Limits }, clock, lifetime, log, tracing }: ServerContext,
  { network, members, identity, registry, keys }: RelayParts,
): { relay: Relay; passing: RequestRelay } {
  const parts = {
    header: new RelayHeader({ keys: () => keys.deriveAccepted('cluster relay'), clock }),
    self: identity.id,
    region: identity.region,
    locate: (tag: string) => registry.locate(tag),
    connections: new OwnerConnections({
      ca: Cluster.AdvertiseCa === '' ? null : readFileSync(Cluster.AdvertiseCa, 'utf8'),
      isSilent: id => network.isConnected && members.get(id) === undefined,
      log,
    }),
    tracing,
  }
  const relay = new Relay({
    ...parts,
    capacity: {
      total: Limits.ControlConnections,
      perAddress: Limits.Enabled ? Limits.ControlConnectionsPerAddress : null,
    },
  })
  const passing = lifetime.own('requests to other servers', new RequestRelay(parts), each => each.stop())
  members.onGone(({ id }) => {
    relay.closeTo(id)
    passing.closeTo(id)
  })
  return { relay, passing }
}
