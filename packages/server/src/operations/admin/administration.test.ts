import { AUDIT_ACTIONS, type AuditRecord } from '@lectern/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type Sample, sampleRequests } from './testing/operations.ts'

let server: TestServer
let samples: Sample[]
let boss: string
let anna: string

const signIn = async (login: string, password: string) =>
  (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('boss', { password: 'correct horse', capabilities: ['admin'] })
  await server.addUser('anna', { password: 'correct horse' })
  boss = await signIn('boss', 'correct horse')
  anna = await signIn('anna', 'correct horse')
  samples = await sampleRequests()
})
afterAll(() => server.close())

const send = ({ method, path, body }: Sample, token?: string) =>
  server.call(method, path, { ...(token !== undefined && { token }), ...(body && { body }) })
const changes = () => samples.filter(({ method }) => method !== 'GET')
const records = async (query = ''): Promise<AuditRecord[]> =>
  (await server.call('GET', `/api/v1.0/admin/audit${query}`, { token: boss })).body.records

describe('every route of the administration API', () => {
  it('answers 401 without a token, and 403 without the capability, and audits neither (ADMIN-1, AUDIT-5)', async () => {
    expect(samples.length).toBeGreaterThan(10)
    const school = await server.addPartner('school')
    const before = await records('?limit=1')
    for (const sample of samples) {
      expect(await send(sample), sample.name).toEqual(refused(401, 'unauthenticated'))
      expect(await send(sample, school.token), sample.name).toEqual(refused(401, 'unauthenticated'))
      expect(await send(sample, anna), sample.name).toEqual(refused(403, 'permission_denied'))
    }
    expect(await records('?limit=1')).toEqual(before)
  })

  it('accepts the samples of these tests: none is malformed', async () => {
    for (const sample of samples.filter(({ method }) => method === 'GET'))
      expect((await send(sample, boss)).status, sample.name).not.toBe(400)
  })

  it('AUDIT-1 writes one row for an action, with actor, action, target, outcome and address', async () => {
    expect(changes().length).toBeGreaterThan(5)
    for (const sample of changes()) {
      const [before] = await records('?limit=1')
      const answer = await send(sample, boss)
      const [row, previous] = await records('?limit=2')
      expect(previous?.id, sample.name).toEqual(before?.id)
      expect(Object.keys(AUDIT_ACTIONS), sample.name).toContain(row?.action)
      expect(row, sample.name).toMatchObject({
        actor_kind: 'user',
        actor: 'boss',
        actor_user_id: expect.any(Number),
        address: '127.0.0.1',
        target: expect.stringMatching(/./),
        outcome: answer.status === 200 ? 'done' : 'refused',
        code: answer.status === 200 ? null : answer.body.code,
      })
    }
  })

  it('AUDIT-6 writes no row for reading, except the text of a transcript', async () => {
    const [before] = await records('?limit=1')
    for (const sample of samples.filter(({ method }) => method === 'GET')) await send(sample, boss)
    const rows = (await records()).filter(({ id }) => Number(id) > Number(before?.id))
    expect(rows.map(({ action }) => action)).toEqual(['transcript.read'])
  })

  it('rejects malformed queries, and revokes the capability at once (ADMIN-1)', async () => {
    for (const query of ['?limit=0', '?limit=201', '?before=x', '?limit=1&limit=2'])
      expect(await server.call('GET', `/api/v1.0/admin/users${query}`, { token: boss }), query).toEqual(
        refused(400, 'invalid_argument'),
      )
    await server.operator.users.add('temp', { password: 'correct horse', capabilities: ['admin'] })
    const temp = await signIn('temp', 'correct horse')
    const list = () => server.call('GET', '/api/v1.0/admin/users', { token: temp })
    expect((await list()).status).toBe(200)
    await server.operator.users.set('temp', { capabilities: [] })
    expect(await list()).toEqual(refused(403, 'permission_denied'))
  })
})

describe('the command line', () => {
  it('AUDIT-1 writes a row for an action, refused ones included, and none for reading', async () => {
    const { users, serviceAccounts } = server.operator
    await users.add('carla', { password: 'a secret word', capabilities: ['recordings.access'] })
    await users.set('carla', { password: 'another secret', disabled: true })
    await users.list()
    await expect(users.remove('nobody')).rejects.toThrow()
    await serviceAccounts.token('school')
    const rows = (await records('?limit=4')).map(({ action, target, outcome, details, code }) => ({
      action,
      target,
      outcome,
      details,
      code,
    }))
    expect(rows).toEqual([
      { action: 'service_account.issue_token', target: 'school', outcome: 'done', details: {}, code: null },
      { action: 'user.delete', target: 'nobody', outcome: 'refused', details: {}, code: 'user_not_found' },
      {
        action: 'user.change',
        target: 'carla',
        outcome: 'done',
        details: { disabled: true, password: 'set' },
        code: null,
      },
      {
        action: 'user.create',
        target: 'carla',
        outcome: 'done',
        details: { kind: 'ordinary', capabilities: ['recordings.access'], password: 'set' },
        code: null,
      },
    ])
    expect((await records('?limit=1'))[0]).toMatchObject({ actor_kind: 'command_line', address: null })
  })

  it('names its user also for requests with its token', async () => {
    const token = await server.operator.adminToken()
    await server.call('GET', '/api/v1.0/admin/transcripts/none', { token })
    expect((await records('?limit=1'))[0]).toMatchObject({
      action: 'transcript.read',
      target: 'none',
      actor_kind: 'command_line',
      actor: expect.stringMatching(/./),
      address: '127.0.0.1',
    })
  })
})

describe('the audit log', () => {
  it('AUDIT-3 contains no secrets', async () => {
    const created = await server.call('POST', '/api/v1.0/admin/users', {
      token: boss,
      body: { login: 'dora' },
    })
    const body = { name: 'college', login: 'school-robot', scopes: ['integration:rooms'] }
    const account = await server.call('POST', '/api/v1.0/admin/service-accounts', { token: boss, body })
    const again = await server.call('POST', '/api/v1.0/admin/service-accounts', { token: boss, body })
    expect(again).toEqual(refused(409, 'service_account_exists', expect.stringContaining('college')))
    const path = `/api/v1.0/admin/users/${created.body.user_id}`
    await server.call('PATCH', path, { token: boss, body: { password: 'the very secret one' } })
    const text = JSON.stringify(await records('?limit=200'))
    for (const secret of [
      created.body.password,
      account.body.client_secret,
      'the very secret one',
      'correct horse',
    ])
      expect([secret?.length > 7, text.includes(secret)]).toEqual([true, false])
    expect(text).toContain('"password":"set"')
  })

  it('filters and pages', async () => {
    const all = await records('?limit=200')
    const first = (await server.call('GET', '/api/v1.0/admin/audit?limit=2', { token: boss })).body
    const second = await records(`?limit=2&before=${first.next}`)
    expect([...first.records, ...second].map(({ id }) => id)).toEqual(all.slice(0, 4).map(({ id }) => id))
    expect((await records('?action=user.create&search=DORA')).map(({ target }) => target)).toEqual(['dora'])
    expect((await records('?outcome=refused')).every(({ outcome }) => outcome === 'refused')).toBe(true)
  })
})
