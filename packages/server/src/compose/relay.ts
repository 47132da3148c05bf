import { readFileSync } from 'node:fs'
import type { ControlRelay } from '../http/control/relay.ts'
import type { AccountsPart } from './accounts.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import type { SessionsPart } from './sessions.ts'

export interface RelayPart {
  /** Null without a cluster. */
  relay: (ControlRelay & { readonly size: number }) | null
}

/** Passes control connections on to the servers that run their conferences. */
export async function composeRelay(
  { config: { Cluster, Limits }, clock, log, tracing }: ServerContext,
  { network, identity, members }: ClusterPart,
  { keys }: AccountsPart,
  { registry }: SessionsPart,
): Promise<RelayPart> {
  if (!network || !keys.configured) return { relay: null }
  const { Relay } = await import('../cluster/relay.ts')
  const { RelayHeader } = await import('../cluster/relay-header.ts')
  const relay = new Relay({
    header: new RelayHeader({ keys: () => keys.deriveAccepted('cluster relay'), clock }),
    self: identity.id,
    region: identity.region,
    locate: tag => registry.locate(tag),
    capacity: {
      total: Limits.ControlConnections,
      perAddress: Limits.Enabled ? Limits.ControlConnectionsPerAddress : null,
    },
    ca: Cluster.AdvertiseCa === '' ? null : readFileSync(Cluster.AdvertiseCa, 'utf8'),
    log,
    tracing,
  })
  members.onGone(({ id }) => relay.closeTo(id))
  return { relay }
}
