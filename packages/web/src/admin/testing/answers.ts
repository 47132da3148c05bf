import type {
  AdminDeliveryDetailsResponse,
  AdminDeliveryListResponse,
  AdminHealthResponse,
  AdminJobListResponse,
  AdminPushQueueResponse,
  AdminRecordingListResponse,
  AdminRoomListResponse,
  AdminSamplesResponse,
  AdminServiceAccountListResponse,
  AdminSessionListResponse,
  AdminSessionResponse,
  AdminStorageResponse,
  AdminTranscriptListResponse,
  AdminUserListResponse,
  AdminUserResponse,
  AuditListResponse,
  SampleColumns,
  WebhookResponse,
} from '@lectern/protocol'
import { type FakeApi, ok } from '../../testing/fake-api.ts'

/** A server with something in every section of the administration. */

const AT_MS = 1_700_000_000_000
const result = 200
const next = null
const LONG = 'A very long name '.repeat(6).trim()

const user = {
  user_id: 9,
  login: 'carla',
  display_name: LONG,
  kind: 'ordinary',
  state: 'active',
  capabilities: ['admin'],
  has_password: true,
  created_at: 1_700_000_000,
} as const
const users: AdminUserListResponse = {
  result,
  users: ['Ольга Иванова', 'אברהם כהן', LONG].map((display_name, i) => ({
    ...user,
    capabilities: [],
    user_id: 10 + i,
    login: `person-${i}`,
    display_name,
  })),
  next: '10',
}
const oneUser: AdminUserResponse = { result, ...user, capabilities: [...user.capabilities], sign_ins: 2 }

const session = {
  conference_session_id: 3,
  conference_tag: 'abcd-efghi-jklm',
  server: null,
  title: 'Algebra: quadratic equations',
  kind: 'partner',
  started_at_ms: AT_MS,
  participant_count: 2,
  waiting_count: 1,
  recording: true,
  transcription: true,
  locked: true,
  rtc_node_id: 'rtc-1',
  rtc_node_ids: ['rtc-1'],
  media_nodes: [],
} satisfies AdminSessionListResponse['sessions'][0]
const sessions: AdminSessionListResponse = { result, sessions: [session], next }
const oneSession: AdminSessionResponse = {
  result,
  ...session,
  participants: [
    {
      participant_id: '1',
      user_id: 1,
      display_name: 'Anna Petrova',
      role: 'moderator',
      presence: 'here',
      joined_at_ms: AT_MS,
      quality: 9,
      publications: [{ source: 'microphone', paused: true }],
    },
    {
      participant_id: '2',
      user_id: 2,
      display_name: 'مريم',
      role: 'participant',
      presence: 'away',
      joined_at_ms: AT_MS,
      quality: null,
      publications: [],
    },
  ],
}

const rooms: AdminRoomListResponse = {
  result,
  rooms: [
    ['algebra', 'Algebra', 'scheduled'],
    ['old', 'الجبر: المعادلات (1)', 'closed'],
  ].map(([external_id = '', title = '', status], i) => ({
    room_id: i,
    external_id,
    tag: `tag-${i}`,
    title,
    owner: 'school-backend',
    status: status as 'scheduled' | 'closed',
    live: i === 0,
    starts_at: '2031-05-14T09:30:00Z',
    ends_at: null,
  })),
  next,
}

const recordings: AdminRecordingListResponse = {
  result,
  recordings: [
    {
      job_id: 'job_1',
      conference_tag: 'abcd-efghi-jklm',
      conference_title: 'Algebra',
      external_id: 'algebra',
      conference_session_id: 3,
      owner: 'anna',
      profile: 'consolidated_native',
      status: 'completed',
      started_at_ms: AT_MS,
      duration_ms: 3_600_000,
      file_count: 7,
      bytes: 5e8,
    },
  ],
  next,
}
const transcripts: AdminTranscriptListResponse = {
  result,
  transcripts: [
    {
      id: 'job_2',
      job_id: 'job_2',
      conference_tag: 'abcd-efghi-jklm',
      conference_title: LONG,
      external_id: null,
      conference_session_id: 3,
      status: 'completed',
      language: 'en-US',
      engine: 'vosk',
      started_at_ms: AT_MS,
      ended_at_ms: AT_MS + 1,
      reason: 'stopped',
      created_at: 1_700_000_000,
    },
  ],
  next,
}
const jobs: AdminJobListResponse = {
  result,
  jobs: (['queued', 'leased', 'failed'] as const).map((state, i) => ({
    job_id: `job_${i}`,
    kind: 'recording',
    scope: 'partner_auto',
    state,
    conference_tag: 'abcd-efghi-jklm',
    conference_title: i === 2 ? null : 'Algebra',
    external_id: i === 0 ? 'algebra' : null,
    conference_session_id: 3,
    attempts: i,
    stop_requested: false,
    worker_id: i > 0 ? 'recorder-1' : null,
    lease_until_ms: null,
    failure: i === 2 ? 'The disk is full.' : null,
    created_at_ms: AT_MS,
    updated_at_ms: AT_MS,
  })),
  next,
}

