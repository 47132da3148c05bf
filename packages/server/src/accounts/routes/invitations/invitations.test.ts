import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMainStore } from '../../../platform/db/open.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'trace' } })
})
afterAll(() => server.close())

const PASSWORD = 'chosen by Anna'
const read = (token: string) => server.call('GET', `/api/v1.0/invitations/${token}`)
const accept = (token: string, body: unknown = { password: PASSWORD }) =>
  server.call('POST', `/api/v1.0/invitations/${token}`, { body })
const signIn = (login: string, password: string) =>
  server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
const invite = async (login: string, settings = {}) =>
  (await server.operator.users.invite(login, settings)).token

const expire = async (userId: number) => {
  const store = await openMainStore(server.config.Db.Url)
  await store.db
    .updateTable('invitations')
    .set({ expires_at: Math.floor(Date.now() / 1000) })
    .where('user_id', '=', userId)
    .execute()
  await store.close()
}

describe('an invitation', () => {
  it('shows login and name, sets the password and signs in (SELF-7, SELF-9)', async () => {
    const token = await invite('Anna', { name: 'Anna Ä. 👋', capabilities: ['recordings.access'] })
    const shown = await read(token)
    expect(shown).toMatchObject({ status: 200 })
    expect(shown.body).toEqual({
      result: 200,
      login: 'anna',
      display_name: 'Anna Ä. 👋',
      has_password: false,
      expires_at_ms: expect.any(Number),
    })
    const days = (shown.body.expires_at_ms - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThanOrEqual(7)

    const answer = await accept(token)
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { login: 'anna', capabilities: ['recordings.access'] }, expires_in: 900 },
    })
    const { body } = await server.call('GET', '/api/v1.0/me', { token: answer.body.access_token })
    expect(body).toMatchObject({ login: 'anna', has_password: true })
    expect((await signIn('anna', PASSWORD)).status).toBe(200)
  })

  it('can be used once, also by concurrent callers (SELF-7)', async () => {
    const token = await invite('once')
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => accept(token, { password: `password ${i}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await signIn('once', `password ${winner}`)).status).toBe(200)
    expect(await read(token)).toEqual(refused(404, 'invitation_invalid'))
    expect(await accept(token)).toEqual(refused(404, 'invitation_invalid'))
  })

  it('is replaced by a newer one (SELF-7)', async () => {
    const first = await invite('twice')
    const second = await invite('twice')
    expect(await read(first)).toEqual(refused(404, 'invitation_invalid'))
    expect(await accept(first)).toEqual(refused(404, 'invitation_invalid'))
    expect((await accept(second)).status).toBe(200)
  })

  it('expires', async () => {
    const token = await invite('late')
    const { id } = await server.operator.users.find('late')
    await expire(id)
    expect(await read(token)).toEqual(refused(410, 'invitation_expired'))
    expect(await accept(token)).toEqual(refused(410, 'invitation_expired'))
    expect((await signIn('late', PASSWORD)).status).toBe(401)
  })

  it('of an account with a password replaces it and ends the sign-ins, but only once it is used (SELF-8)', async () => {
    await server.addUser('forgetful', { password: 'the old password' })
    const { body: old } = await signIn('forgetful', 'the old password')
    const token = await invite('forgetful')
    expect((await read(token)).body.has_password).toBe(true)
    const me = () => server.call('GET', '/api/v1.0/me', { token: old.access_token })
    expect((await me()).status).toBe(200)
    expect((await signIn('forgetful', 'the old password')).status).toBe(200)
    expect((await accept(token)).status).toBe(200)
    expect(await me()).toEqual(refused(401, 'session_ended'))
    expect((await signIn('forgetful', 'the old password')).status).toBe(401)
  })

  it('ends when its account gets another password, or is deleted (SELF-7)', async () => {
    const token = await invite('elsewhere')
    await server.operator.users.set('elsewhere', { password: 'set by the operator' })
    expect(await accept(token)).toEqual(refused(404, 'invitation_invalid'))
    const other = await invite('removed')
    await server.operator.users.remove('removed')
    expect(await read(other)).toEqual(refused(404, 'invitation_invalid'))
    expect(await accept(other)).toEqual(refused(404, 'invitation_invalid'))
  })

  it.each([{}, { password: '1234567' }, { password: 'x'.repeat(1025) }, { password: 12345678 }, []])(
    'is not used up by %j',
    async body => {
      const token = await invite('careful')
      expect(await accept(token, body)).toEqual(refused(400, 'invalid_argument'))
      expect((await read(token)).status).toBe(200)
    },
  )

  it.each(['x', 'x'.repeat(43), '..', '%2e%2e', '%00', '%zz', 'x'.repeat(129), 'x'.repeat(9_000)])(
    'of the token %s is refused',
    async token => {
      for (const { status } of [await read(token), await accept(token)])
        expect([400, 404, 414]).toContain(status)
    },
  )

  it('cannot be created for guests, workers and people of partners', async () => {
    await server.addUser('machine', { kind: 'worker' })
    const { body } = await server.call('POST', '/api/v1.0/auth/guest')
    await server.addUser('person-0123456789abcdef01234567')
    for (const login of ['machine', body.user.login, 'person-0123456789abcdef01234567'])
      await expect(invite(login)).rejects.toThrow('is not the account of a person')
  })

  it('does not change an existing account', async () => {
    await invite('known')
    await expect(invite('known', { name: 'Another' })).rejects.toThrow('exists already')
    await expect(invite('known', { capabilities: ['admin'] })).rejects.toThrow('exists already')
    expect(await server.operator.users.find('known')).toMatchObject({
      displayName: 'known',
      capabilities: [],
    })
  })

  it('is stored as a hash, and its token and password never reach the log (SELF-6)', async () => {
    const token = await invite('secret')
    const html = { headers: { accept: 'text/html' } }
    for (const path of [`/invite/${token}`, `/invite/${token}/`, `/invite/${token}?t=${token}`])
      for (const method of ['GET', 'HEAD', 'POST']) await server.call(method, path, html)
    await read(token)
    await accept(token, { password: 'short' })
    await server.call('POST', `/api/v1.0/invitations/${token}`, { raw: `{"password":"${PASSWORD}` })
    await server.call('DELETE', `/api/v1.0/invitations/${token}`)
    await server.call('GET', `/api/v1.0/invitations/${token}/x`)
    const answer = await accept(token)
    const log = server.log()
    expect(log).toContain('/api/v1.0/invitations/:token')
    for (const secret of [token, token.slice(-20), PASSWORD, answer.body.refresh_token])
      expect(log).not.toContain(secret)
    const store = await openMainStore(server.config.Db.Url)
    await server.operator.users.invite('secret')
    const rows = await store.db.selectFrom('invitations').selectAll().execute()
    await store.close()
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('requests for invitations', () => {
  it('are limited for each address', async () => {
    const strict = await startTestServer({
      Limits: { Enabled: '1', LinkPerMinute: '3', LoginPerMinute: '2' },
    })
    const send = (method: string) =>
      strict.call(method, '/api/v1.0/invitations/guessed', { body: { password: PASSWORD } })
    for (let i = 0; i < 3; i++) expect((await send('GET')).status).toBe(404)
    expect(await send('GET')).toEqual(refused(429, 'rate_limited'))
    for (let i = 0; i < 2; i++) expect((await send('POST')).status).toBe(404)
    expect(await send('POST')).toEqual(refused(429, 'rate_limited'))
    await strict.close()
  })

  it('are refused where only single sign-on is permitted, and the link stays unused', async () => {
    const sso = await startTestServer({
      Oidc: {
        Issuer: 'https://login.example',
        ClientId: 'lectern',
        ClientSecret: 'a secret of tests',
        PasswordSignIn: '0',
      },
    })
    const { user, token } = await sso.operator.users.invite('anna')
    for (const method of ['GET', 'POST'])
      expect(
        await sso.call(method, `/api/v1.0/invitations/${token}`, {
          body: method === 'POST' ? { password: PASSWORD } : undefined,
        }),
      ).toEqual(refused(403, 'password_sign_in_disabled'))
    expect((await sso.operator.users.find(user.login)).passwordHash).toBeNull()
    await sso.close()
  })

  it('are shown while sign-in is not configured, and not used up', async () => {
    const silent = await startTestServer({ Server: { JwtSecret: '' } })
    const { token } = await silent.operator.users.invite('anna')
    expect((await silent.call('GET', `/api/v1.0/invitations/${token}`)).status).toBe(200)
    const accepting = { body: { password: PASSWORD } }
    expect(await silent.call('POST', `/api/v1.0/invitations/${token}`, accepting)).toEqual(
      refused(503, 'not_configured'),
    )
    expect((await silent.call('GET', `/api/v1.0/invitations/${token}`)).status).toBe(200)
    await silent.close()
  })
})
