import type {
  AdminHealthResponse,
  AdminSamplesResponse,
  AdminStorageResponse,
  SampleColumns,
} from '@lectern/protocol'

const AT_MS = 1_700_000_000_000
const result = 200

export const health: AdminHealthResponse = {
  result,
  members: [],
  version: '0.2.0',
  node_version: 'v24.0.0',
  started_at_ms: AT_MS,
  ready: true,
  partner_module: true,
  sessions: 1,
  participants: 2,
  waiting: 0,
  connections: 3,
  jobs: { queued: 1, leased: 2 },
  webhooks_pending: 4,
  media_workers: [
    { rtc_node_id: 'rtc-1', node: null, pid: 42, load: 7, open_descriptors: 20, descriptor_limit: 1024 },
  ],
  media_workers_expected: 2,
  workers: [{ kind: 'recording', login: 'recorder-1', last_seen_ms: AT_MS, alive: true }],
}
export const storage: AdminStorageResponse = {
  result,
  disks: [{ uses: ['files', 'data'], folder: '/var/lib/lectern', total_bytes: 1e12, free_bytes: 4e11 }],
  bucket: null,
  reserve_bytes: 1e9,
  file_count: 100,
  file_bytes: 5e10,
  upload_count: 1,
  recording_count: 20,
  transcript_count: 5,
  database_bytes: 1e8,
}

export const MOST_PEOPLE = 80
/** A day, with an hour in which the server did not run. */
const minutes = Array.from({ length: 1440 }, (_, i) => i).filter(i => i < 700 || i > 760)
const column = (valueAt: (minute: number) => number) => minutes.map(valueAt)
const people = (minute: number) => Math.round(MOST_PEOPLE / 2 + (MOST_PEOPLE / 2) * Math.sin(minute / 200))
const columns: SampleColumns = {
  at_ms: column(i => AT_MS + i * 60_000),
  sessions: column(i => people(i) >> 3),
  participants: column(people),
  connections: column(i => people(i) + 5),
  cpu_percent: column(i => people(i) * 0.8),
  media_cpu_percent: column(people),
  memory_bytes: column(i => 2.5e8 + people(i) * 1e6),
  event_loop_delay_ms: column(i => 1 + (i % 9) / 3),
  requests: column(i => 20 + people(i)),
  request_failures: column(i => (i % 300 === 0 ? 3 : 0)),
  jobs: column(i => people(i) >> 4),
  incoming_bps: column(i => people(i) * 1.5e6),
  outgoing_bps: column(i => people(i) * 6e6),
  packet_loss_percent: column(i => (i % 40) / 20),
}
export const samples: AdminSamplesResponse = { result, interval_ms: 60_000, samples: columns, servers: [] }
