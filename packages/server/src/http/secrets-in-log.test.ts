import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange } from '../testing/http.ts'
import { enterLink, type Partner, resolveLink, tokenOf } from '../testing/partner.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'trace', MetricsToken: 'metrics-token-of-tests' } })
  school = await server.addPartner('school')
})
afterAll(() => server.close())

/** Sends valid and invalid requests that contain secrets, and returns the secrets. */
async function sendEverything(): Promise<string[]> {
  const room = await school.room('room', { teacher: { external_id: 'person', display_name: 'Ms T' } })
  const [teacher, student] = [tokenOf(room.teacher_join_url), tokenOf(room.student_join_url)]
  const { body: person } = await enterLink(server.call, room.teacher_join_url)
  const password = 'password-of-tests'
  await server.addUser('anna', { password })
  const { call } = server
  const login = { login: 'anna', password }
  const { body: anna } = await call('POST', '/api/v1.0/auth/login', { body: login })

  await resolveLink(call, room.student_join_url)
  for (const token of [teacher, student])
    for (const path of [
      `/j/${token}`,
      `/j/${token}/`,
      `/j/${token}/x`,
      `/J/${token}`,
      `/j/${token}?t=${token}`,
      `/conferences/${token}`,
      `/nothing?t=${token}`,
      `/${token}`,
      `/assets/${token}.js`,
      `/api/v1.0/conferences/${token}`,
      `/api/v1/integration/join/${token}/`,
      `/api/v1/integration/join/${token}/x`,
      `/api/v1/integration/join/${token}%zz`,
      `/api/v1/integration/join/${token}?role=${token}`,
      `/api/v1/integration/nothing/${token}`,
      `/api/v1/integration/join/${token}${'x'.repeat(9000)}`,
      `/api/v1/integration/join/${token}#${'x'.repeat(2000)}`,
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
        await call(method, path, { headers: { accept: 'text/html', referer: `/j/${token}` } })

  await call('POST', `/api/v1/integration/join/${teacher}`, { raw: `{"display_name":"${password}` })
  await call('POST', '/api/v1.0/auth/login', { body: { ...login, password: [password] } })
  await call('POST', '/api/v1.0/auth/login', { raw: `{"password":"${password}","password":"${password}"}` })
  await call('POST', '/api/v1.0/auth/refresh', { body: { refresh_token: `${anna.refresh_token}x` } })
  await call('POST', '/api/v1.0/auth/refresh', { body: { refresh_token: person.refresh_token } })
  await call('POST', '/api/v1.0/auth/refresh', { body: { refresh_token: person.refresh_token } })
  await call('POST', '/api/v1.0/auth/logout', { body: { refresh_token: anna.refresh_token } })
  await call('GET', '/api/v1.0/me', { token: anna.access_token })
  await call('GET', '/api/v1.0/me', { token: `${anna.access_token}x` })
  await call('GET', '/metrics', { token: 'metrics-token-of-tests' })
  const webhook = { url: 'https://1.1.1.1/hook', secret: 'webhook-secret-of-tests' }
  await school.call('PUT', '/webhook', { body: webhook })
  await school.call('PUT', '/webhook', { body: { ...webhook, enabled: 5 } })
  await school.renewToken()
  await call('POST', '/api/v1/integration/auth/token', { body: { client_secret: school.secret } })
  await exchange(server.url, `GET /j/${teacher} HTTP/1.1\r\nBroken ${teacher}\r\n\r\n`)
  await exchange(server.url, `GET /j/${teacher} rubbish\r\n\r\n`)

  return [
    teacher,
    student,
    password,
    school.secret,
    school.token,
    anna.access_token,
    anna.refresh_token,
    person.access_token,
    person.refresh_token,
    webhook.secret,
    'metrics-token-of-tests',
  ]
}

describe('the log at trace level', () => {
  it('identifies every request by its route, and contains no secret', async () => {
    const secrets = await sendEverything()
    const log = server.log()
    expect(log.split('\n').length).toBeGreaterThan(150)
    expect(log).toContain('/api/v1/integration/join/:token')
    for (const secret of secrets) {
      expect(log).not.toContain(secret)
      expect(log).not.toContain(secret.slice(-24)) // nor a piece of it
    }
    expect(log).not.toContain('Ms T')
  })
})
