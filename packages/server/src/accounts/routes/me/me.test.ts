import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { useStrongHashes } from '../../../testing/strong-hashes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const PASSWORD = 'correct horse'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const signIn = async (login: string, password = PASSWORD, target: TestServer = server) => {
  const answer = await target.call('POST', '/api/v1.0/auth/login', {
    body: { login, password },
    headers: { 'user-agent': FIREFOX },
  })
  return { ...answer.body, status: answer.status } as {
    status: number
    access_token: string
    refresh_token: string
  }
}
const openAccount = async (login: string) => {
  const { id } = await server.addUser(login, { password: PASSWORD })
  return { id, token: (await signIn(login)).access_token }
}
const me = (token: string) => server.call('GET', '/api/v1.0/me', { token })
const patch = (token: string, body: unknown) => server.call('PATCH', '/api/v1.0/me', { token, body })
const changePassword = (token: string, body: unknown) =>
  server.call('POST', '/api/v1.0/me/password', { token, body })
const signIns = (token: string) => server.call('GET', '/api/v1.0/me/sign-ins', { token })

let lastName = 0

/** A guest, a partner's person and an embedded worker: nobody has a login that its owner knows. */
const others = async () => {
  const partner = await server.addPartner(`partner-${++lastName}`)
  const room = await partner.room('lesson', { teacher: { external_id: 't', display_name: 'Ms T' } })
  const link = new URL(room.teacher_join_url).pathname.replace('/j/', '/api/v1/integration/join/')
  const person = await server.call('POST', link)
  const guest = await server.call('POST', '/api/v1.0/auth/guest')
  return [person.body.access_token, guest.body.access_token] as string[]
}

describe('PATCH /me', () => {
  it('changes the name and the language', async () => {
    const { token, id } = await openAccount('patched')
    const before = { result: 200, user_id: id, login: 'patched', kind: 'ordinary', capabilities: [] }
    expect((await me(token)).body).toEqual({
      ...before,
      display_name: 'patched',
      language: null,
      email: null,
      missed_call_mails: null,
      has_password: true,
    })
    const changed = {
      ...before,
      display_name: 'ענת 👋',
      language: 'ru',
      email: null,
      missed_call_mails: null,
      has_password: true,
    }
    const answer = await patch(token, { display_name: '  ענת 👋 ', language: 'ru' })
    expect(answer).toMatchObject({ status: 200, body: changed })
    expect((await me(token)).body).toEqual(changed)
  })

  it('changes the given fields only', async () => {
    const { token } = await openAccount('partly')
    await patch(token, { display_name: 'Pat', language: 'ru' })
    expect((await patch(token, { language: 'en' })).body).toMatchObject({
      display_name: 'Pat',
      language: 'en',
    })
    expect((await patch(token, { display_name: 'P' })).body).toMatchObject({
      display_name: 'P',
      language: 'en',
    })
    expect((await patch(token, {})).body).toMatchObject({ display_name: 'P', language: 'en' })
    expect((await patch(token, { language: null })).body).toMatchObject({ display_name: 'P', language: null })
  })

  it.each([
    { display_name: '' },
    { display_name: ' \n\u3164' },
    { display_name: 'x'.repeat(129) },
    { display_name: 'a\0' },
    { display_name: null },
    { language: 'nl' },
    { language: '' },
    { language: 5 },
    [],
    'x',
  ])('refuses %j and changes nothing', async body => {
    const { token } = await openAccount(`invalid-${++lastName}`)
    const before = (await me(token)).body
    expect(await patch(token, body)).toEqual(refused(400, 'invalid_argument'))
    expect((await me(token)).body).toEqual(before)
  })

  it('accepts a name of 128 characters outside the basic plane', async () => {
    const { token } = await openAccount('long')
    const display_name = '👋'.repeat(128)
    expect((await patch(token, { display_name })).body.display_name).toBe(display_name)
  })

  it('is refused without a token, and for accounts without a login of their own', async () => {
    expect(await server.call('PATCH', '/api/v1.0/me', { body: {} })).toEqual(refused(401, 'unauthenticated'))
    for (const token of await others()) {
      expect(await patch(token, { display_name: 'X' })).toEqual(refused(403, 'permission_denied'))
      expect(await changePassword(token, { current: PASSWORD, new: 'another one' })).toEqual(
        refused(403, 'permission_denied'),
      )
      expect(await signIns(token)).toEqual(refused(403, 'permission_denied'))
      for (const path of ['/me/sign-ins', '/me/sign-ins/x'])
        expect(await server.call('DELETE', `/api/v1.0${path}`, { token })).toEqual(
          refused(403, 'permission_denied'),
        )
      expect((await me(token)).status).toBe(200)
    }
  })
})

