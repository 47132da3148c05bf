import type {
  AdminDeliveryDetailsResponse,
  AdminDeliveryListResponse,
  AdminPushQueueResponse,
  AdminServiceAccountListResponse,
  AdminUserListResponse,
  AdminUserResponse,
  AuditListResponse,
  WebhookResponse,
} from '@lectern/protocol'
import { type FakeApi, ok } from '../../testing/fake-api.ts'
import { jobs, oneSession, recordings, rooms, sessions, transcripts } from './meetings.ts'
import { health, samples, storage } from './server-state.ts'

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
  has_own_login: true,
  email: 'carla@school.example',
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
export const oneUser: AdminUserResponse = {
  result,
  ...user,
  capabilities: [...user.capabilities],
  sign_ins: 2,
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
  keep_days: 90,
  owners: ['olga'],
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

const answers: Record<string, unknown> = {
  '/health': health,
  '/storage': storage,
  '/samples': samples,
  '/users': users,
  '/users/carla': oneUser,
  '/sessions': sessions,
  '/sessions/3': oneSession,
  '/rooms': rooms,
  '/rooms/tag-0': { result, ...rooms.rooms[0] },
  '/recordings': recordings,
  '/recordings/job_1': { result, ...recordings.recordings[0] },
  '/transcripts': transcripts,
  '/transcripts/job_2': { result, ...transcripts.transcripts[0], text: 'Good morning.', segments: [] },
  '/jobs': jobs,
  '/jobs/job_1': { result, ...jobs.jobs[1] },
  '/webhook-deliveries': deliveries,
  '/webhook-deliveries/wh_1': oneDelivery,
  '/push-queue': pushQueue,
  '/service-accounts': serviceAccounts,
  '/service-accounts/academy': { result, ...account },
  '/service-accounts/academy/client-secret': {
    result,
    service_account: 'academy',
    previous_secret_expires_at: null,
  },
  '/service-accounts/academy/webhook': webhook,
  '/service-accounts/academy/webhook-deliveries': deliveries,
  '/service-accounts/academy/rooms': rooms,
  '/audit': audit,
}

export const adminRoutes = (): FakeApi['routes'] =>
  Object.fromEntries(
    Object.entries(answers).map(([path, body]) => [`GET /api/v1.0/admin${path}`, () => ok(body)]),
  )
