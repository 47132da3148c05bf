import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../platform/delivery/testing/receiver.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { type ApiDocument, type ApiOperation, operationsOf } from '../../testing/api-document.ts'
import type { Answer } from '../../testing/http.ts'
import { Partner, requestToken } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { BASE, everything, parametersOf, SCOPES, send, UNKNOWN, type Values } from './testing/operations.ts'
import { openTestCalls, type Version2, version2 } from './testing.ts'

const HEADER = 'Lectern-Service-Account'
const NAME = 'school/1ü'
const password = 'correct horse'

let server: TestServer
let calls: Awaited<ReturnType<typeof openTestCalls>>
let archive: TestArchive
let receiver: Receiver
let school: Partner
let mine: Values
/** The token of Olga, who owns the school, and those of others who do not. */
let olga: string
let others: [person: string, token: string][]
let boss: string
let operations: [name: string, operation: ApiOperation][]

const signIn = async (login: string): Promise<string> =>
  (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token

/** Acts for a service account with the token of a user. */
const as =
  (token: string, name: string | null): Version2 =>
  (method, path, options = {}) => {
    const headers = { ...options.headers, ...(name !== null && { [HEADER]: encodeURIComponent(name) }) }
    return server.call(method, `${BASE}${path}`, { token, ...options, headers })
  }

beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  calls = await openTestCalls(server)
  archive = await openTestArchive(server)
  receiver = await startReceiver()
  school = await server.addPartner(NAME, {
    user: (await server.addUser('school-robot', { kind: 'technical' })).login,
    scopes: SCOPES,
  })
  await server.addPartner('clinic', { scopes: SCOPES })
  mine = await everything({ calls, archive, receiver }, version2(server, school), 'mine')
  for (const login of ['olga', 'carla', 'nobody']) await server.addUser(login, { password })
  await server.addUser('boss', { password, capabilities: ['admin'] })
  await server.operator.serviceAccounts.addOwner(NAME, 'olga')
  await server.operator.serviceAccounts.addOwner('clinic', 'carla')
  olga = await signIn('olga')
  boss = await signIn('boss')
  const guest = await server.call('POST', '/api/v1.0/auth/guest', { body: { display_name: 'Guest' } })
  others = [
    ['the owner of another one', await signIn('carla')],
    ['a user', await signIn('nobody')],
    ['an administrator', boss],
    ['a guest', guest.body.access_token],
  ]
  const document = (await server.call('GET', '/api/openapi.json')).body as ApiDocument
  operations = operationsOf(document).filter(([name]) => name.startsWith(`${name.split(' ')[0]} ${BASE}/`))
})
afterAll(async () => {
  await archive.close()
  await calls.close()
  await server.close()
  await receiver.close()
})

const accepts = (scheme: string) => operations.filter(([, each]) => each.security.some(one => scheme in one))
const forOwners = () => accepts('user')
const shown = ({ status, body }: Answer) => ({ status, body })
const audit = async (limit: number) =>
  (await server.call('GET', `/api/v1.0/admin/audit?limit=${limit}`, { token: boss })).body.records

