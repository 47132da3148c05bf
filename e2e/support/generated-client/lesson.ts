/** A lesson of version 2 with the functions that another generator makes. Compiled and run by partner-packages.spec.ts. */
import * as api from './functions.js'

const [baseUrl = '', service_account = '', client_secret = ''] = process.argv.slice(2)
api.defaults.baseUrl = baseUrl

/** What a successful answer has; fails for any other. */
function ok<T extends { status: number; data: unknown }>(answer: T): Extract<T, { status: 200 }>['data'] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  return answer.data as Extract<T, { status: 200 }>['data']
}

const { access_token } = ok(await api.createAccessToken({ service_account, client_secret }))
api.defaults.headers = { authorization: `Bearer ${access_token}` }

const lesson = 'generated/2'
const room = ok(
  await api.putHostedRoom(lesson, {
    title: 'Generated',
    starts_at: '2030-09-01T10:00:00+03:00',
    recording: { mode: 'manual', format: 'mp4', keep_days: 30 },
    features: { files: false },
    metadata: { course: 'B1' },
  }),
)
const anna = ok(await api.putPerson(lesson, 'teacher-9', { display_name: 'Anna', role: 'teacher' }))
const rotated = ok(await api.rotatePersonLink(lesson, 'teacher-9', { idempotencyKey: 'k-1' }))
const again = ok(await api.rotatePersonLink(lesson, 'teacher-9', { idempotencyKey: 'k-1' }))
const { people } = ok(await api.listPeople(lesson, { limit: 10 }))
const { live } = ok(await api.listLiveParticipants(lesson))
const start = await api.startRoomRecording(lesson)
const endpoint = ok(
  await api.addEndpoint({ url: 'https://partner.example/events', events: ['room.deleted'] }),
)
const changed = ok(await api.updateEndpoint(endpoint.id, { enabled: false }))
const test = await api.testEndpoint(endpoint.id)
const { recordings } = ok(await api.listRoomRecordings({ room: lesson }))
const { transcripts } = ok(await api.listRoomTranscripts(lesson))
const { events, last } = ok(await api.listEvents({ $type: 'room.started', order: 'desc' }))
const usage = ok(await api.getUsage('2030-09'))
ok(await api.deleteHostedRoom(lesson))
const deleted = await api.getHostedRoom(lesson)

// The types know statuses and codes: the compiler rejects any other.
const isNotLive = start.status === 409 && start.data.code === 'room_not_live'
const isDisabled = test.status === 409 && test.data.code === 'endpoint_disabled'
const isMissing = deleted.status === 404 && deleted.data.code === 'room_not_found'

console.log(
  JSON.stringify({
    room: [room.created, room.starts_at, room.recording.format, room.features.files, room.metadata],
    people: people.map(({ external_id, role }) => [external_id, role]),
    links: [rotated.join_url !== anna.join_url, rotated.join_url === again.join_url],
    live,
    isNotLive,
    hasSecret: endpoint.secret.length > 0,
    isEnabled: changed.enabled,
    isDisabled,
    lists: [recordings, transcripts, events],
    last,
    minutes: usage.participant_minutes,
    isMissing,
  }),
)
