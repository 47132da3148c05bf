import { verifyWebhook } from '@lectern/partner'
import type { AuditRecord } from '@lectern/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../platform/delivery/testing/receiver.ts'
import { type Partner, requestToken } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const SECRET = 'a secret of some length'

let server: TestServer
let receiver: Receiver
let school: Partner
let boss: string
beforeAll(async () => {
  server = await startTestServer({
    Integration: { AllowInsecureWebhooks: '1' },
    Server: { LogLevel: 'trace' },
  })
  receiver = await startReceiver()
  await server.addUser('boss', { password: 'correct horse', capabilities: ['admin'] })
  const login = { login: 'boss', password: 'correct horse' }
  boss = (await server.call('POST', '/api/v1.0/auth/login', { body: login })).body.access_token
  await server.addUser('school-robot', { kind: 'technical' })
  school = await server.addPartner('school/1ü', { user: 'school-robot' })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const NAME = encodeURIComponent('school/1ü')
const send = (method: string, path: string, body?: object) =>
  server.call(method, `/api/v1.0/admin/service-accounts/${path}`, { token: boss, ...(body && { body }) })
const lastAudit = async (): Promise<AuditRecord> =>
  (await server.call('GET', '/api/v1.0/admin/audit?limit=1', { token: boss })).body.records[0]

describe('the console of a service account', () => {
  it('shows the account, its rooms without links, its webhook and its deliveries, and not those of others', async () => {
    const clinic = await server.addPartner('clinic')
    await school.room('lesson-1', { title: 'Algebra' })
    await school.room('lesson-2')
    await school.call('POST', '/rooms/lesson-2/close')
    await clinic.room('visit-1')
    expect((await send('GET', NAME)).body).toMatchObject({ name: 'school/1ü', enabled: true })
    const { body } = await send('GET', `${NAME}/rooms?limit=1`)
    expect(body.rooms).toMatchObject([{ external_id: 'lesson-2', status: 'closed', live: false }])
    expect(JSON.stringify(body)).not.toContain('/j/')
    const rest = (await send('GET', `${NAME}/rooms?before=${body.next}`)).body
    expect(rest).toMatchObject({ rooms: [{ external_id: 'lesson-1' }], next: null })
    expect((await send('GET', `${NAME}/rooms?status=scheduled&search=alg`)).body.rooms).toHaveLength(1)
    expect((await send('GET', `${NAME}/webhook`)).body).toMatchObject({ configured: false })
    expect((await send('GET', 'clinic/webhook-deliveries')).body).toEqual({
      result: 200,
      deliveries: [],
      next: null,
    })
  })

  it('tests the webhook, replaces its secret and removes it; each is in the audit log, without the secret', async () => {
    expect(await send('POST', `${NAME}/webhook/test`)).toEqual(refused(409, 'webhook_not_configured'))
    expect(await lastAudit()).toMatchObject({ action: 'webhook.test', outcome: 'refused' })
    await school.call('PUT', '/webhook', { body: { url: receiver.url, secret: SECRET } })

    const shown = (await send('GET', `${NAME}/webhook`)).body
    expect(shown).toMatchObject({ configured: true, secret_configured: true })
    expect(shown.url).toBe(receiver.url.replace('/hook', '/***'))

    const test = await send('POST', `${NAME}/webhook/test`)
    expect(test.body).toMatchObject({
      event: 'webhook.test',
      service_account: 'school/1ü',
      status: 'pending',
    })
    const about = { actor: 'boss', target_kind: 'service_account', target: 'school/1ü', outcome: 'done' }
    expect(await lastAudit()).toMatchObject({ ...about, action: 'webhook.test' })
    const list = () => send('GET', `${NAME}/webhook-deliveries`)
    await expect
      .poll(async () => (await list()).body.deliveries)
      .toMatchObject([{ id: test.body.id, status: 'delivered' }])

    const rotated = (await send('POST', `${NAME}/webhook/rotate`, { overlap_seconds: 600 })).body
    expect(rotated).toMatchObject({ secret: expect.stringMatching(/^[\w-]{43}$/), enabled: true })
    expect(await lastAudit()).toMatchObject({
      ...about,
      action: 'webhook.rotate',
      details: { overlap_seconds: 600 },
    })
    expect(await send('POST', `${NAME}/webhook/rotate`)).toEqual(refused(409, 'rotation_in_progress'))
    await send('POST', `${NAME}/webhook/test`)
    await expect.poll(() => receiver.received.length).toBe(2)
    const { body = '', headers = {} } = receiver.received[1] ?? {}
    for (const secret of [SECRET, rotated.secret])
      expect(verifyWebhook({ rawBody: body, headers, secret }).type).toBe('webhook.test')

    const finished = await send('POST', `${NAME}/webhook/rotate/finish`)
    expect(finished.body.previous_secret_expires_at).toBeNull()
    expect(await lastAudit()).toMatchObject({ ...about, action: 'webhook.finish_rotation' })
    expect((await send('DELETE', `${NAME}/webhook`)).body.configured).toBe(false)
    expect(await lastAudit()).toMatchObject({ ...about, action: 'webhook.delete' })
    expect((await school.call('GET', '/webhook')).body.configured).toBe(false)

    const audit = (await server.call('GET', '/api/v1.0/admin/audit?limit=200', { token: boss })).body
    for (const secret of [SECRET, rotated.secret]) {
      expect(JSON.stringify(audit)).not.toContain(secret)
      expect(server.log()).not.toContain(secret)
    }
  })

  it('replaces the client secret and revokes the one before; both are in the audit log, without the secret', async () => {
    const path = `${NAME}/client-secret`
    const issue = async (secret: string) => (await requestToken(server.call, 'school/1ü', secret)).status
    expect((await send('GET', path)).body.previous_secret_expires_at).toBeNull()
    const { client_secret, ...state } = (await send('POST', `${path}/rotate`, { overlap_seconds: 600 })).body
    expect(state.previous_secret_expires_at).toMatch(/Z$/)
    expect((await send('GET', path)).body).toEqual(state)
    expect(await lastAudit()).toMatchObject({
      actor: 'boss',
      action: 'service_account.rotate',
      target: 'school/1ü',
      details: { overlap_seconds: 600 },
    })
    expect(await send('POST', `${path}/rotate`)).toEqual(refused(409, 'rotation_in_progress'))
    expect([await issue(school.secret), await issue(client_secret)]).toEqual([200, 200])
    expect((await send('POST', `${path}/rotate/finish`)).body.previous_secret_expires_at).toBeNull()
    expect(await lastAudit()).toMatchObject({ action: 'service_account.finish_rotation', outcome: 'done' })
    expect([await issue(school.secret), await issue(client_secret)]).toEqual([401, 200])
    const audit = (await server.call('GET', '/api/v1.0/admin/audit?limit=200', { token: boss })).body
    expect(JSON.stringify(audit) + server.log()).not.toContain(client_secret)
  })

  it('answers 404 for unknown accounts', async () => {
    for (const [method, path] of [
      ['GET', 'none'],
      ['GET', 'none/rooms'],
      ['GET', 'none/webhook'],
      ['GET', 'none/webhook-deliveries'],
      ['POST', 'none/webhook/test'],
      ['POST', 'none/webhook/rotate'],
      ['POST', 'none/webhook/rotate/finish'],
      ['DELETE', 'none/webhook'],
      ['GET', 'none/client-secret'],
      ['POST', 'none/client-secret/rotate'],
      ['POST', 'none/client-secret/rotate/finish'],
      ['PUT', 'none/owners/boss'],
      ['DELETE', 'none/owners/boss'],
    ] as const)
      expect(await send(method, path), path).toEqual(refused(404, 'service_account_not_found'))
  })
})
