import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operator } from '../../operator.ts'
import { enterLink, requestToken } from '../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { OperatorError } from './checks.ts'

let server: TestServer
let users: Operator['users']
beforeAll(async () => {
  server = await startTestServer()
  users = server.operator.users
})
afterAll(() => server.close())

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  expect(error.message).not.toContain('\n')
  return error.message as string
}

describe('UserAdminService', () => {
  it('generates a password when none is given, and returns it once', async () => {
    const { user, password } = await users.add('Anna', {})
    expect(user).toMatchObject({ login: 'anna', displayName: 'Anna', kind: 'ordinary' })
    const answer = await server.call('POST', '/api/v1.0/auth/login', { body: { login: 'anna', password } })
    expect(answer.status).toBe(200)
    expect((await users.add('bob', { password: 'given password' })).password).toBeUndefined()
  })

  it.each([
    ['a login that is already taken', () => users.add('anna', {}), /taken/],
    ['an invalid login', () => users.add('two words', {}), /Invalid login/],
    ['an empty name', () => users.add('x1', { name: ' ' }), /1 to 128 characters/],
    ['a short password', () => users.add('x2', { password: '1234567' }), /8 to 1024 characters/],
    ['an unknown capability', () => users.add('x3', { capabilities: ['fly'] }), /Unknown capability "fly"/],
    ['no change', () => users.set('anna', {}), /Nothing to change/],
    ['an unknown user', () => users.set('nobody', { name: 'X' }), /no user nobody/],
    ['removing an unknown user', () => users.remove('nobody'), /no user nobody/],
  ])('rejects %s', async (_, work, message) => {
    expect(await refusal(work())).toMatch(message)
  })

  it('changes nothing of what it rejects in part', async () => {
    await users.add('dan', { password: 'his own password' })
    const change = { password: 'another password', name: 'Dan', email: 'no address' }
    expect(await refusal(users.set('dan', change))).toMatch(/no mail address/)
    const answer = await server.call('POST', '/api/v1.0/auth/login', {
      body: { login: 'dan', password: 'his own password' },
    })
    expect(answer.status).toBe(200)
    expect((await users.find('dan')).displayName).toBe('dan')
  })

  it('reserves the login of a deleted user', async () => {
    await users.add('gone', {})
    await users.remove('gone')
    expect(await refusal(users.find('gone'))).toMatch(/no user/)
    expect(await refusal(users.add('gone', {}))).toMatch(/taken/)
  })
})

describe('ServiceAccountAdminService', () => {
  const admin = () => server.operator.serviceAccounts

  it('returns a secret once and stores only its hash (ADMIN-4)', async () => {
    await users.add('robot', { kind: 'technical' })
    const { account, clientSecret } = await admin().add('school', 'robot', ['integration:rooms', 'blob'])
    expect(account.secretHash).toMatch(/^hmac-sha256:[\w-]{43}$/)
    expect(JSON.stringify(await admin().list())).not.toContain(clientSecret)
    expect((await requestToken(server.call, 'school', clientSecret)).status).toBe(200)
  })

  it('issues a token that the API accepts', async () => {
    const token = await admin().token('school')
    expect((await server.call('GET', '/api/v1/integration/server_info', { token })).status).toBe(200)
  })

  it.each([
    ['a name that is taken', () => admin().add('school', 'robot', ['blob']), /already exists/],
    ['a name with spaces', () => admin().add('my school', 'robot', ['blob']), /without spaces/],
    ['a name that addresses do not keep', () => admin().add('..', 'robot', ['blob']), /neither "\." nor/],
    ['a name with invisible characters', () => admin().add('a\u202eb', 'robot', ['blob']), /invisible/],
    ['no scope', () => admin().add('a', 'robot', []), /at least one scope/],
    ['an unknown scope', () => admin().add('a', 'robot', ['all']), /Unknown scope "all"/],
    ['an unknown user', () => admin().add('a', 'nobody', ['blob']), /no user nobody/],
    ['no change', () => admin().set('school', {}), /Nothing to change/],
    ['an unknown account', () => admin().set('none', { enabled: true }), /no service account none/],
    ['a token of an unknown account', () => admin().token('none'), /no service account none/],
  ])('rejects %s', async (_, work, message) => {
    expect(await refusal(work())).toMatch(message)
  })

  it('rejects an administrator as owner of rooms', async () => {
    await users.add('boss', { capabilities: ['admin'] })
    expect(await refusal(admin().add('a', 'boss', ['blob']))).toMatch(/not an administrator/)
  })

  it('keeps an owner of rooms from becoming an administrator', async () => {
    const { login } = (await users.add('robot-2', {})).user
    await admin().add('academy', login, ['blob'])
    const promote = () => users.set(login, { capabilities: ['admin'] })
    expect(await refusal(promote())).toBe(
      'robot-2 cannot be an administrator: it is the technical user of the service account academy.',
    )
    expect((await users.set(login, { capabilities: ['recordings.access'] })).capabilities).toEqual([
      'recordings.access',
    ])
  })

  it('rejects a person of a partner as owner of rooms', async () => {
    const clinic = await server.addPartner('clinic')
    const { teacher_join_url } = await clinic.room('visit', { teacher: { external_id: 'doctor-1' } })
    const { login } = (await enterLink(server.call, teacher_join_url as string)).body
    expect(await refusal(admin().add('a', login, ['blob']))).toMatch(/not a person of a partner/)
  })

  it('requires a JwtSecret', async () => {
    const bare = await startTestServer({ Server: { JwtSecret: '' } })
    await bare.addUser('robot', { kind: 'technical' })
    expect(await refusal(bare.operator.serviceAccounts.add('a', 'robot', ['blob']))).toMatch(/JwtSecret/)
    await bare.close()
  })
})
