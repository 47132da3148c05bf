import type { Members } from '../cluster/members.ts'
import type { ControlServer } from '../control/control-server.ts'
import type { CertificateReloader } from '../http/tls/certificate-reloader.ts'
import { fileDescriptorRatio } from '../media/statistics.ts'
import type { Gauges } from '../telemetry/metrics.ts'
import type { ClusterPart } from './cluster.ts'
import type { PartnersPart } from './partners.ts'
import type { PushPart } from './push.ts'
import type { RelayPart } from './relay.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

/** The metrics of all parts of the server, and those that combine several parts. */
export const gaugesOf = (
  { recordings, blobs }: Stores,
  { conferences, jobs, media, uploads }: SessionsPart,
  partners: PartnersPart,
  { service: push }: PushPart,
  control: ControlServer,
  relay: RelayPart['relay'],
  { network, members, identity }: ClusterPart,
  certificate: CertificateReloader | null,
): Gauges => ({
  ...partners.gauges,
  ...uploads.metrics,
  ...blobs.metrics,
  recordings_stored: { help: 'Records in the archive.', read: () => recordings.count() },
  ...jobs.metrics,
  ...push?.metrics,
  control_connections: { help: 'Open connections of the control channel.', read: () => control.size },
  ...(relay && {
    control_connections_relayed: {
      help: 'Control connections that are passed on to other servers.',
      read: () => relay.size,
    },
  }),
  ...(network && clusterGauges(network, members, identity.id)),
  conference_sessions: {
    help: 'Conference sessions that are open.',
    read: () => conferences.size.sessions,
  },
  conference_participants: {
    help: 'Participants of open sessions, away ones included.',
    read: () => conferences.size.participants,
  },
  conference_waiting: {
    help: 'Accounts that wait to be admitted, each conference for itself.',
    read: () => conferences.size.waiting,
  },
  media_worker_descriptors_ratio: {
    help: 'Share of its file descriptors that the fullest media worker has open.',
    read: () => media.readWorkers().then(fileDescriptorRatio),
  },
  ...(certificate && certificateGauges(certificate)),
})

/** Of a server that serves https itself. */
const certificateGauges = (certificate: CertificateReloader): Gauges => ({
  tls_certificate_not_after_seconds: {
    help: 'Unix time at which the TLS certificate in use expires.',
    read: () => certificate.expiresAt,
  },
  tls_certificate_refused: {
    help: 'Whether the files of the TLS certificate contain one that cannot be used.',
    read: () => Number(certificate.isRefused),
  },
})

/** Of a server that is a member of a cluster. */
const clusterGauges = (
  network: NonNullable<ClusterPart['network']>,
  members: Members,
  self: string,
): Gauges => ({
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
  cluster_versions: {
    help: 'Versions of Lectern that run side by side: more than 1 during an upgrade.',
    read: () => new Set(members.list().map(({ version }) => version)).size,
  },
})
