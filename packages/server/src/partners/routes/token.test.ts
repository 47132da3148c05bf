import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Partner, requestToken } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { JWT_SECRET, startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

/** Writes a service account exactly as docs/install.md#partners describes. */
async function writeAccount(
  name: string,
  secretHash: string,
  columns: { scopes?: string; enabled?: number } = {},
) {
  const { scopes = '["integration:rooms"]', enabled = 1 } = columns
  const row = sql`(${name}, ${school.account.clientId}, ${secretHash}, ${scopes}, ${enabled}, 1700000000)`
  await server.query('integration', sql`DELETE FROM service_accounts WHERE name = ${name}`)
  await server.query('integration', sql`INSERT INTO service_accounts VALUES ${row}`)
}
const hmac = (secret: string, encoding: 'base64url' | 'base64' = 'base64url') =>
  `hmac-sha256:${createHmac('sha256', JWT_SECRET).update(secret).digest(encoding)}`
const signIn = (name: string, secret: string) => requestToken(server.call, name, secret)
const rooms = (token: string) => server.call('GET', '/api/v1/integration/rooms/none', { token })

describe('POST /auth/token', () => {
  it('returns a bearer token that is valid for a week, and no refresh token (TOKEN-1)', async () => {
    const { status, body } = await school.renewToken()
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: null,
    })
    expect(await rooms(body.access_token)).toEqual(refused(404, 'room_not_found'))
  })

  it.each([
    ['a plain one', 'plain:s3cret', 's3cret'],
    ['a plain one with colons and spaces', 'plain: a:b ', ' a:b '],
    ['a hashed one', hmac('s3cret'), 's3cret'],
    ['a hashed one with padding', `${hmac('s3cret')}=`, 's3cret'],
    ['a hashed one beyond ASCII', hmac('пароль 👋'), 'пароль 👋'],
  ])('takes a secret that was written into the store by hand, while it runs: %s', async (_, hash, secret) => {
    await writeAccount('by-hand', hash)
    const { status, body } = await signIn('by-hand', secret)
    expect(status).toBe(200)
    expect((await rooms(body.access_token)).status).toBe(404)
    expect(await signIn('by-hand', `${secret}x`)).toEqual(refused(401, 'invalid_credentials'))
  })

  it.each(['hmac-sha256:', 'plain:', '', 's3cret', 'hmac-sha256:s3cret', 'sha256:x', 'Plain:s3cret'])(
    'accepts no secret if the stored hash is %j',
    async hash => {
      await writeAccount('odd', hash)
      for (const secret of ['s3cret', hash || 'x', 'hmac-sha256:', ' '])
        expect(await signIn('odd', secret)).toEqual(refused(401, 'invalid_credentials'))
    },
  )

  it('answers a wrong secret, an unknown and a disabled account alike', async () => {
    await writeAccount('off', 'plain:s3cret', { enabled: 0 })
    const [wrong, unknown, disabled] = await Promise.all([
      signIn('school', 'wrong'),
      signIn('nobody', 'wrong'),
      signIn('off', 's3cret'),
    ])
    expect(wrong).toEqual(refused(401, 'invalid_credentials'))
    expect(unknown.body).toEqual(wrong.body)
    expect(disabled.body).toEqual(wrong.body)
  })

  it('is case-sensitive', async () => {
    expect(await signIn('School', school.secret)).toEqual(refused(401, 'invalid_credentials'))
  })

  it.each([
    [{}],
    [{ service_account: 'school' }],
    [{ client_secret: 'x' }],
    [{ service_account: '', client_secret: 'x' }],
    [{ service_account: 'school', client_secret: '' }],
    [{ service_account: 5, client_secret: 'x' }],
    [{ service_account: 'school', client_secret: ['x'] }],
    [{ service_account: 'school', client_secret: 'x'.repeat(1025) }],
    [{ service_account: 'a\0b', client_secret: 'x' }],
    [null],
    [[]],
    ['school'],
  ])('rejects the body %j', async body => {
    expect(await server.call('POST', '/api/v1/integration/auth/token', { body })).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('requires a body', async () => {
    expect(await server.call('POST', '/api/v1/integration/auth/token')).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('ignores unknown fields and a bearer token', async () => {
    const body = { service_account: 'school', client_secret: school.secret, grant_type: 'x' }
    const answer = await server.call('POST', '/api/v1/integration/auth/token', { body, token: 'rubbish' })
    expect(answer.status).toBe(200)
  })
})

describe('ROTATE-3 a client secret that was hashed with a former JwtSecret', () => {
  const FORMER = 'the-former-secret-of-this-server'
  const hashedWith = (key: string) =>
    `hmac-sha256:${createHmac('sha256', key).update('s3cret').digest('base64url')}`
  let rotated: TestServer

  beforeAll(async () => {
    rotated = await startTestServer({
      Server: { AcceptedJwtSecrets: FORMER, AcceptedJwtSecretsUntil: '2999-12-31T00:00:00Z' },
    })
  })
  afterAll(() => rotated.close())

  it('is accepted, and from then on needs the present one only', async () => {
    const { operator, call } = rotated
    const { login } = await rotated.addUser('robot', { kind: 'technical' })
    await operator.serviceAccounts.add('former', login, ['integration:rooms'])
    const stored = async () => (await operator.serviceAccounts.list())[0]?.secretHash
    const former = hashedWith(FORMER)
    await rotated.query('integration', sql`UPDATE service_accounts SET secret_hash = ${former}`)

    expect(await requestToken(call, 'former', 'wrong')).toEqual(refused(401, 'invalid_credentials'))
    expect(await stored()).toBe(former)
    expect((await requestToken(call, 'former', 's3cret')).status).toBe(200)
    expect((await stored())?.split('#')[0]).toBe(hashedWith(JWT_SECRET))
    expect((await requestToken(call, 'former', 's3cret')).status).toBe(200)
  })

  it('is refused when that one is not accepted', async () => {
    await writeAccount('former', hashedWith(FORMER))
    expect(await signIn('former', 's3cret')).toEqual(refused(401, 'invalid_credentials'))
  })
})

describe('a server without JwtSecret', () => {
  let bare: TestServer
  beforeAll(async () => {
    bare = await startTestServer({ Server: { JwtSecret: '' } })
  })
  afterAll(() => bare.close())

  it('starts, and answers 503 where it needs tokens', async () => {
    expect(await requestToken(bare.call, 'school', 'secret')).toEqual(refused(503, 'not_configured'))
    expect(await bare.call('POST', '/api/v1.0/auth/guest')).toEqual(refused(503, 'not_configured'))
    expect(await bare.call('GET', '/api/v1/integration/rooms/a', { token: 'a.b.c' })).toEqual(
      refused(503, 'not_configured'),
    )
    expect((await bare.call('GET', '/api/v1.0/server_info')).status).toBe(200)
  })

  it('stores no guest that it cannot sign in', async () => {
    await bare.call('POST', '/api/v1.0/auth/guest')
    expect(await bare.operator.users.list()).toEqual([])
  })
})
