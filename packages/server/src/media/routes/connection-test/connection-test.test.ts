import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

const start = (LinkPerMinute: string) =>
  startTestServer({
    Turn: { Urls: 'turn:turn.example.org', Secret: 'shared with coturn' },
    Server: { TrustProxy: 'loopback' },
    Limits: { Enabled: '1', LinkPerMinute },
  })

let server: TestServer
let strict: TestServer
beforeAll(async () => {
  ;[server, strict] = await Promise.all([start('60'), start('3')])
})
afterAll(() => Promise.all([server, strict].map(each => each.close())))

const test = (address: string, on = server) =>
  on.call('POST', '/api/v1.0/connection-test', { headers: { 'x-forwarded-for': address } })

describe('the connection test', () => {
  it('is public and reveals no secret', async () => {
    const { status, headers, body } = await test('203.0.113.1')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const candidate = (protocol: string) => ({
      foundation: expect.any(String),
      priority: expect.any(Number),
      address: expect.any(String),
      port: expect.any(Number),
      protocol,
    })
    expect(body).toEqual({
      result: 200,
      ice_parameters: { username_fragment: expect.any(String), password: expect.any(String) },
      ice_candidates: [candidate('udp'), candidate('tcp')],
      fingerprints: expect.arrayContaining([{ algorithm: 'sha-256', value: expect.any(String) }]),
      ice_servers: [
        {
          urls: ['turn:turn.example.org'],
          username: expect.stringMatching(/^\d+:probe-[\w-]+$/),
          credential: expect.any(String),
        },
      ],
      expires_in_ms: 10_000,
    })
    expect(JSON.stringify(body)).not.toContain('shared with coturn')
  })

  it('is queued when one address has many, while others are served', async () => {
    const many = Promise.all(Array.from({ length: 41 }, () => test('203.0.113.2')))
    expect((await test('203.0.113.3')).status).toBe(200)
    expect((await many).map(({ status }) => status)).toEqual(Array.from({ length: 41 }, () => 200))
  })

  it('has a rate limit for each address', async () => {
    for (let i = 0; i < 3; i++) expect((await test('203.0.113.100', strict)).status).toBe(200)
    expect(await test('203.0.113.100', strict)).toEqual(refused(429, 'rate_limited'))
    expect((await test('203.0.113.101', strict)).status).toBe(200)
  })
})
