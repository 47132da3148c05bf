import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    Media: { Workers: '1' },
    Turn: { Urls: 'turn:turn.example.org', Secret: 'shared with coturn' },
    Server: { TrustProxy: 'loopback' },
    Limits: { Enabled: '1', LinkPerMinute: '30' },
  })
})
afterAll(() => server.close())

const test = (address: string) =>
  server.call('POST', '/api/v1.0/connection-test', { headers: { 'x-forwarded-for': address } })

describe('the connection test', () => {
  it('is open to everybody, and gives no secret away', async () => {
    const { status, headers, body } = await test('203.0.113.1')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toMatchObject({
      result: 200,
      ice_candidates: [{ protocol: 'udp' }, { protocol: 'tcp' }],
      ice_servers: [{ username: expect.stringMatching(/^\d+:probe$/), credential: expect.any(String) }],
    })
    expect(JSON.stringify(body)).not.toContain('shared with coturn')
  })

  it('is limited in number for each address, and for all of them', async () => {
    const statusOf = async (address: string) => (await test(address)).status
    for (let i = 0; i < 5; i++) expect(await statusOf('203.0.113.2')).toBe(200)
    const tooMany = await test('203.0.113.2')
    expect(tooMany).toEqual(refused(503, 'temporarily_unavailable'))
    expect(tooMany.headers['retry-after']).toBe('2')
    for (let i = 0; i < 44; i++) expect(await statusOf(`203.0.113.${3 + i}`)).toBe(200)
    expect(await statusOf('203.0.113.99')).toBe(503)
  })

  it('is limited in rate for each address', async () => {
    let last = await test('203.0.113.100')
    for (let i = 0; i < 30 && last.status !== 429; i++) last = await test('203.0.113.100')
    expect(last).toEqual(refused(429, 'rate_limited'))
  })
})