describe('an owner of a technical user', () => {
  it('OWNED-2 is refused what belongs to others as what nobody has, on every route of the reference', async () => {
    expect(forOwners().length).toBeGreaterThanOrEqual(20)
    const before = JSON.stringify(await calls.db.selectFrom('partner_endpoints').selectAll().execute())
    for (const [person, token] of others)
      for (const operation of forOwners()) {
        const answer = shown(await send(as(token, NAME), operation, mine))
        expect(answer, `${person}: ${operation[0]}`).toEqual(refused(404, 'service_account_not_found'))
        for (const name of ['nothing', null, '%'])
          expect(shown(await send(as(token, name), operation, mine)), operation[0]).toEqual(answer)
      }
    // Nor do owners reach things of others through their own.
    for (const [, token] of others.slice(0, 1))
      for (const operation of forOwners().filter(([name]) => parametersOf(name).length > 0)) {
        const answer = shown(await send(as(token, 'clinic'), operation, mine))
        expect(answer.status, operation[0]).toBe(404)
        expect(answer, operation[0]).toEqual(shown(await send(as(token, 'clinic'), operation, UNKNOWN)))
      }
    expect(JSON.stringify(await calls.db.selectFrom('partner_endpoints').selectAll().execute())).toBe(before)
  })

  it('OWNED-2 may do nothing but what the reference says', async () => {
    const closed = accepts('service').filter(([, each]) => !each.security.some(one => 'user' in one))
    expect(closed.length).toBeGreaterThan(20)
    for (const operation of closed)
      expect((await send(as(olga, NAME), operation, mine)).status, operation[0]).toBe(401)
    const ownersOnly = forOwners().filter(([, each]) => !each.security.some(one => 'service' in one))
    for (const operation of ownersOnly)
      expect((await send(version2(server, school), operation, mine)).status, operation[0]).toBe(401)
  })

  it('reads rooms, events and deliveries, newest first, and finds them', async () => {
    const api = as(olga, NAME)
    await version2(server, school)('PUT', '/rooms/second', { body: { title: 'Анатомия 100%' } })
    const rooms = async (query: string) => {
      const { body } = await api('GET', `/rooms?${query}`)
      return [body.rooms.map((each: { external_id: string }) => each.external_id), body.next]
    }
    const [[first], next] = await rooms('order=desc&limit=1')
    expect(first).toBe('second')
    expect(await rooms(`order=desc&limit=1&after=${next}`)).toEqual([['mine'], null])
    expect(await rooms(`search=${encodeURIComponent('анатомия 100%')}`)).toEqual([['second'], null])
    expect(await rooms('search=%25&status=closed')).toEqual([[], null])

    const events = async (query: string) => {
      const { body } = await api('GET', `/events?${query}`)
      return body.events.map((each: { type: string }) => each.type)
    }
    expect(await events('')).toEqual(['recording.ready', 'transcription.ready'])
    expect(await events('order=desc')).toEqual(['transcription.ready', 'recording.ready'])
    expect(await events('type=recording.ready&room=mine')).toEqual(['recording.ready'])
    expect(await events('room=second')).toEqual([])
    expect(await api('GET', '/events?room=none')).toEqual(refused(404, 'room_not_found'))
    const page = (await api('GET', '/events?order=desc&limit=1')).body
    const older = (await api('GET', `/events?order=desc&limit=1&after=${page.next}`)).body
    expect([older.events[0].type, older.next]).toEqual(['recording.ready', null])

    const path = `/endpoints/${mine.endpoint_id}/deliveries`
    const deliveries = async (query: string): Promise<string[]> =>
      (await api('GET', `${path}${query}`)).body.deliveries.map(({ id }: { id: string }) => id)
    const oldestFirst = await deliveries('')
    expect(oldestFirst).toHaveLength(3)
    expect(await deliveries('?order=desc')).toEqual(oldestFirst.reverse())
    const details = (await api('GET', `${path}/${mine.delivery_id}`)).body
    expect(details).toMatchObject({ type: 'webhook.test', payload: { type: 'webhook.test' } })
    expect(details.history).toHaveLength(1)
  })

  it('OWNED-4 sees neither links that open rooms nor what people said', async () => {
    const everythingRead = await Promise.all(
      forOwners()
        .filter(([name]) => name.startsWith('GET'))
        .map(operation => send(as(olga, NAME), operation, mine)),
    )
    expect(everythingRead.filter(({ status }) => status === 200).length).toBeGreaterThan(9)
    const ready = (await as(olga, NAME)('GET', '/events?type=transcription.ready')).body.events[0]
    expect(ready.data.transcription).toMatchObject({ id: mine.transcript_id, text: '', segments: [] })
    const path = `/endpoints/${mine.endpoint_id}/deliveries`
    const { deliveries } = (await as(olga, NAME)('GET', path)).body
    for (const { id } of deliveries) everythingRead.push(await as(olga, NAME)('GET', `${path}/${id}`))
    const text = JSON.stringify(everythingRead.map(({ body }) => body))
    expect(text).toContain('mine-1')
    for (const secret of ['/j/', '/conferences/', 'Good morning']) expect(text).not.toContain(secret)
  })

  it('OWNED-5 has one row in the audit log for a request that is repeated with its key', async () => {
    const options = { body: { url: receiver.url }, headers: { 'idempotency-key': 'once' } }
    const add = () => as(olga, NAME)('POST', '/endpoints', options)
    const { id } = (await add()).body
    expect((await add()).headers['idempotent-replayed']).toBe('true')
    const newest = await audit(2)
    expect(newest[0]).toMatchObject({ action: 'endpoint.create', target: id, outcome: 'done' })
    expect(newest[1]).not.toMatchObject({ action: 'endpoint.create' })
    await as(olga, NAME)('DELETE', `/endpoints/${id}`)
  })

  it('OWNED-5 changes endpoints and the client secret, each in the audit log, without secrets', async () => {
    const api = as(olga, NAME)
    const url = `${receiver.url}/secret-path`
    const added = (await api('POST', '/endpoints', { body: { url } })).body
    expect(added.secret).toMatch(/^whsec_/)
    await api('PATCH', `/endpoints/${added.id}`, { body: { enabled: false } })
    expect(await api('POST', `/endpoints/${added.id}/test`)).toEqual(refused(409, 'endpoint_disabled'))
    await api('DELETE', `/endpoints/${added.id}`)
    const replaced = (await api('POST', '/client-secret/rotate', { body: { overlap_seconds: 3_600 } })).body
    expect(await api('POST', '/client-secret/rotate')).toEqual(refused(409, 'rotation_in_progress'))
    const issue = async (secret: string) => (await requestToken(server.call, NAME, secret)).status
    expect([await issue(school.secret), await issue(replaced.client_secret)]).toEqual([200, 200])
    const state = (await api('GET', '/client-secret')).body
    expect(state).toEqual({
      result: 200,
      service_account: NAME,
      previous_secret_expires_at: replaced.previous_secret_expires_at,
    })
    expect((await api('POST', '/client-secret/rotate/finish')).body).toMatchObject({
      previous_secret_expires_at: null,
    })
    expect([await issue(school.secret), await issue(replaced.client_secret)]).toEqual([401, 200])
    const atOnce = (await api('POST', '/client-secret/rotate', { body: { overlap_seconds: 0 } })).body
    expect([await issue(replaced.client_secret), await issue(atOnce.client_secret)]).toEqual([401, 200])
    school = await Partner.open(server.call, school.account, atOnce.client_secret)

    const records = (await audit(8)).reverse()
    expect(
      records.map(({ actor, action, target, outcome }: Record<string, string>) => [
        actor,
        action,
        target,
        outcome,
      ]),
    ).toEqual([
      ['olga', 'endpoint.create', added.id, 'done'],
      ['olga', 'endpoint.change', added.id, 'done'],
      ['olga', 'endpoint.test', added.id, 'refused'],
      ['olga', 'endpoint.delete', added.id, 'done'],
      ['olga', 'service_account.rotate', NAME, 'done'],
      ['olga', 'service_account.rotate', NAME, 'refused'],
      ['olga', 'service_account.finish_rotation', NAME, 'done'],
      ['olga', 'service_account.rotate', NAME, 'done'],
    ])
    expect(records[0]).toMatchObject({ details: { service_account: NAME, changed: ['url'] } })
    const text = JSON.stringify(records)
    for (const secret of [added.secret, replaced.client_secret, atOnce.client_secret, 'secret-path'])
      expect(text).not.toContain(secret)
  })

  it('does not get the answer to an Idempotency-Key of the backend', async () => {
    const options = { body: { url: receiver.url }, headers: { 'Idempotency-Key': 'key-1' } }
    const backend = await version2(server, school)('POST', '/endpoints', options)
    const own = await as(olga, NAME)('POST', '/endpoints', options)
    expect([backend.status, own.status]).toEqual([200, 200])
    expect(own.body.secret).not.toBe(backend.body.secret)
    const again = await as(olga, NAME)('POST', '/endpoints', options)
    expect(again.body).toEqual(own.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    for (const { body } of [backend, own]) await as(olga, NAME)('DELETE', `/endpoints/${body.id}`)
  })
})

describe('who owns a technical user', () => {
  const listed = async (token: string) =>
    (await server.call('GET', '/api/v1.0/me/service-accounts', { token })).body
  const admin = (method: string, path: string) =>
    server.call(method, `/api/v1.0/admin/service-accounts/${path}`, { token: boss })

  it('OWNED-1 acts for all of its service accounts, and is in their lists', async () => {
    await server.addPartner('school-2', { user: 'school-robot' })
    expect((await listed(olga)).service_accounts).toEqual([
      { name: 'school-2', login: 'school-robot', enabled: true },
      { name: NAME, login: 'school-robot', enabled: true },
    ])
    for (const [, token] of others.slice(1)) expect((await listed(token)).service_accounts).toEqual([])
    expect((await admin('GET', 'school-2')).body.owners).toEqual(['olga'])
    await server.operator.serviceAccounts.set('school-2', { enabled: false })
    expect((await listed(olga)).service_accounts[0]).toMatchObject({ name: 'school-2', enabled: false })
    expect(await as(olga, 'school-2')('GET', '/rooms')).toEqual(
      refused(403, 'permission_denied', 'This service account is disabled.'),
    )
    await server.operator.serviceAccounts.remove('school-2')
    expect((await admin('GET', encodeURIComponent(NAME))).body.owners).toEqual(['olga'])
  })

  it('OWNED-1 is one of at most 20 people who sign in', async () => {
    await server.addPartner('museum')
    for (const wrong of ['museum-robot', 'school-robot'])
      expect((await admin('PUT', `museum/owners/${wrong}`)).status).toBe(400)
    expect(await admin('PUT', 'museum/owners/ghost')).toEqual(refused(404, 'user_not_found'))
    expect(await admin('PUT', 'nothing/owners/olga')).toEqual(refused(404, 'service_account_not_found'))
    const logins = Array.from({ length: 21 }, (_, i) => `person-of-museum-${i}`)
    for (const login of logins) await server.addUser(login)
    for (const login of logins.slice(0, 20))
      expect((await admin('PUT', `museum/owners/${login}`)).status).toBe(200)
    expect(await admin('PUT', `museum/owners/${logins[20]}`)).toEqual(refused(409, 'too_many_owners'))
    expect((await admin('PUT', `museum/owners/${logins[0]}`)).status).toBe(200)
    await admin('DELETE', `museum/owners/${logins[1]}`)
    expect((await admin('PUT', `museum/owners/${logins[20]}`)).status).toBe(200)
    expect((await audit(1))[0]).toMatchObject({
      actor: 'boss',
      action: 'service_account.add_owner',
      target: 'museum',
      details: { owner: logins[20] },
    })
  })

  it('OWNED-3 is refused at the next request after it was revoked', async () => {
    const rooms = () => as(olga, NAME)('GET', '/rooms')
    expect((await rooms()).status).toBe(200)
    await server.operator.serviceAccounts.removeOwner(NAME, 'olga')
    expect(await rooms()).toEqual(refused(404, 'service_account_not_found'))
    expect((await listed(olga)).service_accounts).toEqual([])
    await server.operator.serviceAccounts.addOwner(NAME, 'olga')
    expect((await rooms()).status).toBe(200)
  })

  it('OWNED-3 is nobody after the last service account was removed, or the account of the person', async () => {
    const rows = async () =>
      (await server.query('main', sql<{ n: number }>`SELECT count(*) AS n FROM partner_owners`))[0]?.n
    const before = Number(await rows())
    await server.addPartner('theatre')
    await server.addUser('temporary', { password })
    await server.operator.serviceAccounts.addOwner('theatre', 'temporary')
    await server.operator.serviceAccounts.addOwner('theatre', 'olga')
    await server.operator.users.remove('temporary')
    expect((await admin('GET', 'theatre')).body.owners).toEqual(['olga'])
    await server.operator.serviceAccounts.remove('theatre')
    expect(Number(await rows())).toBe(before)
  })
})
