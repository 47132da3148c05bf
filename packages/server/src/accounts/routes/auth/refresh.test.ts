import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('dora', { password: PASSWORD })
})
afterAll(() => server.close())

const post = (path: string, body?: unknown) => server.call('POST', `/api/v1.0/auth/${path}`, { body })
const PASSWORD = 'correct horse battery'
const signIn = async () => (await post('login', { login: 'dora', password: PASSWORD })).body
const refresh = (refreshToken: string, requestId?: string) =>
  post('refresh', { refresh_token: refreshToken, request_id: requestId })
const me = (token: string) => server.call('GET', '/api/v1.0/me', { token })
const REQUEST = 'request-0123456789'

describe('POST /auth/refresh', () => {
  it('returns new tokens of the same user each time', async () => {
    const first = await signIn()
    const second = await refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.user).toEqual(first.user)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    const third = await refresh(second.body.refresh_token)
    expect((await me(third.body.access_token)).status).toBe(200)
    expect((await me(first.access_token)).status).toBe(200)
  })

  it('ends the sign-in when a token is used twice', async () => {
    const first = await signIn()
    const second = await refresh(first.refresh_token)
    expect(await refresh(first.refresh_token)).toEqual(refused(401, 'session_ended'))
    expect(await refresh(second.body.refresh_token)).toEqual(refused(401, 'session_ended'))
    expect(await me(second.body.access_token)).toEqual(refused(401, 'session_ended'))
  })

  it('does not affect other sign-ins of the user', async () => {
    const password = 'correct horse'
    await server.addUser('anna', { password })
    const [one, two] = [
      await post('login', { login: 'anna', password }),
      await post('login', { login: 'anna', password }),
    ]
    await post('logout', { refresh_token: one.body.refresh_token })
    expect((await me(two.body.access_token)).status).toBe(200)
  })

  it('returns the same token for a retry with the same request_id (SIGN-3)', async () => {
    const first = await signIn()
    const second = await refresh(first.refresh_token, REQUEST)
    const again = await refresh(first.refresh_token, REQUEST)
    expect(again.body.refresh_token).toBe(second.body.refresh_token)
    expect((await refresh(second.body.refresh_token, `${REQUEST}-2`)).status).toBe(200)
  })

  it.each([
    ['another request_id', `${REQUEST}-other`],
    ['none', undefined],
  ])('treats a second use with %s as theft (SIGN-4)', async (_, requestId) => {
    const first = await signIn()
    const second = await refresh(first.refresh_token, REQUEST)
    expect(await refresh(first.refresh_token, requestId)).toEqual(refused(401, 'session_ended'))
    expect(await refresh(second.body.refresh_token)).toEqual(refused(401, 'session_ended'))
  })

  it('treats a retry after the next refresh as theft (SIGN-4)', async () => {
    const first = await signIn()
    const second = await refresh(first.refresh_token, REQUEST)
    await refresh(second.body.refresh_token, `${REQUEST}-2`)
    expect(await refresh(first.refresh_token, REQUEST)).toEqual(refused(401, 'session_ended'))
  })

  it('returns the same token to concurrent retries', async () => {
    const first = await signIn()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh_token, REQUEST)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  })

  it('accepts at most one of many concurrent callers without request_id', async () => {
    const first = await signIn()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh_token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await me(first.access_token)).toEqual(refused(401, 'session_ended'))
  })

  it('refuses forged and modified tokens', async () => {
    const { refresh_token: token, access_token } = await signIn()
    const [id, , mac] = token.split('.') as [string, string, string]
    for (const wrong of [
      'x',
      access_token.slice(0, 512),
      `${id}.2.${mac}`,
      `${id}.01.${mac}`,
      `${id}.1.${mac.slice(1)}`,
      `${'A'.repeat(22)}.1.${mac}`,
      ` ${token}`,
    ])
      expect(await refresh(wrong), wrong).toEqual(refused(401, 'session_ended'))
    expect((await refresh(token)).status).toBe(200)
  })

  it.each([
    [{}],
    [{ refresh_token: 5 }],
    [{ refresh_token: '' }],
    [{ refresh_token: 'x'.repeat(513) }],
    [null],
  ])('refuses the body %j', async body => {
    expect(await post('refresh', body)).toEqual(refused(400, 'invalid_argument'))
  })

  it('requires a request_id of 16 to 64 characters (SIGN-3)', async () => {
    const { refresh_token } = await signIn()
    for (const request_id of ['x'.repeat(15), 'x'.repeat(65), 5])
      expect(await post('refresh', { refresh_token, request_id })).toEqual(refused(400, 'invalid_argument'))
    expect((await refresh(refresh_token, 'x'.repeat(64))).status).toBe(200)
  })
})

