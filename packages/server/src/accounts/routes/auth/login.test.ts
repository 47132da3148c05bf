import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { useStrongHashes } from '../../../testing/strong-hashes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('anna', { password: 'correct horse', capabilities: ['recordings.access'] })
})
afterAll(() => server.close())

const login = (name: unknown, password: unknown) =>
  server.call('POST', '/api/v1.0/auth/login', { body: { login: name, password } })
const me = (token?: string) => server.call('GET', '/api/v1.0/me', token === undefined ? {} : { token })

describe('POST /auth/login', () => {
  it('returns tokens and the user', async () => {
    const { status, body } = await login('anna', 'correct horse')
    const user = {
      user_id: expect.any(Number),
      login: 'anna',
      display_name: 'anna',
      kind: 'ordinary',
      capabilities: ['recordings.access'],
    }
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      user,
    })
    expect((await me(body.access_token)).body).toEqual({
      result: 200,
      ...user,
      language: null,
      email: null,
      missed_call_mails: null,
      has_password: true,
    })
  })

  it('accepts the login in any case and the password in any Unicode normalization form', async () => {
    expect((await login('ANNA', 'correct horse')).status).toBe(200)
    await server.addUser('zoe', { password: 'caf\u00e9 caf\u00e9' })
    expect((await login('zoe', 'cafe\u0301 cafe\u0301')).status).toBe(200)
  })

  it('answers a wrong password, an unknown login and an account without password alike', async () => {
    const { body } = await server.call('POST', '/api/v1.0/auth/guest')
    const answers = await Promise.all([
      login('anna', 'wrong'),
      login('nobody', 'wrong'),
      login(body.user.login, 'wrong'),
    ])
    for (const answer of answers) expect(answer).toEqual(refused(401, 'invalid_credentials'))
    expect(new Set(answers.map(answer => answer.body.message)).size).toBe(1)
  })

  it.each([
    ['anna', ''],
    ['', 'x'],
    ['anna', 5],
    [['anna'], 'x'],
    ['anna', 'x'.repeat(1025)],
    ['x'.repeat(65), 'x'],
    ['a\0', 'x'],
    [undefined, 'x'],
    ['anna', undefined],
  ])('refuses the login %j with the password %j', async (name, password) => {
    expect(await login(name, password)).toEqual(refused(400, 'invalid_argument'))
  })

  it('reports a deleted account only to callers with its tokens (SIGN-5)', async () => {
    await server.addUser('gone', { password: 'correct horse' })
    const { body } = await login('gone', 'correct horse')
    await server.operator.users.remove('gone')
    expect(await login('gone', 'correct horse')).toEqual(refused(401, 'invalid_credentials'))
    expect(await me(body.access_token)).toEqual(refused(401, 'account_deleted'))
    const refresh = { body: { refresh_token: body.refresh_token } }
    expect(await server.call('POST', '/api/v1.0/auth/refresh', refresh)).toEqual(
      refused(401, 'account_deleted'),
    )
  })

  it('revokes all sign-ins when the password changes', async () => {
    await server.addUser('bob', { password: 'first password' })
    const { body } = await login('bob', 'first password')
    await server.operator.users.set('bob', { password: 'second password' })
    expect(await me(body.access_token)).toEqual(refused(401, 'session_ended'))
    expect(await login('bob', 'first password')).toEqual(refused(401, 'invalid_credentials'))
    expect((await login('bob', 'second password')).status).toBe(200)
  })
})

