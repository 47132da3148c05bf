import { base64url, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enterLink, type Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { JWT_SECRET, startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const ROUTES = [
  ['GET', '/server_info'],
  ['PUT', '/rooms/a'],
  ['GET', '/rooms/a'],
  ['PATCH', '/rooms/a'],
  ['POST', '/rooms/a/cancel'],
  ['POST', '/rooms/a/close'],
  ['GET', '/rooms/a/status'],
  ['PUT', '/webhook'],
  ['GET', '/webhook'],
] as const

/** A token that was just used is cached for a moment. */
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 100_000, interval: 20 })
const info = (token: string) => server.call('GET', '/api/v1/integration/server_info', { token })
const claims = () => ({
  sub: 'school',
  client_id: school.account.clientId,
  account_created_at: school.account.createdAt,
  scopes: ['integration:rooms'],
  iss: 'lectern',
  aud: 'lectern:service',
})
const key = (secret: string) => new TextEncoder().encode(secret)
const sign = (changes: object = {}, secret = JWT_SECRET, alg = 'HS256') =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + 60, ...claims(), ...changes })
    .setProtectedHeader({ alg })
    .sign(key(secret))

describe.each(ROUTES)('%s %s', (method, path) => {
  it('requires a service token with the scope integration:rooms (TOKEN-2, TOKEN-5)', async () => {
    const send = (headers: Record<string, string>) =>
      server.call(method, `/api/v1/integration${path}`, { headers })
    expect(await send({})).toEqual(refused(401, 'unauthenticated'))
    expect(await send({ authorization: `Basic ${school.token}` })).toEqual(refused(401, 'unauthenticated'))
    expect(await send({ authorization: school.token })).toEqual(refused(401, 'unauthenticated'))
    expect((await send({})).headers['www-authenticate']).toBe('Bearer')
    const blobOnly = await sign({ scopes: ['blob'] })
    expect(await send({ authorization: `Bearer ${blobOnly}` })).toEqual(refused(403, 'permission_denied'))
  })
})

describe('a service token', () => {
  it('is accepted with "Bearer" in any case', async () => {
    expect((await info(school.token)).status).toBe(200)
    const headers = { authorization: `bearer ${school.token}` }
    expect((await server.call('GET', '/api/v1/integration/server_info', { headers })).status).toBe(200)
    expect((await info(await sign())).status).toBe(200) // each forgery below differs in one property
  })

  it.each([
    ['another key', () => sign({}, 'another secret, long enough to be one')],
    ['another algorithm', () => sign({}, JWT_SECRET, 'HS512')],
    ['no algorithm', async () => new UnsecuredJWT({ ...claims(), exp: 4e9 }).encode()],
    ['another audience', () => sign({ aud: 'lectern:user' })],
    ['no audience', () => sign({ aud: undefined })],
    ['another issuer', () => sign({ iss: 'somebody' })],
    ['no expiry', () => sign({ exp: undefined })],
    ['another account', () => sign({ sub: 'clinic' })],
    ['another owner', () => sign({ client_id: school.account.clientId + 1 })],
    ['an earlier account of that name', () => sign({ account_created_at: 1_700_000_000 })],
    ['an earlier account, of an earlier version', () => sign({ account_created_at: undefined, iat: 1e9 })],
    ['no account', () => sign({ sub: undefined })],
    ['a not-before in the future', () => sign({ nbf: 4e9 })],
    ['no content', async () => 'x'],
    ['too much content', () => sign({ padding: 'x'.repeat(5000) })],
  ])('is rejected with %s', async (_, forge) => {
    expect(await info(await forge())).toEqual(refused(401, 'unauthenticated'))
  })

  it('is refused when any part of it is modified', async () => {
    const [header, payload, signature] = school.token.split('.') as [string, string, string]
    const raised = base64url.encode(JSON.stringify({ ...claims(), exp: 4e9, scopes: ['blob'] }))
    for (const forged of [
      `${header}.${raised}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.x`,
    ])
      expect(await info(forged)).toEqual(refused(401, 'unauthenticated'))
  })

  it('is refused with token_expired after it expires', async () => {
    expect(await info(await sign({ exp: Math.floor(Date.now() / 1000) - 1 }))).toEqual(
      refused(401, 'token_expired'),
    )
  })

  it('grants nothing if its scopes are not a list', async () => {
    for (const scopes of [undefined, 'integration:rooms', null, {}])
      expect((await info(await sign({ scopes }))).status, JSON.stringify(scopes)).toBe(403)
  })

  it('is not valid for the ordinary API, nor a user token for this one', async () => {
    expect(await server.call('GET', '/api/v1.0/me', { token: school.token })).toEqual(
      refused(401, 'unauthenticated'),
    )
    const room = await school.room('tokens', { teacher: { external_id: 't' } })
    const person = await enterLink(server.call, room.teacher_join_url)
    expect(await info(person.body.access_token)).toEqual(refused(401, 'unauthenticated'))
  })

  it('keeps the scopes that it was issued with (TOKEN-3)', async () => {
    const clinic = await server.addPartner('clinic', { scopes: ['blob'] })
    expect(await clinic.get('a')).toEqual(refused(403, 'permission_denied'))
    await server.operator.serviceAccounts.set('clinic', { scopes: ['blob', 'integration:rooms'] })
    expect(await clinic.get('a')).toEqual(refused(403, 'permission_denied'))
    await clinic.renewToken()
    expect(await clinic.get('a')).toEqual(refused(404, 'room_not_found'))
    await server.operator.serviceAccounts.set('clinic', { scopes: ['blob'] })
    expect(await clinic.get('a')).toEqual(refused(404, 'room_not_found'))
  })

  it('is refused while its account is disabled (TOKEN-4)', async () => {
    const gym = await server.addPartner('gym')
    expect(await gym.get('a')).toEqual(refused(404, 'room_not_found'))
    await server.operator.serviceAccounts.set('gym', { enabled: false })
    await soon(async () => expect(await gym.get('a')).toEqual(refused(401, 'unauthenticated')))
    expect(await gym.call('POST', '/rooms/a/close')).toEqual(refused(401, 'unauthenticated'))
    await server.operator.serviceAccounts.set('gym', { enabled: true })
    expect(await gym.get('a')).toEqual(refused(404, 'room_not_found'))
  })

  it('is refused after the technical user is deleted (TOKEN-4)', async () => {
    const club = await server.addPartner('club')
    expect(await club.get('a')).toEqual(refused(404, 'room_not_found'))
    await server.operator.users.remove('club-robot')
    await soon(async () => expect(await club.get('a')).toEqual(refused(401, 'unauthenticated')))
    expect(await club.renewToken()).toEqual(refused(401, 'invalid_credentials'))
  })

  it('works at once for a technical user that is created while the server runs', async () => {
    const fresh = await server.addPartner('fresh')
    expect((await fresh.put('a')).status).toBe(200)
  })
})
