import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../testing/http.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const BASE = '/api/v1/integration'
const ROOM = `${BASE}/rooms/lesson-42`

let server: TestServer
let service: string
let user: string
beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  service = (await server.addPartner('school')).token
  const { login, password } = await server.addUser('anna', { capabilities: ['admin', 'recordings.access'] })
  user = (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token
})
afterAll(() => server.close())

/** Returns the status; throws unless the document has this answer of this operation. */
async function send(name: string, options: Call = {}): Promise<number> {
  const [method = '', path = ''] = name.split(' ')
  return (await server.call(method, path, options)).status
}

const webhook = { url: 'http://127.0.0.1:9/hook', secret: 'a secret of enough characters' }

describe('responses conform to the OpenAPI document', () => {
  it('of the partner API', async () => {
    const as = { token: service }
    expect(
      await send(`PUT ${ROOM}`, { ...as, body: { teacher: { display_name: 'Anna', external_id: 'a' } } }),
    ).toBe(200)
    expect(await send(`PUT ${ROOM}`, { ...as, body: { starts_at: 'tomorrow' } })).toBe(400)
    for (const path of [ROOM, `${ROOM}/status`, `${BASE}/rooms`, `${BASE}/server_info`])
      expect(await send(`GET ${path}`, as), path).toBe(200)
    expect(await send(`PATCH ${ROOM}`, { ...as, body: { title: 'Algebra', description: null } })).toBe(200)
    expect(await send(`GET ${BASE}/rooms/none`, as)).toBe(404)
    expect(await send(`GET ${ROOM}`)).toBe(401)
    expect(await send(`GET ${ROOM}`, { token: user })).toBe(401)
    expect(await send(`PUT ${ROOM}`, { ...as, raw: '{' })).toBe(400)
    expect(await send(`PUT ${ROOM}`, { ...as, raw: 'x', headers: { 'content-type': 'text/plain' } })).toBe(
      415,
    )
    expect(await send(`PUT ${ROOM}`, { ...as, raw: ' '.repeat(70_000) })).toBe(413)
    expect(await send(`GET ${BASE}/join/nothing`)).toBe(401)
    expect(await send(`POST ${ROOM}/close`, as)).toBe(200)
    expect(await send(`POST ${ROOM}/cancel`, as)).toBe(200)
  })

  it('of webhooks and their deliveries', async () => {
    const as = { token: service }
    expect(await send(`GET ${BASE}/webhook`, as)).toBe(200)
    expect(await send(`POST ${BASE}/webhook/test`, as)).toBe(409)
    expect(await send(`PUT ${BASE}/webhook`, { ...as, body: webhook })).toBe(200)
    expect(await send(`POST ${BASE}/webhook/test`, as)).toBe(200)
    expect(
      await send(`POST ${BASE}/webhook/rotate`, { ...as, body: { secret: 'another secret of mine' } }),
    ).toBe(200)
    expect(
      await send(`POST ${BASE}/webhook/rotate`, { ...as, body: { secret: 'a third secret of mine' } }),
    ).toBe(409)
    expect(await send(`POST ${BASE}/webhook/rotate/finish`, as)).toBe(200)
    expect(await send(`GET ${BASE}/webhook/deliveries`, as)).toBe(200)
    expect(await send(`GET ${BASE}/webhook/deliveries/none`, as)).toBe(404)
    expect(await send(`DELETE ${BASE}/webhook`, as)).toBe(200)
  })

  it('of accounts, conferences and recordings', async () => {
    const as = { token: user }
    for (const path of [
      'me',
      'me/sign-ins',
      'me/identities',
      'me/recordings',
      'conferences',
      'recordings',
      'server_info',
    ])
      expect(await send(`GET /api/v1.0/${path}`, as), path).toBe(200)
    expect(await send('POST /api/v1.0/auth/guest', { body: {} })).toBe(200)
    expect(await send('POST /api/v1.0/auth/login', { body: { login: 'anna', password: 'wrong' } })).toBe(401)
    expect(await send('POST /api/v1.0/auth/refresh', { body: { refresh_token: 'u-none' } })).toBe(401)
    expect(await send('POST /api/v1.0/auth/sso/start')).toBe(404)
    expect(await send('GET /api/v1.0/invitations/none')).toBe(404)
    expect(await send('POST /api/v1.0/conferences', { ...as, body: { title: 'Meeting' } })).toBe(200)
    expect(await send('GET /api/v1.0/conferences/none')).toBe(404)
    expect(await send('GET /api/v1.0/users?search=a', as)).toBe(403)
    expect(await send('GET /api/v1.0/me/recordings/none', as)).toBe(404)
    expect(await send('GET /api/storage/blobs/none', as)).toBe(404)
    expect(await send('HEAD /api/storage/blobs/none', as)).toBe(404)
    expect(await send('POST /api/storage/uploads', as)).toBe(412)
    expect(await send('PATCH /api/storage/uploads/none', { ...as, raw: 'x' })).toBe(400)
  })

  it('of the administration', async () => {
    const as = { token: user }
    const lists = [
      'users',
      'service-accounts',
      'rooms',
      'sessions',
      'jobs',
      'recordings',
      'transcripts',
      'audit',
    ]
    for (const name of [...lists, 'webhook-deliveries', 'push-queue', 'health', 'storage', 'samples'])
      expect(await send(`GET /api/v1.0/admin/${name}`, as), name).toBe(200)
    for (const name of [
      'users/999',
      'service-accounts/none',
      'sessions/999',
      'transcripts/none',
      'webhook-deliveries/none',
    ])
      expect(await send(`GET /api/v1.0/admin/${name}`, as), name).toBe(404)
    expect(await send('GET /api/v1.0/admin/users')).toBe(401)
    expect(await send('POST /api/v1.0/admin/users', { ...as, body: { login: 'anna' } })).toBe(409)
    expect(await send('POST /api/v1.0/admin/users', { ...as, body: { login: 'new' } })).toBe(200)
    expect(await send('POST /api/v1.0/admin/jobs/none/cancel', as)).toBe(404)
  })

  it('of the partner console', async () => {
    const as = { token: user }
    const base = '/api/v1.0/admin/service-accounts'
    const create = (body: object) => send(`POST ${base}`, { ...as, body: { scopes: ['blob'], ...body } })
    expect(await create({ name: 'school', login: 'school-robot' })).toBe(409)
    expect(await create({ name: 'clinic', login: 'nobody' })).toBe(404)
    expect(await create({ name: 'clinic', login: 'school-robot' })).toBe(200)
    expect(await send(`PATCH ${base}/none`, { ...as, body: { enabled: false } })).toBe(404)
    expect(await send(`PATCH ${base}/clinic`, { ...as, body: { enabled: false } })).toBe(200)
    for (const path of ['rooms', 'webhook-deliveries', 'webhook']) {
      expect(await send(`GET ${base}/school/${path}`, as), path).toBe(200)
      expect(await send(`GET ${base}/none/${path}`, as), path).toBe(404)
    }
    expect(await send(`POST ${base}/school/webhook/test`, as)).toBe(409)
    await server.call('PUT', `${BASE}/webhook`, { token: service, body: webhook })
    await server.call('PUT', `${BASE}/webhook`, { token: service, body: { enabled: false } })
    expect(await send(`POST ${base}/school/webhook/test`, as)).toBe(409)
    expect(await send(`POST ${base}/school/webhook/rotate`, as)).toBe(200)
    expect(await send(`POST ${base}/school/webhook/rotate/finish`, as)).toBe(200)
    expect(await send(`DELETE ${base}/school/webhook`, as)).toBe(200)
  })

  it('while the partner module is disabled', async () => {
    const alone = await startTestServer({ Integration: { Enabled: '0' } })
    try {
      const { login, password } = await alone.addUser('anna', { capabilities: ['admin'] })
      const { body } = await alone.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
      const statusOf = async (method: string, path: string, sent?: object) =>
        (await alone.call(method, `/api/v1.0/admin/${path}`, { token: body.access_token, body: sent })).status
      const account = 'service-accounts/school'
      for (const [method, path, sent] of [
        ['GET', account],
        ['PATCH', account, { enabled: true }],
        ['GET', `${account}/rooms`],
        ['GET', `${account}/webhook`],
        ['GET', `${account}/webhook-deliveries`],
        ['DELETE', `${account}/webhook`],
        ['POST', `${account}/webhook/test`],
        ['POST', `${account}/webhook/rotate`],
        ['POST', `${account}/webhook/rotate/finish`],
        ['GET', 'webhook-deliveries/1'],
        ['POST', 'webhook-deliveries/1/replay'],
      ] as const)
        expect(await statusOf(method, path, sent), `${method} ${path}`).toBe(409)
    } finally {
      await alone.close()
    }
  })
})
