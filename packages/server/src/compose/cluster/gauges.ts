import type { Members } from '../../cluster/members/members.ts'
import type { ClusterNetwork } from '../../cluster/network/network.ts'
import type { Relay } from '../../cluster/requests/relay.ts'
import type { Gauges } from '../../operations/telemetry/metrics.ts'

/** Gauges of a server that is a member of a cluster. */
export const clusterGauges = (
  network: ClusterNetwork,
  members: Members,
  self: string,
  relay: Relay | null,
): Gauges => ({
  ...(relay && {
    control_connections_relayed: {
      help: 'Control connections that are passed on to other servers.',
      read: () => relay.size,
    },
  }),
  cluster_nats_connected: {
    help: 'Whether the server is connected to NATS.',
    read: () => Number(network.isConnected),
  },
  cluster_lease_renewed: {
    help: 'Whether the last renewal of the lease of the server has reached the database.',
    read: () => Number(members.get(self)?.isStoreReachable ?? false),
  },
  cluster_draining: {
    help: 'Whether the server drains.',
    read: () => Number(members.get(self)?.draining ?? false),
  },
  cluster_servers: {
    help: 'Servers that report themselves, this one included.',
    read: () => members.list('server').length,
  },
  cluster_media_nodes: {
    help: 'Media nodes that report themselves.',
    read: () => members.list('media-node').length,
  },
  cluster_incompatible_members: {
    help: 'Members whose messages are refused, because they speak a newer protocol between servers.',
    read: () => network.incompatible.length,
  },
  cluster_strangers: {
    help: 'Senders whose messages between servers are refused, because no accepted JwtSecret has signed them.',
    read: () => network.strangers.length,
  },
  cluster_repeated_messages: {
    type: 'counter',
    help: 'Messages between servers that were refused because they had been received before.',
    read: () => network.repeated,
  },
  cluster_versions: {
    help: 'Versions of Lectern that run side by side: more than 1 during an upgrade.',
    read: () => new Set(members.list().map(({ version }) => version)).size,
  },
})