describe('POST /me/password', () => {
  it('changes the password, keeps this sign-in and ends all others (SELF-2)', async () => {
    const { token } = await openAccount('changing')
    const other = await signIn('changing')
    expect(await changePassword(token, { current: PASSWORD, new: 'a new password' })).toMatchObject({
      status: 200,
      body: { result: 200 },
    })
    expect((await me(token)).status).toBe(200)
    expect(await me(other.access_token)).toEqual(refused(401, 'session_ended'))
    const refresh = { body: { refresh_token: other.refresh_token } }
    expect(await server.call('POST', '/api/v1.0/auth/refresh', refresh)).toEqual(
      refused(401, 'session_ended'),
    )
    expect((await signIn('changing')).status).toBe(401)
    expect((await signIn('changing', 'a new password')).status).toBe(200)
  })

  it('refuses a wrong current password and changes nothing (SELF-3)', async () => {
    const { token } = await openAccount('unsure')
    const other = await signIn('unsure')
    expect(await changePassword(token, { current: 'wrong', new: 'a new password' })).toEqual(
      refused(403, 'wrong_password'),
    )
    expect((await me(other.access_token)).status).toBe(200)
    expect((await signIn('unsure')).status).toBe(200)
  })

  it.each([
    { current: PASSWORD },
    { new: 'a new password' },
    { current: PASSWORD, new: '1234567' },
    { current: PASSWORD, new: 'x'.repeat(1025) },
    { current: '', new: 'a new password' },
    { current: PASSWORD, new: null },
  ])('refuses %j', async body => {
    const { token } = await openAccount(`strict-${++lastName}`)
    expect(await changePassword(token, body)).toEqual(refused(400, 'invalid_argument'))
  })

  it('accepts one of several concurrent changes of the same password (SELF-4)', async () => {
    const { token } = await openAccount('racing')
    const news = ['new password 1', 'new password 2', 'new password 3']
    const answers = await Promise.all(
      news.map(next => changePassword(token, { current: PASSWORD, new: next })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    const winner = news[answers.findIndex(({ status }) => status === 200)]
    expect((await signIn('racing', winner)).status).toBe(200)
  })

  it('counts wrong passwords as failed sign-ins (SELF-3)', async () => {
    const strict = await startTestServer({
      Limits: { Enabled: '1', FailedLoginsPerAddress: '2', LoginPerMinute: '1000' },
    })
    await strict.addUser('anna', { password: PASSWORD })
    const { access_token: token } = await signIn('anna', PASSWORD, strict)
    const attempt = (current: string) =>
      strict.call('POST', '/api/v1.0/me/password', { token, body: { current, new: 'a new password' } })
    for (const guess of ['one', 'two']) expect(await attempt(guess)).toEqual(refused(403, 'wrong_password'))
    const answer = await attempt(PASSWORD)
    expect(answer).toEqual(refused(429, 'rate_limited'))
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60)
    expect((await signIn('anna', PASSWORD, strict)).status).toBe(429)
    await strict.close()
  })

  it('is refused beyond the queue of passwords, which does not grow', async () => {
    useStrongHashes()
    const { token } = await openAccount('flooding')
    const flood = await Promise.all(
      Array.from({ length: 40 }, () => changePassword(token, { current: 'wrong', new: 'a new password' })),
    )
    const statuses = flood.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([403, 503]))
    expect(statuses.filter(status => status === 403).length).toBeLessThan(20)
    await expect.poll(async () => (await signIn('flooding')).status).toBe(200)
  })
})

