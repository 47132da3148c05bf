import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const WHEEL = '/clients/lectern_partner-0.2.0-py3-none-any.whl'

describe('the clients', () => {
  it.each([
    ['/clients/lectern-partner.tgz', /gzip|tar|octet/, '\x1f\x8b'],
    ['/clients/lectern-embed.tgz', /gzip|tar|octet/, '\x1f\x8b'],
    [WHEEL, /octet-stream/, 'PK\x03\x04'],
    ['/clients/lectern-partner-php.zip', /application\/zip/, 'PK\x03\x04'],
  ])('are downloaded without a token, and asked for again: %s', async (path, type, magic) => {
    const answer = await fetch(server.url + path)
    const content = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, content.toString('latin1', 0, magic.length)]).toEqual([200, magic])
    expect(answer.headers.get('content-type')).toMatch(type)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await server.call('GET', path, { headers })).status).toBe(304)
  })

  it('are a repository of Composer, with the address of the server', async () => {
    const { status, headers, body } = await server.call('GET', '/clients/packages.json')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { '0.2.0': found } = body.packages['lectern/partner']
    expect(found).toMatchObject({ name: 'lectern/partner', version: '0.2.0', require: { php: '>=8.1' } })
    expect(found.dist).toMatchObject({ type: 'zip', url: `${server.url}/clients/lectern-partner-php.zip` })
  })

  it('are loaded by pages of other origins: /embed.js', async () => {
    const { status, headers, body } = await server.call('GET', '/embed.js')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=600',
      'content-security-policy': "default-src 'none'; script-src 'wasm-unsafe-eval'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-type']).toMatch(/javascript/)
    expect(body).toContain('lectern-room')
    expect(Buffer.byteLength(body)).toBeLessThan(8_000)
  })

  it('are no folder that can be listed, and have no other names', async () => {
    for (const path of ['/clients', '/clients/', '/clients/none.tgz', '/embed.js.br'])
      expect((await server.call('GET', path)).status, path).toBe(404)
  })
})