describe('a change of JwtSecret', () => {
  it('keeps refresh tokens of users and guests valid across a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-rotation-'))
    const start = (JwtSecret: string) => startTestServer({ Server: { JwtSecret } }, folder)
    const before = await start('the first secret, long enough to be one')
    await before.addUser('dora', { password: PASSWORD })
    const sent = { body: { login: 'dora', password: PASSWORD } }
    const [user, guest] = [
      (await before.call('POST', '/api/v1.0/auth/login', sent)).body,
      (await before.call('POST', '/api/v1.0/auth/guest')).body,
    ]
    await before.stop()

    const after = await start('the second secret, long enough to be one')
    for (const signIn of [user, guest]) {
      const own = () => after.call('GET', '/api/v1.0/me', { token: signIn.access_token })
      expect(await own()).toEqual(refused(401, 'unauthenticated'))
      const body = { refresh_token: signIn.refresh_token, request_id: REQUEST }
      const answer = await after.call('POST', '/api/v1.0/auth/refresh', { body })
      expect(answer).toMatchObject({ status: 200, body: { user: signIn.user } })
      expect((await after.call('GET', '/api/v1.0/me', { token: answer.body.access_token })).status).toBe(200)
    }
    await after.close()
  })
})

describe('a server with other data', () => {
  it('answers a guest with account_deleted and a user with session_ended', async () => {
    const other = await startTestServer()
    const refreshWith = (refresh_token: string) =>
      other.call('POST', '/api/v1.0/auth/refresh', { body: { refresh_token } })
    const guest = (await post('guest')).body
    expect(await refreshWith(guest.refresh_token)).toEqual(refused(401, 'account_deleted'))
    expect(await refreshWith((await signIn()).refresh_token)).toEqual(refused(401, 'session_ended'))
    await other.close()
  })
})

describe('POST /auth/logout', () => {
  it('revokes access and refresh tokens at once, and is idempotent (SIGN-5)', async () => {
    const { access_token, refresh_token } = await signIn()
    expect((await me(access_token)).status).toBe(200)
    for (const _ of [1, 2])
      expect(await post('logout', { refresh_token })).toMatchObject({ status: 200, body: { result: 200 } })
    expect(await me(access_token)).toEqual(refused(401, 'session_ended'))
    expect(await refresh(refresh_token)).toEqual(refused(401, 'session_ended'))
    expect(await post('logout', { refresh_token: 'rubbish' })).toEqual(refused(401, 'session_ended'))
  })

  it('answers a guest whose sign-in has ended with account_deleted (SIGN-6)', async () => {
    const guest = (await post('guest')).body
    await post('logout', { refresh_token: guest.refresh_token })
    expect(await refresh(guest.refresh_token)).toMatchObject(refused(401, 'account_deleted'))
    expect(await me(guest.access_token)).toMatchObject(refused(401, 'account_deleted'))
    const copied = (await post('guest')).body
    await refresh(copied.refresh_token)
    expect(await refresh(copied.refresh_token)).toMatchObject(refused(401, 'account_deleted'))
  })
})