describe('the sign-ins of an account', () => {
  it('are listed with their client and times, the current one marked', async () => {
    const { token } = await openAccount('listed')
    const second = await server.call('POST', '/api/v1.0/auth/login', {
      body: { login: 'listed', password: PASSWORD },
      headers: { 'user-agent': 'curl/8.5.0' },
    })
    const { status, body } = await signIns(token)
    expect(status).toBe(200)
    expect(body).toEqual({ result: 200, sign_ins: expect.any(Array), total: 2 })
    const entry = {
      id: expect.any(String),
      created_at_ms: expect.any(Number),
      used_at_ms: expect.any(Number),
    }
    expect(body.sign_ins).toHaveLength(2)
    expect(body.sign_ins).toContainEqual({
      ...entry,
      browser: 'Firefox',
      platform: 'Linux',
      is_current: true,
    })
    expect(body.sign_ins).toContainEqual({ ...entry, browser: null, platform: null, is_current: false })
    expect(Math.abs(body.sign_ins[0].created_at_ms - Date.now())).toBeLessThan(60_000)
    expect(JSON.stringify(body)).not.toContain(second.body.refresh_token.split('.')[0])
  })

  it('are at most 100 in a list, of any number', async () => {
    const { token, id } = await openAccount('popular')
    const { openMainStore } = await import('../../../platform/db/open.ts')
    const store = await openMainStore(server.config.Db.Url)
    const rows = Array.from({ length: 1_500 }, (_, i) => ({
      id: `u-popular-${i}`,
      user_id: id,
      generation: 1,
      secret_hash: 'x',
      last_request: null,
      network: null,
      browser: null,
      platform: null,
      created_at: 1_000 + i,
      used_at: null,
      expires_at: 9_999_999_999,
      revoked_at: null,
    }))
    for (let i = 0; i < rows.length; i += 500)
      await store.db
        .insertInto('auth_sessions')
        .values(rows.slice(i, i + 500))
        .execute()
    await store.close()
    const { body } = await signIns(token)
    expect(body.total).toBe(1_501)
    expect(body.sign_ins).toHaveLength(100)
    expect(body.sign_ins[0].is_current).toBe(true)
    expect(body.sign_ins[1].id).toBe('u-popular-1499')
    const all = await server.call('DELETE', '/api/v1.0/me/sign-ins', { token })
    expect(all.body).toEqual({ result: 200, ended: 1_500 })
  })

  it('end one by one, at once and repeatably', async () => {
    const { token } = await openAccount('ending')
    const other = await signIn('ending')
    const listed = (await signIns(token)).body.sign_ins as { id: string; is_current: boolean }[]
    const { id } = listed.find(each => !each.is_current) as { id: string }
    const end = () => server.call('DELETE', `/api/v1.0/me/sign-ins/${id}`, { token })
    expect((await end()).body).toEqual({ result: 200 })
    expect(await me(other.access_token)).toEqual(refused(401, 'session_ended'))
    expect((await end()).status).toBe(200)
    expect((await signIns(token)).body.total).toBe(1)
  })

  it('include the current one, which may end itself', async () => {
    const { token } = await openAccount('leaving')
    const [{ id }] = (await signIns(token)).body.sign_ins
    expect((await server.call('DELETE', `/api/v1.0/me/sign-ins/${id}`, { token })).status).toBe(200)
    expect(await me(token)).toEqual(refused(401, 'session_ended'))
  })

  it('of others are not found', async () => {
    const { token } = await openAccount('curious')
    const { token: foreign } = await openAccount('private')
    const [{ id }] = (await signIns(foreign)).body.sign_ins
    for (const each of [id, 'u-nothing', '%00', 'x'.repeat(64)])
      expect(await server.call('DELETE', `/api/v1.0/me/sign-ins/${each}`, { token })).toEqual(
        each === '%00' ? refused(400, 'invalid_argument') : refused(404, 'sign_in_not_found'),
      )
    expect((await me(foreign)).status).toBe(200)
  })

  it('end all together, except the current one', async () => {
    const { token } = await openAccount('tidy')
    const [one, two] = [await signIn('tidy'), await signIn('tidy')]
    const { token: neighbour } = await openAccount('neighbour')
    const answer = await server.call('DELETE', '/api/v1.0/me/sign-ins', { token })
    expect(answer.body).toEqual({ result: 200, ended: 2 })
    for (const each of [one, two]) expect((await me(each.access_token)).status).toBe(401)
    expect([(await me(token)).status, (await me(neighbour)).status]).toEqual([200, 200])
  })
})

describe('changes of one account', () => {
  it('are limited per minute', async () => {
    const strict = await startTestServer({ Limits: { Enabled: '1' } })
    await strict.addUser('anna', { password: PASSWORD })
    await strict.addUser('ben', { password: PASSWORD })
    const tokenOf = async (login: string) => (await signIn(login, PASSWORD, strict)).access_token
    const token = await tokenOf('anna')
    const rename = (i: number, by = token) =>
      strict.call('PATCH', '/api/v1.0/me', { token: by, body: { display_name: `Anna ${i}` } })
    const sinceMs = performance.now()
    let accepted = 0
    while (accepted < 1_000 && (await rename(accepted)).status === 200) accepted++
    expect(accepted).toBeGreaterThanOrEqual(30)
    // One more is permitted every two seconds, which the requests may take on a busy machine.
    expect(accepted).toBeLessThanOrEqual(31 + (performance.now() - sinceMs) / 2_000)
    await expect
      .poll(() => strict.call('DELETE', '/api/v1.0/me/sign-ins', { token }))
      .toEqual(refused(429, 'rate_limited'))
    expect((await rename(1, await tokenOf('ben'))).status).toBe(200)
    await strict.close()
  })
})
