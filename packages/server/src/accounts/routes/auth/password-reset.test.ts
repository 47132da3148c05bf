import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { startSmtpServer } from '../../../testing/smtp.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startTestServer({
    Server: { LogLevel: 'info' },
    Mail: smtp.settings,
    Limits: { Enabled: '1', LoginPerMinute: '1000' },
  })
})
afterAll(async () => {
  await server.close()
  await smtp.close()
})

const PASSWORD = 'the old password'
const request = (login: string, on = server) =>
  on.call('POST', '/api/v1.0/auth/password-reset', { body: { login } })
const signIn = (login: string, password: string) =>
  server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to === address)
const open = async (login: string, email: string) => {
  await server.addUser(login, { password: PASSWORD })
  return server.operator.users.set(login, { email })
}
const tokenIn = (content = '') => /\/invite\/([\w-]{43})/.exec(content)?.[1] ?? ''

/** A mail that was requested later has arrived; requests are handled beside each other, so an earlier one may still come. */
let marks = 0
const handled = async () => {
  const address = `mark-${++marks}@home.example`
  await open(`mark-${marks}`, address)
  await request(`mark-${marks}`)
  await expect.poll(() => mailsTo(address)).toHaveLength(1)
}

describe('a password that was forgotten', () => {
  it.each(['anna', 'ANNA', ' anna ', 'Anna@Home.example'])(
    'is replaced by a link that is sent to the account of %j (RESET-1)',
    async name => {
      const number = ++marks
      const login = `anna${number}`
      const email = `${login}@home.example`
      await open(login, email)
      const typed = name.replace(/anna/i, found => `${found}${number}`)
      const { body: old } = await signIn(login, PASSWORD)
      expect((await request(typed)).body).toEqual({ result: 200 })
      await expect.poll(() => mailsTo(email)).toHaveLength(1)
      const [mail] = mailsTo(email)
      expect(mail?.content).toContain('Subject: New password for')
      const token = tokenIn(mail?.content)
      // Nothing has changed yet: somebody else may have asked.
      expect((await signIn(login, PASSWORD)).status).toBe(200)
      const path = `/api/v1.0/invitations/${token}`
      expect((await server.call('GET', path)).body).toMatchObject({ login, has_password: true })
      const body = { password: 'a new password' }
      expect((await server.call('POST', path, { body })).status).toBe(200)
      expect((await signIn(login, PASSWORD)).status).toBe(401)
      const me = await server.call('GET', '/api/v1.0/me', { token: old.access_token })
      expect(me).toEqual(refused(401, 'session_ended'))
      expect(await server.call('POST', path, { body })).toEqual(refused(404, 'invitation_invalid'))
    },
  )

  it('has a link for an hour, which is stored as a hash (RESET-2)', async () => {
    await open('late', 'late@home.example')
    await request('late')
    await expect.poll(() => mailsTo('late@home.example')).toHaveLength(1)
    const token = tokenIn(mailsTo('late@home.example')[0]?.content)
    const rows = await server.query('main', sql<Record<string, unknown>>`SELECT * FROM invitations`)
    expect(JSON.stringify(rows)).not.toContain(token)
    const read = () => server.call('GET', `/api/v1.0/invitations/${token}`)
    expect((await read()).status).toBe(200)
    server.advance(3_600_000)
    expect(await read()).toEqual(refused(410, 'invitation_expired'))
    for (const secret of [token, 'late@home.example']) expect(server.log()).not.toContain(secret)
  })

  it('is answered in the same way whoever asks, and mailed to nobody without an account (RESET-3)', async () => {
    await server.addUser('nowhere', { password: PASSWORD })
    await open('away', 'away@home.example')
    await server.operator.users.set('away', { disabled: true })
    await open('gone', 'gone@home.example')
    await server.operator.users.remove('gone')
    await server.operator.users.invite('invited', { email: 'invited@home.example' })
    await open('refused', 'refused@unknown.example')
    const before = smtp.mails.length
    const names = ['nowhere', 'away', 'away@home.example', 'gone', 'gone@home.example', 'invited', 'refused']
    for (const name of [...names, 'nobody', 'x@y', '💡', "'; DROP TABLE users", '%', 'a'.repeat(254)]) {
      const { status, body } = await request(name)
      expect({ status, body }).toEqual({ status: 200, body: { result: 200 } })
    }
    await handled()
    expect(smtp.mails).toHaveLength(before + 1)
    // The log has the status of the mail server's refusal, whose text quotes the address.
    await expect.poll(() => server.log()).toContain('"status":550')
    expect(server.log()).not.toContain('refused@unknown.example')
    for (const name of ['', 'a'.repeat(255), 7, null])
      expect(await request(name as string)).toEqual(refused(400, 'invalid_argument'))
  })

  it('answers before it looks for the account, so that time tells nothing (RESET-3)', async () => {
    const { PasswordReset } = await import('../../password-reset.ts')
    const looked: string[] = []
    const never = new Promise<never>(() => {})
    const reset = new PasswordReset({
      users: {
        findByLogin: login => {
          looked.push(login)
          return never
        },
        listByEmail: () => never,
      },
      inviter: {} as never,
      send: () => never,
      clock: Date.now,
      isLimited: true,
      log: { warn: () => {} },
    })
    for (let i = 0; i < 1_000; i++) expect(reset.request(`n${i}`)).toBeUndefined()
    expect(looked).toHaveLength(100)
    vi.useFakeTimers()
    const closing = reset.close()
    await vi.advanceTimersByTimeAsync(3_000)
    vi.useRealTimers()
    await closing
  })

  it('brings at most three mails an hour to an account (RESET-4)', async () => {
    await open('flooded', 'flooded@home.example')
    await open('sibling', 'flooded@home.example')
    for (let i = 0; i < 10; i++) await request('flooded')
    await expect.poll(() => mailsTo('flooded@home.example')).toHaveLength(3)
    await handled()
    expect(mailsTo('flooded@home.example')).toHaveLength(3)
    await request('flooded@home.example')
    await expect.poll(() => mailsTo('flooded@home.example')).toHaveLength(4)
    await handled()
    // One of each account that has the address.
    expect(mailsTo('flooded@home.example')).toHaveLength(4)
  })

  it('counts no mail that the mail server has refused, nor one without a connection (RESET-4)', async () => {
    let isAway = false
    const school = await startSmtpServer(async () => {
      if (isAway) throw Object.assign(new Error('try later'), { responseCode: 451 })
    })
    const there = await startTestServer({
      Server: { LogLevel: 'warn' },
      Mail: school.settings,
      Limits: { Enabled: '1', LoginPerMinute: '1000' },
    })
    await there.addUser('anna', { password: PASSWORD })
    await there.addUser('ben', { password: PASSWORD })
    for (const login of ['anna', 'ben'])
      await there.operator.users.set(login, { email: 'family@home.example' })
    const { token: earlier } = await there.operator.users.invite('anna', {})
    isAway = true
    const refusals = () => there.log().split('did not accept a link').length - 1
    for (let i = 1; i <= 5; i++) {
      await request('family@home.example', there)
      await expect.poll(refusals).toBe(2 * i)
    }
    // Nor does it replace an earlier link (RESET-1).
    expect((await there.call('GET', `/api/v1.0/invitations/${earlier}`)).status).toBe(200)
    expect(await there.query('main', sql`SELECT * FROM invitations`)).toHaveLength(1)
    isAway = false
    await request('family@home.example', there)
    await expect.poll(() => school.mails).toHaveLength(2)
    await there.close()
    await school.close()
  })

  it('is limited for each address (RESET-4)', async () => {
    const strict = await startTestServer({
      Mail: smtp.settings,
      Limits: { Enabled: '1', LoginPerMinute: '2' },
    })
    for (let i = 0; i < 2; i++) expect((await request('nobody', strict)).status).toBe(200)
    expect(await request('nobody', strict)).toEqual(refused(429, 'rate_limited'))
    await strict.close()
  })

  it('is offered where the server sends mail and people have passwords', async () => {
    const offered = async (target: TestServer) =>
      (await target.call('GET', '/api/v1.0/server_info')).body.sign_in.password_reset
    expect(await offered(server)).toBe(true)
    const silent = await startTestServer()
    expect(await offered(silent)).toBe(false)
    expect(await request('anna', silent)).toEqual(refused(503, 'not_configured'))
    await silent.close()
    const sso = await startTestServer({
      Mail: smtp.settings,
      Oidc: { Issuer: 'https://login.example', ClientId: 'l', ClientSecret: 's', PasswordSignIn: '0' },
    })
    expect(await offered(sso)).toBe(false)
    expect(await request('anna', sso)).toEqual(refused(403, 'password_sign_in_disabled'))
    await sso.close()
  })
})
