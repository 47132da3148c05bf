import type { ControlServer } from '../control/control-server.ts'
import type { CertificateReloader } from '../http/tls/certificate-reloader.ts'
import { fileDescriptorRatio } from '../media/statistics.ts'
import type { Gauges } from '../operations/telemetry/metrics.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { PartnersPart } from './partners.ts'
import type { PushPart } from './push.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

/** The metrics of all parts of the server, and those that combine several parts. */
export const gaugesOf = (
  { recordings, blobs }: Stores,
  { conferences, jobs, media, uploads }: SessionsPart,
  partners: PartnersPart,
  { service: push }: PushPart,
  control: ControlServer,
  cluster: Cluster,
  certificate: CertificateReloader | null,
): Gauges => ({
  ...partners.gauges,
  ...uploads.metrics,
  ...blobs.metrics,
  recordings_stored: { help: 'Records in the archive.', read: () => recordings.count() },
  ...jobs.metrics,
  ...push?.metrics,
  ...control.metrics,
  control_connections: { help: 'Open connections of the control channel.', read: () => control.size },
  ...cluster.gauges,
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

/** Gauges of a server that serves https itself. */
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
