import type { ControlServer } from '../control/control-server.ts'
import { fileDescriptorRatio } from '../media/statistics.ts'
import type { Gauges } from '../telemetry/metrics.ts'
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
})
