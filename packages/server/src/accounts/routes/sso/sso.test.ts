import type { IncomingMessage, ServerResponse } from 'node:http'
import { pollUntil } from '@lectern/common'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enterLink } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { type Settings, startTestServer, type TestServer } from '../../../testing/server.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  signInAt,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../sso/testing/identity-provider.ts'

let provider: TestIdentityProvider
let server: TestServer
const oidc = (changes: Record<string, string> = {}) => ({
  Issuer: provider.issuer,
  ClientId: CLIENT_ID,
  ClientSecret: CLIENT_SECRET,
  Name: 'School account',
  AllowInsecureIssuer: '1',
  SignUp: '1',
  ...changes,
})
/** A server that the provider knows. */
async function startServer(changes: Record<string, string> = {}, others: Settings = {}) {
  const started = await startTestServer({ Server: { LogLevel: 'trace' }, Oidc: oidc(changes), ...others })
  provider.redirectUris.push(`${started.url}/sign-in/callback`)
  return started
}
beforeAll(async () => {
  provider = await startIdentityProvider()
  server = await startServer()
  // On a busy machine, the first answer of the provider may come after the server has given up.
  const isKnown = async () => (await server.call('POST', '/api/v1.0/auth/sso/start')).status === 200
  expect(await pollUntil(isKnown, { intervalMs: 1_000, timeoutMs: 60_000 })).toBe(true)
})
beforeEach(() => {
  provider.tamper = () => false
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const start = async (to = server) => (await to.call('POST', '/api/v1.0/auth/sso/start')).body
const complete = (query: string, ticket: string, to = server) =>
  to.call('POST', '/api/v1.0/auth/sso/complete', { body: { query, ticket } })
async function signIn(sub: string, to = server) {
  const { authorization_url, ticket } = await start(to)
  return complete(await signInAt(authorization_url, sub), ticket, to)
}
const me = async (token: string, to = server) => (await to.call('GET', '/api/v1.0/me', { token })).body

describe('single sign-on', () => {
  it('SSO-1 uses the code flow with PKCE, state and nonce, and returns to the page of PublicUrl', async () => {
    const { authorization_url, ticket, expires_in } = await start()
    const url = new URL(authorization_url)
    expect(url.origin).toBe(provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: `${server.url}/sign-in/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(authorization_url).not.toContain(ticket)
    expect(expires_in).toBe(1800)
    const proxied = await startServer({}, { Integration: { PublicUrl: 'https://meet.example.org' } })
    const { authorization_url: behindProxy } = await start(proxied)
    expect(new URL(behindProxy).searchParams.get('redirect_uri')).toBe(
      'https://meet.example.org/sign-in/callback',
    )
    await proxied.close()
  })

  it('SSO-2 signs in, and the next time to the same account', async () => {
    provider.claims.set('sub-anna', {
      preferred_username: 'Anna.Ä',
      name: 'Anna Äpfel',
      email: 'a@example.org',
    })
    const first = await signIn('sub-anna')
    expect(first.status).toBe(200)
    expect(first.body.user).toMatchObject({ login: 'anna.a', display_name: 'Anna Äpfel', kind: 'ordinary' })
    expect(await me(first.body.access_token)).toMatchObject({ login: 'anna.a' })
    provider.claims.set('sub-anna', { preferred_username: 'other', name: '\u3164', given_name: 'Anna\u202e' })
    const second = await signIn('sub-anna')
    expect(second.body.user).toMatchObject({ user_id: first.body.user.user_id, login: 'anna.a' })
    const refresh = { body: { refresh_token: second.body.refresh_token } }
    expect((await server.call('POST', '/api/v1.0/auth/refresh', refresh)).status).toBe(200)
  })

  it('SSO-3 completes only with the ticket of the browser that started it, once', async () => {
    const [own, foreign] = [await start(), await start()]
    const query = await signInAt(own.authorization_url, 'sub-tab')
    for (const ticket of [foreign.ticket, 'x', `${own.ticket}x`])
      expect(await complete(query, ticket)).toEqual(refused(400, 'sign_in_expired'))
    expect((await complete(query, own.ticket)).status).toBe(200)
    expect(await complete(query, own.ticket)).toEqual(refused(400, 'sign_in_expired'))
  })

  it('SSO-3 refuses a forged, foreign or missing state', async () => {
    const { authorization_url, ticket } = await start()
    const query = new URLSearchParams(await signInAt(authorization_url, 'sub-state'))
    const other = new URL((await start()).authorization_url).searchParams.get('state') ?? ''
    for (const state of ['', 'x', `${query.get('state')}x`, other]) {
      const changed = new URLSearchParams(query)
      changed.set('state', state)
      expect(await complete(`?${changed}`, ticket), state).toEqual(refused(400, 'sign_in_expired'))
    }
    for (const body of [
      {},
      { query: '', ticket: 'x' },
      { query: 'x'.repeat(9_000), ticket: 'x' },
      { query: 5 },
    ])
      expect(await server.call('POST', '/api/v1.0/auth/sso/complete', { body })).toEqual(
        refused(400, 'invalid_argument'),
      )
  })

  it('SSO-4 survives a restart of the server between start and completion', async () => {
    const fixed = { Integration: { PublicUrl: 'https://meet.example.org' } }
    const settings = { Server: { LogLevel: 'silent' }, Oidc: oidc(), ...fixed }
    provider.redirectUris.push('https://meet.example.org/sign-in/callback')
    const before = await startTestServer(settings)
    const { authorization_url, ticket } = await start(before)
    const query = await signInAt(authorization_url, 'sub-restart')
    await before.stop()
    const after = await startTestServer(settings, before.config.Server.DataDir.replace(/\/data$/, ''))
    expect((await complete(query, ticket, after)).status).toBe(200)
    await after.close()
  })
})

describe('accounts of single sign-on', () => {
  it('SSO-5 have unique, readable logins, even if many sign up at once', async () => {
    await server.addUser('ben', { password: 'correct horse' })
    for (const sub of ['b1', 'b2', 'b3']) provider.claims.set(sub, { preferred_username: 'Ben' })
    const all = await Promise.all(['b1', 'b2', 'b3'].map(sub => signIn(sub)))
    expect(all.map(({ body }) => body.user.login).sort()).toEqual(['ben-2', 'ben-3', 'ben-4'])
    const login = async (sub: string, claims: Record<string, unknown>) => {
      provider.claims.set(sub, claims)
      return (await signIn(sub)).body.user.login
    }
    expect(await login('email', { preferred_username: undefined, email: 'Carla@example.org' })).toBe('carla')
    expect(await login('name', { preferred_username: ' ', name: 'Дмитрий Ö. Weiß' })).toBe('o.-wei')
    expect(await login('none', { preferred_username: '你好', name: '你好' })).toBe('user')
    expect(await login('reserved', { preferred_username: 'recorder-embedded' })).toBe('user-recorder-2')
    expect(await login('guest', { preferred_username: 'guest-1' })).toBe('user-guest-1-2')
  })

  it('SSO-5 make one account when a person signs up in two tabs at once', async () => {
    const [one, two] = [await start(), await start()]
    const queries = [
      await signInAt(one.authorization_url, 'twice'),
      await signInAt(two.authorization_url, 'twice'),
    ]
    const [a, b] = await Promise.all([
      complete(queries[0] as string, one.ticket),
      complete(queries[1] as string, two.ticket),
    ])
    expect([a.status, b.status]).toEqual([200, 200])
    expect(a.body.user.user_id).toBe(b.body.user.user_id)
  })

  it('SSO-6 follow the name at the provider, until the user chooses another', async () => {
    const name = async (text: unknown) => {
      provider.claims.set('sub-name', { preferred_username: 'nina', name: text })
      return (await signIn('sub-name')).body.user.display_name
    }
    expect([await name('Nina'), await name(' Nina\u0000 Maria\n'), await name(5)]).toEqual([
      'Nina',
      'Nina Maria',
      'Nina Maria',
    ])
    expect(Array.from(await name('😀'.repeat(300)))).toHaveLength(128)
    await server.operator.users.set('nina', { name: 'Ms Nina' })
    expect(await name('Nina Neu')).toBe('Ms Nina')
  })

  it('SSO-7 are refused when disabled or deleted, and not created again', async () => {
    const { body } = await signIn('sub-gone')
    await server.operator.users.set(body.user.login, { disabled: true })
    expect(await signIn('sub-gone')).toEqual(refused(403, 'account_disabled'))
    await server.operator.users.remove(body.user.login)
    expect(await signIn('sub-gone')).toEqual(refused(401, 'account_deleted'))
  })

  it('SSO-8 are created only if SignUp is 1, and linked by login only if LinkByLogin is 1', async () => {
    const closed = await startServer({ SignUp: '0' })
    await closed.addUser('sub-known', { password: 'correct horse' })
    for (const sub of ['sub-known', 'sub-unknown'])
      expect(await signIn(sub, closed)).toEqual(refused(403, 'sign_up_not_allowed'))
    await closed.close()

    const linking = await startServer({ SignUp: '0', LinkByLogin: '1' })
    const { id } = await linking.addUser('zoe', { password: 'correct horse' })
    await linking.addUser('chief', { password: 'correct horse', capabilities: ['admin'] })
    await linking.addUser('kim', { password: 'correct horse' })
    await linking.addUser('robot', { password: 'correct horse', kind: 'worker' })
    const named = async (sub: string, preferred_username: string) => {
      provider.claims.set(sub, { preferred_username })
      return signIn(sub, linking)
    }
    expect((await named('z1', 'Zoe')).body.user).toMatchObject({ user_id: id, login: 'zoe' })
    for (const [sub, username] of [
      ['z2', 'zoe'], // another person with a name that was given again
      ['c1', 'chief'],
      ['r1', 'robot'],
      ['x1', 'zoë'],
      ['k1', '\u{212a}im'], // KELVIN SIGN
      ['k2', '\u{ff4b}im'],
    ] as const)
      expect(await named(sub, username), username).toEqual(refused(403, 'sign_up_not_allowed'))
    expect((await named('z1', 'renamed')).body.user.user_id).toBe(id)
    await linking.close()
  })

  it('SSO-9 are not linked to accounts without a login of their own', async () => {
    const guest = (await server.call('POST', '/api/v1.0/auth/guest')).body.access_token
    const academy = await server.addPartner('academy')
    const { teacher_join_url } = await academy.room('r', { teacher: { external_id: 'p' } })
    const person = (await enterLink(server.call, teacher_join_url)).body.access_token
    for (const token of [guest, person])
      expect(await server.call('POST', '/api/v1.0/me/identities/start', { token })).toEqual(
        refused(403, 'permission_denied'),
      )
  })

  it('SSO-9 are released where an earlier version has linked them to such an account', async () => {
    const guest = (await server.call('POST', '/api/v1.0/auth/guest')).body.user.user_id
    const first = await signIn('sub-released')
    await server.query(
      'main',
      sql`UPDATE external_identities SET user_id = ${Number(guest)} WHERE subject = 'sub-released'`,
    )
    const second = await signIn('sub-released')
    expect(second.status).toBe(200)
    expect([guest, first.body.user.user_id]).not.toContain(second.body.user.user_id)
    expect((await signIn('sub-released')).body.user).toEqual(second.body.user)
  })

  it('SSO-9 are linked by a user who is signed in, and unlinked (SELF-5)', async () => {
    await server.addUser('olga', { password: 'correct horse' })
    const signInByPassword = async () =>
      (
        await server.call('POST', '/api/v1.0/auth/login', {
          body: { login: 'olga', password: 'correct horse' },
        })
      ).body
    const { access_token: token, user } = await signInByPassword()
    const link = async (sub: string, as = token) => {
      const started = (await server.call('POST', '/api/v1.0/me/identities/start', { token })).body
      const body = { query: await signInAt(started.authorization_url, sub), ticket: started.ticket }
      return { body, answer: await server.call('POST', '/api/v1.0/me/identities', { token: as, body }) }
    }
    const mine = async () => (await server.call('GET', '/api/v1.0/me/identities', { token })).body.identities
    expect(await mine()).toEqual([])
    provider.claims.set('sub-olga', { email: 'olga@example.org' })
    // A link that one user started links nobody else, and signs nobody in.
    const stranger = (await signIn('stranger')).body.access_token
    const { answer, body } = await link('sub-olga', stranger)
    expect(answer).toEqual(refused(400, 'sign_in_expired'))
    expect(await complete(body.query, body.ticket)).toEqual(refused(400, 'sign_in_expired'))
    for (const _ of ['first', 'again']) expect((await link('sub-olga')).answer.status).toBe(200)
    expect(await mine()).toEqual([
      {
        issuer: provider.issuer,
        label: 'olga@example.org',
        created_at: expect.any(Number),
        used_at: expect.any(Number),
      },
    ])
    expect((await signIn('sub-olga')).body.user.user_id).toBe(user.user_id)
    for (const taken of ['stranger', 'second-of-olga'])
      expect((await link(taken)).answer, taken).toEqual(refused(409, 'identity_taken'))
    const passwords = { current: 'correct horse', new: 'battery staple' }
    expect(await server.call('POST', '/api/v1.0/me/password', { token: stranger, body: passwords })).toEqual(
      refused(409, 'no_password'),
    )
    // Nothing else would sign the stranger in.
    expect(await server.call('DELETE', '/api/v1.0/me/identities', { token: stranger })).toEqual(
      refused(403, 'permission_denied'),
    )
    expect((await server.call('DELETE', '/api/v1.0/me/identities', { token })).status).toBe(200)
    expect(await mine()).toEqual([])
    expect((await signIn('sub-olga')).body.user.user_id).not.toBe(user.user_id)
  })

  it('SSO-10 need no password, and passwords can be turned off for people', async () => {
    const strict = await startServer({ PasswordSignIn: '0' })
    await strict.addUser('anna', { password: 'correct horse' })
    await strict.addUser('worker', { password: 'correct horse', kind: 'worker' })
    const byPassword = (login: string, password = 'correct horse') =>
      strict.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    const disabled = refused(403, 'password_sign_in_disabled')
    for (const login of ['anna', 'nobody']) expect(await byPassword(login)).toEqual(disabled)
    // The same as for people: it does not show that the login is a worker's.
    expect(await byPassword('worker', 'wrong')).toEqual(disabled)
    expect((await byPassword('worker')).status).toBe(200)
    const info = (await strict.call('GET', '/api/v1.0/server_info')).body.sign_in
    expect(info).toEqual({ password: false, password_reset: false, sso: true, sso_name: 'School account' })
    await strict.close()
  })

  it('SSO-9 stay linked while their passwords sign nobody in (SELF-5)', async () => {
    const strict = await startServer({ PasswordSignIn: '0', LinkByLogin: '1' })
    await strict.addUser('vera', { password: 'correct horse' })
    provider.claims.set('sub-vera', { preferred_username: 'vera' })
    const { access_token: token, user } = (await signIn('sub-vera', strict)).body
    expect((await me(token, strict)).has_password).toBe(false)
    const passwords = { current: 'correct horse', new: 'battery staple' }
    expect(await strict.call('POST', '/api/v1.0/me/password', { token, body: passwords })).toEqual(
      refused(403, 'password_sign_in_disabled'),
    )
    expect(await strict.call('DELETE', '/api/v1.0/me/identities', { token })).toEqual(
      refused(403, 'permission_denied'),
    )
    expect((await signIn('sub-vera', strict)).body.user).toEqual(user)
    await strict.close()
  })
})

/** Never answers. */
const hang = () => true
const send = (response: ServerResponse, status: number, body: string) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  return true
}

describe('a provider with faults', () => {
  const unavailable = refused(503, 'identity_provider_unavailable')

  it('SSO-11 that is down is reported, and used as soon as it is back', async () => {
    provider.tamper = (_, response) => send(response, 503, 'down')
    const fresh = await startServer()
    const answer = await fresh.call('POST', '/api/v1.0/auth/sso/start')
    expect(answer).toEqual(unavailable)
    expect(answer.headers['retry-after']).toBe('5')
    const requestsBefore = provider.requests.length
    for (let i = 0; i < 20; i++)
      expect(await fresh.call('POST', '/api/v1.0/auth/sso/start')).toEqual(unavailable)
    expect(provider.requests.length - requestsBefore).toBeLessThanOrEqual(1)
    expect(fresh.log()).toContain('the identity provider cannot be reached')
    provider.tamper = () => false
    await expect.poll(async () => (await start(fresh)).ticket, { interval: 500 }).toBeDefined()
    await fresh.close()
  })

  it('SSO-11 that goes down later is not queried for cached data, and a started sign-in is refused', async () => {
    const { authorization_url, ticket } = await start()
    const query = await signInAt(authorization_url, 'sub-late')
    provider.tamper = (_, response) => send(response, 500, '{}')
    expect((await start()).ticket).toBeDefined()
    expect(await complete(query, ticket)).toEqual(unavailable)
  })

  it('SSO-12 that never responds delays a sign-in by seconds only', async () => {
    const attempts = await Promise.all([1, 2].map(() => start()))
    const queries = await Promise.all(attempts.map(each => signInAt(each.authorization_url, 'sub-slow')))
    provider.tamper = request => String(request.url).startsWith('/token') && hang()
    const answers = await Promise.all(attempts.map((each, i) => complete(queries[i] as string, each.ticket)))
    for (const answer of answers) expect(answer).toEqual(unavailable)
  })

  it.each<[string, string, (response: ServerResponse) => boolean]>([
    ['an endless answer', '/token', r => send(r, 200, `{"x":"${'x'.repeat(2_000_000)}"}`)],
    ['no JSON', '/token', r => send(r, 200, '<html>')],
    [
      'a redirect',
      '/token',
      r => void r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() === undefined,
    ],
    ['foreign keys', '/jwks', r => send(r, 200, '{"keys":[]}')],
    [
      'a malformed ID token',
      '/token',
      r => send(r, 200, '{"access_token":"x","token_type":"Bearer","id_token":"a.b.c"}'),
    ],
    ['no ID token', '/token', r => send(r, 200, '{"access_token":"x","token_type":"Bearer"}')],
    ['another subject in userinfo', '/me', r => send(r, 200, '{"sub":"somebody else"}')],
  ])('SSO-12 that sends %s is refused', async (_, path, answer) => {
    const fresh = path === '/jwks' ? await startServer() : server // without cached keys
    const { authorization_url, ticket } = await start(fresh)
    const query = await signInAt(authorization_url, 'sub-hostile')
    provider.tamper = (request, response) => String(request.url).startsWith(path) && answer(response)
    expect(await complete(query, ticket, fresh)).toEqual(unavailable)
    expect(fresh.log()).toContain('the identity provider did not complete a sign-in')
    if (fresh !== server) await fresh.close()
  })

  it.each([
    ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
    ['ISSUER/', 'ISSUER/'],
    ['http://x/?code=secret-words', 'an invalid address'],
  ])('SSO-12 that names another issuer is not used, and both are in the log: %s', async (named, logged) => {
    const path = `${provider.issuer}/realms/staff`
    const issuer = named.replace('ISSUER', path)
    provider.tamper = (request, response) =>
      String(request.url).includes('/.well-known') &&
      send(response, 200, JSON.stringify({ issuer, authorization_endpoint: 'http://x/' }))
    const fresh = await startServer({ Issuer: path })
    expect(await fresh.call('POST', '/api/v1.0/auth/sso/start')).toEqual(unavailable)
    expect(fresh.log()).toContain(`"issuer":"${path}"`)
    expect(fresh.log()).toContain(`the provider calls itself ${logged.replace('ISSUER', path)}`)
    expect(fresh.log()).not.toContain('secret-words')
    await fresh.close()
  })

  it('SSO-12 whose documents have another type, as static files have it, is used', async () => {
    const fresh = await startServer() // without cached keys and settings
    provider.tamper = (request, response) => {
      const setHeader = response.setHeader.bind(response)
      if (/^\/(token|jwks|me|\.well-known)/.test(String(request.url)))
        response.setHeader = (name, value) =>
          setHeader(name, /^content-type$/i.test(name) ? 'application/octet-stream' : value)
      return false
    }
    expect((await signIn('sub-static', fresh)).status).toBe(200)
    await fresh.close()
  })

  it('SSO-12 that names another issuer in its answer is in the log with both', async () => {
    const { authorization_url, ticket } = await start()
    const query = new URLSearchParams(await signInAt(authorization_url, 'sub-iss'))
    query.set('iss', `${provider.issuer}/x/`)
    expect(await complete(`?${query}`, ticket)).toEqual(unavailable)
    expect(server.log()).toContain(
      `the provider calls itself ${provider.issuer}/x/, but ${provider.issuer} is expected`,
    )
  })

  it.each<[string, (response: ServerResponse) => boolean]>([
    ['401', r => send(r, 401, '{"error":"invalid_token"}')],
    [
      '401 with a challenge',
      r =>
        void r.setHeader('www-authenticate', 'Bearer error="invalid_token"') === undefined &&
        send(r, 401, ''),
    ],
    ['500', r => send(r, 500, 'oops')],
    ['no JSON', r => send(r, 200, '<html>')],
    ['no subject', r => send(r, 200, '{}')],
    ['a broken connection', r => r.destroy() !== undefined],
  ])('SSO-1 whose userinfo fails signs in whom the ID token names: %s', async (_, answer) => {
    const [named, bare] = [`sub-named-${_}`, `sub-bare-${_}`]
    provider.idTokenClaims.set(named, { email: 'eva@example.org' })
    const faulty = (request: IncomingMessage, response: ServerResponse) =>
      String(request.url).startsWith('/me') && answer(response)
    provider.tamper = faulty
    const first = await signIn(named)
    expect(first.body.user?.login).toMatch(/^eva/)
    expect(server.log()).toContain('userinfo of the identity provider failed')
    // Nothing names this person, and a login is for ever.
    expect(await signIn(bare)).toEqual(unavailable)
    provider.tamper = () => false
    const { user } = (await signIn(bare)).body
    provider.tamper = faulty
    expect((await signIn(bare)).body.user).toEqual(user)
  })

  it('SSO-1 whose ID token has empty claims gets them from userinfo', async () => {
    for (const [i, empty] of [null, '', ' ', 5, []].entries()) {
      const sub = `sub-empty-${i}`
      provider.idTokenClaims.set(sub, { preferred_username: empty, name: empty, email: empty })
      provider.claims.set(sub, { preferred_username: `fritz${i}`, name: 'Fritz' })
      expect((await signIn(sub)).body.user, `${empty}`).toMatchObject({
        login: `fritz${i}`,
        display_name: 'Fritz',
      })
    }
  })

  it.each(['null', '""', '["openid"]', '"never"', '-1'])(
    'SSO-12 that sends optional members as %s is understood',
    async empty => {
      const { authorization_url, ticket } = await start()
      const query = await signInAt(authorization_url, 'sub-null')
      provider.tamper = (request, response) => {
        if (!String(request.url).startsWith('/token')) return false
        const write = response.end.bind(response)
        response.end = ((body: string | Buffer) => {
          response.removeHeader('content-length')
          return write(
            `${body}`.replace(/}$/, `,"refresh_token":${empty},"scope":${empty},"expires_in":${empty}}`),
          )
        }) as typeof response.end
        return false
      }
      expect((await complete(query, ticket)).status).toBe(200)
    },
  )

  it('SSO-12 that did not sign the person in is distinguished from one that fails', async () => {
    const answer = async (error: string) => {
      const { authorization_url, ticket } = await start()
      const state = new URL(authorization_url).searchParams.get('state') ?? ''
      const iss = encodeURIComponent(provider.issuer)
      return complete(`?error=${error}&error_description=secret-words&state=${state}&iss=${iss}`, ticket)
    }
    expect(await answer('access_denied')).toEqual(refused(403, 'sign_in_cancelled'))
    expect(await answer('server_error')).toEqual(unavailable)
    expect(server.log()).not.toContain('secret-words')
  })
})

it('SSO-13 keeps codes, states, tickets, tokens and the client secret out of the log', async () => {
  const { authorization_url, ticket } = await start()
  const query = await signInAt(authorization_url, 'sub-log')
  await server.call('GET', `/sign-in/callback${query}`, { headers: { accept: 'text/html' } })
  const { body } = await complete(query, ticket)
  await complete(query, ticket)
  await complete(query, 'x')
  const parameters = new URLSearchParams(query)
  const log = server.log()
  for (const secret of [
    parameters.get('code'),
    parameters.get('state'),
    ticket,
    body.access_token,
    body.refresh_token,
    CLIENT_SECRET,
  ]) {
    expect(String(secret).length).toBeGreaterThan(16)
    expect(log).not.toContain(secret)
  }
})

it('is absent without a provider', async () => {
  const plain = await startTestServer()
  expect(await plain.call('POST', '/api/v1.0/auth/sso/start')).toEqual(refused(404, 'not_found'))
  expect((await plain.call('GET', '/api/v1.0/server_info')).body.sign_in).toEqual({
    password: true,
    sso: false,
    password_reset: false,
    sso_name: '',
  })
  await plain.close()
})