const delivery = {
  id: 'wh_1',
  event: 'recording.ready',
  subject: 'recording:job_1',
  status: 'failed',
  attempts: 9,
  next_attempt_at_ms: null,
  response_status: 500,
  error: 'HTTP 500',
  created_at: 1_700_000_000,
  updated_at: 1_700_000_900,
  service_account: 'school',
} as const
const deliveries: AdminDeliveryListResponse = { result, deliveries: [delivery], next }
const UNKNOWN = { duration_ms: null, response_status: null, excerpt: null }
const oneDelivery: AdminDeliveryDetailsResponse = {
  result,
  ...delivery,
  history: [
    {
      started_at_ms: AT_MS,
      duration_ms: 1234,
      response_status: 500,
      error: 'HTTP 500',
      excerpt: `Internal Server Error: *** ${'the database is away '.repeat(20)}`,
    },
    { ...UNKNOWN, started_at_ms: AT_MS - 1, error: 'INTERRUPTED' },
    { ...UNKNOWN, started_at_ms: AT_MS - 2, duration_ms: 15_000, error: 'TIMEOUT' },
  ],
}

const pushQueue: AdminPushQueueResponse = {
  result,
  enabled: true,
  pending: 1,
  pushes: [
    {
      id: '1',
      login: 'anna',
      type: 'message',
      origin: 'https://push.example',
      attempts: 2,
      next_attempt_at_ms: AT_MS,
      response_status: 503,
      error: 'HTTP 503',
      created_at_ms: AT_MS,
      expires_at_ms: AT_MS,
    },
  ],
}
const account = {
  name: 'academy',
  user_id: 5,
  login: 'academy-backend',
  scopes: ['integration:rooms'],
  enabled: true,
  created_at: 1_700_000_000,
}
const serviceAccounts: AdminServiceAccountListResponse = { result, service_accounts: [account], next }
const webhook: WebhookResponse = {
  result,
  configured: true,
  url: 'https://192.0.2.1',
  events: ['recording.ready'],
  enabled: true,
  secret_configured: true,
  previous_secret_expires_at: null,
}
export const rotatingWebhook: WebhookResponse = { ...webhook, previous_secret_expires_at: 2_000_000_000 }

const audit: AuditListResponse = {
  result,
  records: (['done', 'refused', 'failed', 'started'] as const).map((outcome, i) => ({
    id: String(i),
    at_ms: AT_MS,
    actor_kind: i === 0 ? 'user' : 'command_line',
    actor_user_id: 1,
    actor: 'boss',
    address: '192.0.2.7',
    action: 'user.create',
    target_kind: 'user',
    target: 'carla',
    details: { display_name: LONG, capabilities: ['admin', 'recordings.access'] },
    outcome,
    code: i === 1 ? 'login_taken' : null,
  })),
  next,
}

const health: AdminHealthResponse = {
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
const storage: AdminStorageResponse = {
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
const column = (of: (minute: number) => number) => minutes.map(of)
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
const samples: AdminSamplesResponse = { result, interval_ms: 60_000, samples: columns, servers: [] }

const answers: Record<string, unknown> = {
  '/health': health,
  '/storage': storage,
  '/samples': samples,
  '/users': users,
  '/users/carla': oneUser,
  '/sessions': sessions,
  '/sessions/3': oneSession,
  '/rooms': rooms,
  '/recordings': recordings,
  '/transcripts': transcripts,
  '/jobs': jobs,
  '/webhook-deliveries': deliveries,
  '/webhook-deliveries/wh_1': oneDelivery,
  '/push-queue': pushQueue,
  '/service-accounts': serviceAccounts,
  '/service-accounts/academy': { result, ...account },
  '/service-accounts/academy/webhook': webhook,
  '/service-accounts/academy/webhook-deliveries': deliveries,
  '/service-accounts/academy/rooms': rooms,
  '/audit': audit,
}

export const adminRoutes = (): FakeApi['routes'] =>
  Object.fromEntries(
    Object.entries(answers).map(([path, body]) => [`GET /api/v1.0/admin${path}`, () => ok(body)]),
  )
