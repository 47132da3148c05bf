import { readFileSync } from 'node:fs'
import type { ControlRelay } from '../http/control/relay.ts'
import type { RequestPassing } from '../http/whip/passing.ts'
import type { AccountsPart } from './accounts.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import type { SessionsPart } from './sessions.ts'

export interface RelayPart {
  /** Null without a cluster. */
  relay: (ControlRelay & { readonly size: number }) | null
  passing: RequestPassing | null
}

/** Passes control connections and requests on to the servers that run their conferences. */
export async function composeRelay(
  { config: { Cluster, Limits }, clock, lifetime, log, tracing }: ServerContext,
  { network, identity, members }: ClusterPart,
  { keys }: AccountsPart,
  { registry }: SessionsPart,
): Promise<RelayPart> {
  if (!network || !keys.configured) return { relay: null, passing: null }
  const { Relay } = await import('../cluster/relay.ts')
  const { RelayHeader } = await import('../cluster/relay-header.ts')
  const { OwnerConnections } = await import('../cluster/owner-connections.ts')
  const { RequestRelay } = await import('../cluster/request-relay.ts')
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
