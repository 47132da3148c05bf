import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let guarded: TestServer
beforeAll(async () => {
  server = await startTestServer()
  guarded = await startTestServer({ Server: { MetricsToken: 'a-token' } })
})
afterAll(() => Promise.all([server.close(), guarded.close()]))

describe('health', () => {
  it('reports that the process is alive and ready', async () => {
    expect(await server.call('GET', '/healthz')).toMatchObject({
      status: 200,
      body: { result: 200, status: 'ok' },
    })
    expect(await server.call('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { result: 200, status: 'ready' },
    })
  })
})

describe('metrics', () => {
  it('count requests by route, never by URL', async () => {
    await server.call('GET', '/api/v1/integration/join/secret-token')
    await server.call('GET', '/j/secret-token')
    await server.call('GET', '/nothing/secret-token')
    const { status, headers, body } = await server.call('GET', '/metrics')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')])
    expect(body).toContain('method="GET",route="/api/v1/integration/join/:token",status="401"')
    expect(body).toContain('route="/j/:token",status="200"')
    expect(body).toContain('route="unknown",status="404"')
    expect(body).toContain('process_cpu_seconds_total')
    expect(body).not.toContain('secret-token')
  })

  it('include connections, sessions and participants', async () => {
    const { body } = await server.call('GET', '/metrics')
    for (const name of ['control_connections', 'conference_sessions', 'conference_participants'])
      expect(body).toMatch(new RegExp(`^${name} 0$`, 'm'))
  })

  it('require the token when one is configured', async () => {
    expect((await guarded.call('GET', '/metrics', { token: 'another' })).status).toBe(401)
    expect(await guarded.call('GET', '/metrics')).toEqual(refused(401, 'unauthenticated'))
    expect((await guarded.call('GET', '/metrics', { token: 'a-token' })).status).toBe(200)
  })

  it('without a token are served to this machine only, and to no forwarded request', async () => {
    const trusting = await startTestServer({ Server: { TrustProxy: '1' } })
    for (const each of [server, trusting]) {
      expect((await each.call('GET', '/metrics')).status).toBe(200)
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
        expect(await each.call('GET', '/metrics', { headers: { [name]: '127.0.0.1' } })).toEqual(
          refused(403, 'permission_denied'),
        )
    }
    await trusting.close()
  })

  it('are public when so configured, but still require a configured token', async () => {
    const open = await startTestServer({ Server: { MetricsPublic: '1' } })
    const closed = await startTestServer({ Server: { MetricsPublic: '1', MetricsToken: 'a-token' } })
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.1' } }
    expect((await open.call('GET', '/metrics', forwarded)).status).toBe(200)
    expect((await closed.call('GET', '/metrics', forwarded)).status).toBe(401)
    expect((await closed.call('GET', '/metrics', { ...forwarded, token: 'a-token' })).status).toBe(200)
    await Promise.all([open.close(), closed.close()])
  })
})
