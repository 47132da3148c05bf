import { createHmac } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Partner, requestToken } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { JWT_SECRET, startTestServer, type TestServer } from '../../testing/server.ts'

const FORMER = 'the-former-secret-of-this-server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    Server: { AcceptedJwtSecrets: FORMER, AcceptedJwtSecretsUntil: '2999-12-31T00:00:00Z' },
  })
})
afterAll(() => server.close())

let accounts = 0
const newPartner = () => server.addPartner(`school-${++accounts}`)
const hashWith = (key: string, secret: string) =>
  `hmac-sha256:${createHmac('sha256', key).update(secret).digest('base64url')}`

/** The token of a version that named no secret. */
const older = (token: string, key = JWT_SECRET) => {
  const { secret_id: _, ...claims } = decodeJwt(token)
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key))
}

const PATHS = [
  '/api/v1/integration/rooms/none/status',
  '/api/v1/integration/server_info',
  '/api/v2/integration/rooms',
  '/api/v1.0/recordings',
  '/api/storage/blobs/none',
]
const statuses = async (token: string) =>
  Promise.all(PATHS.map(async path => (await server.call('GET', path, { token })).status))
const isAccepted = async (token: string) => !(await statuses(token)).includes(401)
/** A token that was just used is remembered for a moment. */
const expectAccepted = (token: string, accepted: boolean) =>
  expect
    .poll(async () => new Set((await statuses(token)).map(status => status !== 401)))
    .toEqual(new Set([accepted]))

const store = (name: string, secretHash: string) =>
  server.query(
    'integration',
    sql`UPDATE service_accounts SET secret_hash = ${secretHash} WHERE name = ${name}`,
  )

const issued = async ({ account }: Partner, secret: string): Promise<string> =>
  (await requestToken(server.call, account.name, secret)).body.access_token

describe('TOKEN-7 a service token', () => {
  it('is refused like one of a disabled account when its secret is revoked', async () => {
    const school = await newPartner()
    const { name } = school.account
    const { clientSecret } = await server.operator.serviceAccounts.rotate(name)
    const present = await issued(school, clientSecret)
    await server.operator.serviceAccounts.finishRotation(name)
    await expectAccepted(school.token, false)
    const revoked = await school.get('none')
    expect(revoked).toEqual(refused(401, 'unauthenticated'))
    expect(await isAccepted(present)).toBe(true)

    const next = await issued(school, await server.operator.serviceAccounts.replaceSecret(name))
    await expectAccepted(present, false)
    expect(await isAccepted(next)).toBe(true)
    expect(await isAccepted(await server.operator.serviceAccounts.token(name))).toBe(true)

    await server.operator.serviceAccounts.set(name, { enabled: false })
    await expectAccepted(next, false)
    const disabled = await server.call('GET', '/api/v1/integration/rooms/none', { token: next })
    expect(disabled.body.message).toBe(revoked.body.message)
  })

  it('of an earlier version ends with the secrets of that version', async () => {
    const school = await newPartner()
    const { name } = school.account
    const token = await older(school.token)
    expect(await isAccepted(token)).toBe(true)
    await server.operator.serviceAccounts.rotate(name)
    expect(await isAccepted(token)).toBe(true)
    await server.operator.serviceAccounts.finishRotation(name)
    await expectAccepted(token, false)
    await server.operator.serviceAccounts.rotate(name)
    expect(await isAccepted(token)).toBe(false)
  })

  it('ends with a secret that the operator overwrites in the store', async () => {
    const school = await newPartner()
    const { name } = school.account
    await store(name, `${hashWith(JWT_SECRET, school.secret)}=`)
    expect(await isAccepted(school.token)).toBe(true)
    await store(name, 'plain:first # secret')
    await expectAccepted(school.token, false)
    const plain = await issued(school, 'first # secret')
    expect(await isAccepted(plain)).toBe(true)
    await store(name, 'plain:second # secret')
    await expectAccepted(plain, false)
  })

  it('goes on when its secret is hashed with another JwtSecret', async () => {
    const school = await newPartner()
    const { name } = school.account
    await store(name, hashWith(FORMER, school.secret))
    const { clientSecret } = await server.operator.serviceAccounts.rotate(name)
    await server.operator.serviceAccounts.finishRotation(name)
    const marked = await issued(school, clientSecret)
    const [{ secret_hash = '' } = {}] = await server.query<{ secret_hash: string }>(
      'integration',
      sql`SELECT secret_hash FROM service_accounts WHERE name = ${name}`,
    )
    const [, id] = secret_hash.split('#')
    await store(name, `${hashWith(FORMER, clientSecret)}#${id}`)
    await issued(school, clientSecret)
    expect(await isAccepted(marked)).toBe(true)

    await store(name, hashWith(FORMER, 'another'))
    const first = await issued(school, 'another')
    const before = await older(first, FORMER)
    await issued(school, 'another')
    expect(await Promise.all([first, before].map(isAccepted))).toEqual([true, true])
    await server.operator.serviceAccounts.replaceSecret(name)
    for (const token of [first, before]) await expectAccepted(token, false)
  })
})

describe('TOKEN-7 a service token, some time later', () => {
  let later: TestServer
  beforeAll(async () => {
    later = await startTestServer()
  })
  afterAll(() => later.close())

  it('ends with the overlap of the secret that it was issued with', async () => {
    const school = await later.addPartner('school')
    const { clientSecret } = await later.operator.serviceAccounts.rotate('school', 600)
    const tokens = [school.token]
    for (const secret of [school.secret, clientSecret])
      tokens.push((await requestToken(later.call, 'school', secret)).body.access_token)
    const seen = () =>
      Promise.all(tokens.map(async token => (await school.call('GET', '/server_info', { token })).status))
    expect(await seen()).toEqual([200, 200, 200])
    later.advance(601_000)
    await expect.poll(seen).toEqual([401, 401, 200])
  })
})
