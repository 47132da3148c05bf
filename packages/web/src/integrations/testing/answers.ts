import type {
  ClientSecretResponse,
  Endpoint,
  EndpointDelivery,
  HostedEvent,
  HostedRoom,
  InvitedPerson,
  LiveParticipant,
  StoredRecording,
  UsageResponse,
} from '@lectern/protocol'
import { type FakeApi, ok } from '../../testing/fake-api.ts'
import { renderHome } from '../../testing/home.tsx'

/** A server with something in every section of a service account, `school/1`, which Anna owns. */

const result = 200
const LONG = 'A very long name '.repeat(6).trim()
const TIME = '2030-09-01T10:00:00.000Z'
const none = { next: null }

export const BASE = '/api/v2/integration'
export const account = { name: 'school/1', login: 'school-robot', enabled: true }

const room = {
  external_id: 'lesson/1',
  tag: 'tag-1',
  title: 'Algebra',
  starts_at: TIME,
  ends_at: TIME,
  status: 'active',
  live: true,
  join_url: '',
} as HostedRoom
const rooms = [
  room,
  { ...room, external_id: ' ', tag: 'tag-2', title: LONG, status: 'closed', live: false, starts_at: null },
  { ...room, external_id: 'שיעור', tag: 'tag-3', title: 'אלגברה', status: 'scheduled', live: false },
]
const person: InvitedPerson = {
  external_id: 'teacher-7',
  display_name: LONG,
  role: 'teacher',
  metadata: {},
  join_url: '',
}
const participant: LiveParticipant = {
  ...person,
  participant_id: '1.1.1',
  presence: 'here',
  joined_at: TIME,
}
const recording: StoredRecording = {
  id: 'job_1',
  room: 'lesson/1',
  session_id: 1,
  status: 'completed',
  started_at: TIME,
  ended_at: TIME,
  duration_ms: 2_700_000,
  files: [{ path: 'recording.mp4', size: 48_193_023, content_type: 'video/mp4', sha256: '0' }],
}
const event: HostedEvent = {
  id: `evt_${'0'.repeat(32)}`,
  type: 'participant.joined',
  created_at: TIME,
  sequence: 2,
  room: { external_id: 'lesson/1', tag: 'tag-1', metadata: {} },
  data: { participant: { ...participant, display_name: 'x'.repeat(300) } },
}
export const endpoint: Endpoint = {
  id: 'end_1',
  url: `https://partner.example/${'events/'.repeat(20)}`,
  events: ['room.started', 'room.ended', 'recording.ready'],
  enabled: true,
  disabled_reason: null,
  description: null,
  previous_secret_expires_at: null,
  created_at: TIME,
}
const delivery: EndpointDelivery = {
  id: 'dlv_1',
  event_id: event.id,
  type: event.type,
  status: 'failed',
  attempts: 9,
  next_attempt_at: null,
  response_status: 500,
  error: 'HTTP 500',
  created_at: TIME,
}
const history = [
  {
    started_at_ms: Date.parse(TIME),
    duration_ms: 1_234,
    response_status: 500,
    error: 'HTTP 500',
    excerpt: 'Internal Server Error: the database is away',
  },
]
const secret: ClientSecretResponse = {
  result,
  service_account: account.name,
  previous_secret_expires_at: null,
}
export const replacedSecret: ClientSecretResponse = { ...secret, previous_secret_expires_at: TIME }
const usage: UsageResponse = {
  result,
  month: '2030-09',
  participant_minutes: 1_234.5,
  recorded_minutes: 678.9,
  stored_bytes: 48_193_023,
  webhooks: 90,
}

const answers: Record<string, unknown> = {
  '/usage': usage,
  '/client-secret': secret,
  '/rooms': { result, rooms, ...none },
  '/rooms/lesson%2F1': { result, ...room },
  '/rooms/lesson%2F1/people': { result, people: [person], ...none },
  '/rooms/lesson%2F1/participants': { result, live: true, participants: [participant] },
  '/recordings': { result, recordings: [recording], ...none },
  '/events': { result, events: [event], ...none, last: 2 },
  '/endpoints': {
    result,
    endpoints: [endpoint, { ...endpoint, id: 'end_2', enabled: false, disabled_reason: 'failing' }],
  },
  '/endpoints/end_1': { result, ...endpoint },
  '/endpoints/end_1/deliveries': { result, deliveries: [delivery], ...none },
  '/endpoints/end_1/deliveries/dlv_1': { result, ...delivery, history, payload: event },
}

/** The request for the service accounts that the user owns. */
export const OWNED = 'GET /api/v1.0/me/service-accounts'

const integrationRoutes = (): FakeApi['routes'] => ({
  ...Object.fromEntries(
    Object.entries(answers).map(([path, body]) => [`GET ${BASE}${path}`, () => ok(body)]),
  ),
  [OWNED]: () => ok({ result, service_accounts: [account] }),
})

/** A page of the integrations, `path` below /integrations. */
export const openIntegrations = (
  path = '',
  options: Parameters<typeof renderHome>[1] = {},
): ReturnType<typeof renderHome> =>
  renderHome(`/integrations${path}`, { ...options, routes: { ...integrationRoutes(), ...options.routes } })
