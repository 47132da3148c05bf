import { decodeJwt, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { RelayHeader } from '../cluster/requests/relay-header.ts'
import { ResumeTokens } from '../control/v2/resume-tokens.ts'
import { Links } from '../partners/links.ts'
import { type Audience, Jwt } from './jwt.ts'
import { Keys } from './keys.ts'

const [OLD, NEW, OTHER] = ['old secret', 'new secret', 'a stranger'].map(text => text.padEnd(32, '.')) as [
  string,
  string,
  string,
]
const UNTIL = Date.UTC(2026, 5, 1)
const WEEK_SECONDS = 7 * 24 * 3600
const refused = { code: 'unauthenticated' }

let now: number
beforeEach(() => {
  now = UNTIL - 3_600_000
})
const clock = () => now
const keysOf = (secret: string, ...accepted: string[]) =>
  new Keys(secret, { secrets: accepted, until: UNTIL }, clock)

describe('ROTATE-1 access tokens', () => {
  const sign = (secret: string, audience: Audience = 'lectern:service') =>
    new Jwt(keysOf(secret), clock).sign(audience, { sub: 'school' }, WEEK_SECONDS)

  it.each(['lectern:user', 'lectern:service', 'lectern:operator', 'lectern:file', 'lectern:sso'] as const)(
    'of the former secret are accepted until the configured time: %s',
    async audience => {
      const token = await sign(OLD, audience)
      const jwt = new Jwt(keysOf(NEW, OTHER, OLD), clock)
      expect((await jwt.verify(audience, token)).sub).toBe('school')
      now = UNTIL - 1
      expect((await jwt.verify(audience, token)).sub).toBe('school')
      now = UNTIL
      await expect(jwt.verify(audience, token)).rejects.toMatchObject(refused) // although it was verified before
      await expect(new Jwt(keysOf(NEW, OLD), clock).verify(audience, token)).rejects.toMatchObject(refused)
    },
  )

  it('are signed with the present secret only', async () => {
    const token = await new Jwt(keysOf(NEW, OLD), clock).sign('lectern:user', {}, 60)
    expect(decodeJwt(await new Jwt(keysOf(NEW), clock).sign('lectern:user', {}, 60))).toEqual(
      decodeJwt(token),
    )
    await expect(new Jwt(keysOf(NEW), clock).verify('lectern:user', token)).resolves.toBeDefined()
    await expect(new Jwt(keysOf(OLD), clock).verify('lectern:user', token)).rejects.toMatchObject(refused)
  })

  it('of another secret, for another audience and expired ones are refused', async () => {
    const jwt = new Jwt(keysOf(NEW, OLD), clock)
    await expect(jwt.verify('lectern:service', await sign(OTHER))).rejects.toMatchObject(refused)
    await expect(jwt.verify('lectern:user', await sign(OLD))).rejects.toMatchObject(refused)
    const expired = new SignJWT({ iss: 'lectern', aud: 'lectern:user', exp: now / 1000 - 1 })
    const token = await expired.setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(OLD))
    await expect(jwt.verify('lectern:user', token)).rejects.toMatchObject({ code: 'token_expired' })
  })
})

describe('ROTATE-1 join links', () => {
  const claims = { tag: 'k7mq-x2wd9-rtnh', role: 'teacher', version: 3, displayName: 'Ms Thorn' } as const

  it('of the former secret are accepted until the configured time', () => {
    const link = new Links(keysOf(OLD)).sign(claims)
    const links = new Links(keysOf(NEW, OLD))
    expect(links.verify(link)).toEqual(claims)
    now = UNTIL
    expect(() => links.verify(link)).toThrow(expect.objectContaining({ code: 'link_invalid' }))
  })

  it('are signed with the present secret only, and refused with another one', () => {
    const link = new Links(keysOf(NEW, OLD)).sign(claims)
    expect(link).toBe(new Links(keysOf(NEW)).sign(claims))
    for (const secret of [OLD, OTHER])
      expect(() => new Links(keysOf(secret)).verify(link)).toThrow(
        expect.objectContaining({ code: 'link_invalid' }),
      )
  })
})

describe('ROTATE-2 servers of a cluster, one of which has the new secret already', () => {
  const first = () => keysOf(OLD, NEW)
  const second = () => keysOf(NEW, OLD)
  const pairs: [string, () => Keys, () => Keys][] = [
    ['old to new', first, second],
    ['new to old', second, first],
  ]

  it.each(pairs)('accept tokens, links, resume tokens and relayed connections: %s', async (_, from, to) => {
    const token = await new Jwt(from(), clock).sign('lectern:user', { sub: '7' }, 60)
    expect((await new Jwt(to(), clock).verify('lectern:user', token)).sub).toBe('7')

    const claims = { tag: 'k7mq-x2wd9-rtnh', role: 'student', version: 1, displayName: '' } as const
    expect(new Links(to()).verify(new Links(from()).sign(claims))).toEqual(claims)

    const binding = {
      deployment_id: 'd',
      tenant_id: 't',
      logical_connection_id: 'c',
      binding_generation: '1',
    }
    const subject = { userId: 7, instanceId: 'tab', binding }
    const tokensOf = (keys: Keys) =>
      new ResumeTokens({ keys: () => keys.deriveAccepted('resume tokens'), clock })
    const resume = tokensOf(from()).issue(subject)
    expect(tokensOf(to()).isGenuine(resume, subject)).toBe(true)
    expect(tokensOf(keysOf(OTHER)).isGenuine(resume, subject)).toBe(false)

    const headerOf = (keys: Keys) => new RelayHeader({ keys: () => keys.deriveAccepted('relay'), clock })
    const header = headerOf(from()).create('192.0.2.1', 'server-b', 'eu')
    expect(headerOf(to()).verify(header, 'server-b')).toEqual({ address: '192.0.2.1', region: 'eu' })
    expect(headerOf(keysOf(OTHER)).verify(header, 'server-b')).toBeNull()
  })
})

describe('without a JwtSecret', () => {
  it('SIGN-7 accepted secrets give no keys', () => {
    const keys = keysOf('', OLD)
    expect(keys.configured).toBe(false)
    expect(() => keys.deriveAccepted('join link')).toThrow(
      expect.objectContaining({ code: 'not_configured' }),
    )
  })
})
