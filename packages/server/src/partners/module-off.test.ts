import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, parseAnswer } from '../testing/http.ts'
import { refused } from '../testing/refused.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ Integration: { Enabled: '0' } })
})
afterAll(() => server.close())

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const PATHS = [
  '',
  'auth/token',
  'server_info',
  'rooms/a',
  'rooms/a/cancel',
  'rooms/a/close',
  'rooms/a/status',
  'rooms/..',
  `rooms/${'x'.repeat(9000)}`,
  'webhook',
  'join/x',
  'join/x/',
  'rooms/%zz',
  'nothing/at/all',
]

describe('a server without the integration module', () => {
  it.each(PATHS)('answers 404 to every method at /%.30s', async path => {
    for (const method of METHODS)
      expect(await server.call(method, `/api/v1/integration/${path}`), method).toEqual(
        refused(404, 'not_found'),
      )
  })

  it.each([
    ['bad JSON', { raw: '{' }],
    ['another type', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['an invalid type', { raw: 'x', headers: { 'content-type': 'rubbish' } }],
    ['too large', { raw: 'x'.repeat(100_000) }],
    ['a token request', { body: { service_account: 'a', client_secret: 'b' } }],
  ])('answers 404 whatever the body: %s', async (_, options) => {
    for (const path of ['auth/token', 'rooms/a', 'webhook', 'join/x'])
      expect(await server.call('PUT', `/api/v1/integration/${path}`, options)).toEqual(
        refused(404, 'not_found'),
      )
  })

  it('answers 404 to browsers and to unusual methods', async () => {
    const headers = { accept: 'text/html' }
    expect(await server.call('GET', '/api/v1/integration/join/x', { headers })).toEqual(
      refused(404, 'not_found'),
    )
    const answer = await exchange(
      server.url,
      'PROPFIND /api/v1/integration/rooms/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(parseAnswer(answer).body).toMatchObject({ result: 404, code: 'not_found' })
    expect((await server.call('HEAD', '/api/v1/integration/server_info')).status).toBe(404)
  })

  it('creates no store', () => {
    expect(readdirSync(server.config.Server.DataDir)).toContain('lectern.db')
    expect(existsSync(server.config.Db.IntegrationDb)).toBe(false)
  })

  it('finds no plain room link, and explains to operators why there are no service accounts', async () => {
    expect(await server.call('GET', '/api/v1.0/conferences/aaaa-bbbbb-cccc')).toEqual(
      refused(404, 'conference_not_found'),
    )
    expect(() => server.operator.serviceAccounts).toThrow(/module is disabled/)
    expect(existsSync(server.config.Db.IntegrationDb)).toBe(false)
  })
})
