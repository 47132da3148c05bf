import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestToken } from '../testing/partner.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { OperatorError } from './checks.ts'
import type { UserDesk } from './users.ts'

let server: TestServer
let users: UserDesk
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

describe('the desk of users', () => {
  it('makes a password when none is given, and shows it once', async () => {
    const { user, password } = await users.add('Anna', {})
    expect(user).toMatchObject({ login: 'anna', displayName: 'Anna', kind: 'ordinary' })
    const answer = await server.call('POST', '/api/v1.0/auth/login', { body: { login: 'anna', password } })
    expect(answer.status).toBe(200)
    expect((await users.add('bob', { password: 'given password' })).password).toBeUndefined()
  })

  it.each([
    ['a login that is taken', () => users.add('anna', {}), /taken/],
    ['a login that cannot be one', () => users.add('two words', {}), /cannot be a login/],
    ['an empty name', () => users.add('x1', { name: ' ' }), /1 to 128 characters/],
    ['a short password', () => users.add('x2', { password: '1234567' }), /8 to 1024 characters/],
    ['an unknown capability', () => users.add('x3', { capabilities: ['fly'] }), /Unknown capability "fly"/],
    ['no change', () => users.set('anna', {}), /Nothing to change/],
    ['an unknown user', () => users.set('nobody', { name: 'X' }), /no user nobody/],
    ['removing an unknown user', () => users.remove('nobody'), /no user nobody/],
  ])('refuses %s', async (_, work, message) => {
    expect(await refusal(work())).toMatch(message)
  })

  it('keeps the login of a removed user', async () => {
    await users.add('gone', {})
    await users.remove('gone')
    expect(await refusal(users.find('gone'))).toMatch(/no user/)
    expect(await refusal(users.add('gone', {}))).toMatch(/taken/)
  })
})

describe('the desk of service accounts', () => {
  const desk = () => server.operator.serviceAccounts

  it('shows a secret once and stores its hash', async () => {
    await users.add('robot', { kind: 'technical' })
    const { account, clientSecret } = await desk().add('school', 'robot', ['integration:rooms', 'blob'])
    expect(account.secretHash).toMatch(/^hmac-sha256:[\w-]{43}$/)
    expect(JSON.stringify(await desk().list())).not.toContain(clientSecret)
    expect((await requestToken(server.call, 'school', clientSecret)).status).toBe(200)
  })

  it('makes a token for a try that the API takes', async () => {
    const token = await desk().token('school')
    expect((await server.call('GET', '/api/v1/integration/server_info', { token })).status).toBe(200)
  })

  it.each([
    ['a name that is taken', () => desk().add('school', 'robot', ['blob']), /exists already/],
    ['a name with spaces', () => desk().add('my school', 'robot', ['blob']), /without spaces/],
    ['no scope', () => desk().add('a', 'robot', []), /at least one scope/],
    ['an unknown scope', () => desk().add('a', 'robot', ['all']), /Unknown scope "all"/],
    ['an unknown user', () => desk().add('a', 'nobody', ['blob']), /no user nobody/],
    ['no change', () => desk().set('school', {}), /Nothing to change/],
    ['an unknown account', () => desk().set('none', { enabled: true }), /no service account none/],
    ['a token of an unknown account', () => desk().token('none'), /no service account none/],
  ])('refuses %s', async (_, work, message) => {
    expect(await refusal(work())).toMatch(message)
  })

  it('refuses an administrator as owner of rooms', async () => {
    await users.add('boss', { capabilities: ['admin'] })
    expect(await refusal(desk().add('a', 'boss', ['blob']))).toMatch(/not an administrator/)
  })

  it('wants a JwtSecret', async () => {
    const bare = await startTestServer({ Server: { JwtSecret: '' } })
    await bare.addUser('robot', { kind: 'technical' })
    expect(await refusal(bare.operator.serviceAccounts.add('a', 'robot', ['blob']))).toMatch(/JwtSecret/)
    await bare.close()
  })
})