describe('a flood of password sign-ins', () => {
  it('is refused beyond the queue, does not delay known owners, and ends with its connections', async () => {
    useStrongHashes()
    const flooded = await startTestServer({ Server: { TrustProxy: 'loopback' } })
    await flooded.addUser('anna', { password: 'correct horse' })
    const attack = new AbortController()
    const from = (address: string, password: string, signal?: AbortSignal) =>
      fetch(`${flooded.url}/api/v1.0/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ login: 'anna', password }),
        signal: signal ?? null,
      })
    expect((await from('203.0.113.1', 'correct horse')).status).toBe(200)

    const answers: Response[] = []
    const flood = Array.from({ length: 60 }, (_, i) =>
      from(`198.51.100.${i}`, 'wrong', attack.signal).then(
        answer => answers.push(answer),
        () => {},
      ),
    )
    await expect.poll(() => answers.filter(({ status }) => status === 503).length).toBeGreaterThan(20)
    expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('2')
    const hashed = answers.filter(({ status }) => status === 401).length
    expect((await from('203.0.113.1', 'correct horse')).status).toBe(200)
    expect(answers.filter(({ status }) => status === 401).length - hashed).toBeLessThan(6)

    attack.abort()
    await Promise.all(flood)
    await expect.poll(async () => (await from('198.51.100.99', 'wrong')).status).toBe(401)
    await flooded.close()
  })
})

describe('failed password sign-ins', () => {
  let strict: TestServer
  beforeAll(async () => {
    strict = await startTestServer({
      Server: { TrustProxy: 'loopback' },
      Limits: {
        Enabled: '1',
        FailedLoginsPerAccount: '2',
        FailedLoginsPerAddress: '4',
        FailedLogins: '1000',
      },
    })
    await strict.addUser('anna', { password: 'correct horse' })
    await strict.addUser('ben', { password: 'correct horse' })
  })
  afterAll(() => strict.close())

  const from = (address: string, name: string, password = 'wrong') =>
    strict.call('POST', '/api/v1.0/auth/login', {
      headers: { 'x-forwarded-for': address },
      body: { login: name, password },
    })

  it.each(['anna', 'nobody'])('for %s are limited across all addresses', async name => {
    for (const i of [1, 2])
      expect(await from(`198.51.100.${i}`, name)).toEqual(refused(401, 'invalid_credentials'))
    const answer = await from('198.51.100.3', name)
    expect(answer).toEqual(refused(429, 'rate_limited'))
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(200)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(300)
  })

  it('by others do not lock the owner out of known networks', async () => {
    expect((await from('203.0.113.1', 'ben', 'correct horse')).status).toBe(200)
    const attack = async () => {
      for (const i of [1, 2, 3]) await from(`192.0.2.${i}`, 'ben')
    }
    await attack()
    expect((await from('203.0.113.1', 'ben', 'correct horse')).status).toBe(200)
    expect(await from('203.0.113.2', 'ben', 'correct horse')).toEqual(refused(429, 'rate_limited'))
    for (let i = 0; i < 4; i++)
      expect(await from('203.0.113.1', 'ben')).toEqual(refused(401, 'invalid_credentials'))
    expect(await from('203.0.113.1', 'ben', 'correct horse')).toEqual(refused(429, 'rate_limited'))
  })

  it('do not include successful sign-ins', async () => {
    await strict.addUser('carla', { password: 'correct horse' })
    for (let i = 0; i < 6; i++)
      expect((await from(`203.0.113.${10 + i}`, 'carla', 'correct horse')).status).toBe(200)
  })
})

describe('GET /me', () => {
  it('requires a user token', async () => {
    expect(await me()).toEqual(refused(401, 'unauthenticated'))
    expect(await me('rubbish')).toEqual(refused(401, 'unauthenticated'))
    expect((await me()).headers['www-authenticate']).toBe('Bearer')
  })
})

describe('POST /auth/guest', () => {
  const guest = (body?: unknown) => server.call('POST', '/api/v1.0/auth/guest', { body })

  it.each([
    [undefined, 'Guest'],
    [{}, 'Guest'],
    [{ display_name: '  ' }, 'Guest'],
    [{ display_name: '\u200b\u3164' }, 'Guest'],
    [{ display_name: null }, 'Guest'],
    [{ display_name: ' Sam\n\u202eS. ' }, 'Sam S.'],
  ])('makes a guest from %j', async (body, name) => {
    const answer = await guest(body)
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ kind: 'guest', display_name: name, capabilities: [] })
    expect((await me(answer.body.access_token)).body.user_id).toBe(answer.body.user.user_id)
  })

  it('creates a new guest each time', async () => {
    const [one, two] = [await guest(), await guest()]
    expect(one.body.user.user_id).not.toBe(two.body.user.user_id)
  })

  it('refuses invalid names', async () => {
    for (const display_name of [5, 'x'.repeat(129), 'a\0'])
      expect(await guest({ display_name })).toEqual(refused(400, 'invalid_argument'))
  })

  it('is refused if guests are not allowed', async () => {
    const strict = await startTestServer({ Conferences: { AllowGuests: '0' } })
    expect(await strict.call('POST', '/api/v1.0/auth/guest')).toEqual(refused(403, 'guests_not_allowed'))
    expect((await strict.call('GET', '/api/v1.0/server_info')).body.guests_allowed).toBe(false)
    await strict.close()
  })
})

describe('GET /server_info', () => {
  it('is public and contains the fields that clients need', async () => {
    const { status, body } = await server.call('GET', '/api/v1.0/server_info')
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      name: 'Lectern',
      version: expect.any(String),
      deployment_id: expect.stringMatching(/^d\./),
      guests_allowed: true,
      transcription_available: false,
      transcription_languages: [],
      slides_available: false,
      office_slides_available: false,
      push_enabled: false,
      push_vapid_public_key: '',
      sign_in: { password: true, password_reset: false, sso: false, sso_name: '' },
      frame_ancestors: ["'self'"],
    })
  })

  it('has push with a native sender only', async () => {
    const Push = {
      Enabled: '1',
      NativeSenderUrl: 'https://push.example/',
      NativeSenderSecret: 's'.repeat(32),
    }
    const native = await startTestServer({ Push })
    const { body } = await native.call('GET', '/api/v1.0/server_info')
    expect(body).toMatchObject({ push_enabled: true, push_vapid_public_key: '' })
    await native.close()
  })
})
