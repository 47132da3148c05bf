import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '../testing/http.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Like a reverse proxy: appends the address of the client to the header that the client sent. */
async function startProxy(target: TestServer, clientAddress: () => string): Promise<string> {
  const proxy: Server = createServer((incoming, outgoing) => {
    const sent = incoming.headers['x-forwarded-for']
    const forwarded = [sent, clientAddress()].filter(Boolean).join(', ')
    const headers = { ...incoming.headers, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' }
    const hop = request(
      new URL(incoming.url ?? '/', target.url),
      { method: incoming.method, headers },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(hop)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  closers.push(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describe.each(['1', 'loopback'])('TrustProxy = %s', TrustProxy => {
  it('counts clients behind a proxy by their own address, and ignores forged ones', async () => {
    const server = await startTestServer({
      Server: { TrustProxy },
      Limits: { Enabled: '1', LinkPerMinute: '2' },
    })
    closers.push(() => server.close())
    let client = '203.0.113.1'
    const proxy = await startProxy(server, () => client)
    let claims = 0
    const visit = async () => {
      const headers = { 'x-forwarded-for': `198.51.100.${++claims}` }
      return (await call(proxy, 'GET', '/api/v1.0/conferences/x', { headers })).status
    }
    expect([await visit(), await visit(), await visit()]).toEqual([404, 404, 429])
    client = '203.0.113.2'
    expect(await visit()).toBe(404)
  })
})
