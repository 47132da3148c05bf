/** The quickstart with a client that was generated from the OpenAPI document. Compiled and run by partner-packages.spec.ts. */
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const [baseUrl = '', service_account = '', client_secret = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })

const token = await client.POST('/api/v1/integration/auth/token', {
  body: { service_account, client_secret },
})
client.use({
  onRequest({ request }) {
    request.headers.set('Authorization', `Bearer ${token.data?.access_token}`)
  },
})

const params = { path: { external_id: 'generated/1' } }
const created = await client.PUT('/api/v1/integration/rooms/{external_id}', {
  params,
  body: { title: 'Generated', teacher: { display_name: 'Anna', external_id: 'teacher-9' }, student: null },
})
const status = await client.GET('/api/v1/integration/rooms/{external_id}/status', { params })
const listed = await client.GET('/api/v1/integration/rooms', { params: { query: { teacher: 'teacher-9' } } })
const changed = await client.PATCH('/api/v1/integration/rooms/{external_id}', {
  params,
  body: { title: 'Changed' },
})
const webhook = await client.PUT('/api/v1/integration/webhook', {
  body: {
    url: 'https://partner.example/hook',
    secret: 'a secret of enough characters',
    events: ['recording.ready'],
  },
})
const read = await client.GET('/api/v1/integration/webhook')
const deliveries = await client.GET('/api/v1/integration/webhook/deliveries', {
  params: { query: { status: 'failed' } },
})
const recordings = await client.GET('/api/v1.0/recordings')
const closed = await client.POST('/api/v1/integration/rooms/{external_id}/close', { params })
const unknown = await client.GET('/api/v1/integration/rooms/{external_id}', {
  params: { path: { external_id: 'none' } },
})

// The types know statuses and codes: the compiler rejects any other.
const status1: 'scheduled' | 'active' | 'cancelled' | 'closed' | undefined = closed.data?.status
const code = unknown.error && 'code' in unknown.error ? unknown.error.code : undefined
const isMissing = code === 'room_not_found'

console.log(
  JSON.stringify({
    type: token.data?.token_type,
    created: created.data?.created,
    teacher: created.data?.teacher.external_id,
    live: status.data?.live,
    listed: listed.data?.rooms.map(room => room.external_id),
    changed: changed.data?.title,
    webhook: webhook.data?.configured ?? webhook.error?.code,
    read: read.data?.events,
    deliveries: deliveries.data?.deliveries.length,
    recordings: recordings.data?.ok ?? recordings.error?.code,
    closed: status1,
    isMissing,
  }),
)
