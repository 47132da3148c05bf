import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange } from '../testing/http.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'debug' } })
})
afterAll(() => server.close())

const idOf = async (path: string, given?: string, method = 'GET') =>
  (await server.call(method, path, { headers: given === undefined ? {} : { 'x-request-id': given } }))
    .headers['x-request-id']
const PATHS = [
  '/api/v1.0/server_info',
  '/api/v1/integration/server_info', // 401
  '/api/nothing',
  '/nothing',
  '/',
  '/docs/',
  '/healthz',
  '/api/v1/integration/join/%zz', // the router refuses it
  `/api/v1/integration/join/${'x'.repeat(9_000)}`,
]

describe('the id of a request', () => {
  it('API-9 is in every response, and differs from those of all others', async () => {
    const ids = await Promise.all(PATHS.map(path => idOf(path)))
    for (const [i, id] of ids.entries())
      expect(id, PATHS[i]).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(new Set(ids).size).toBe(PATHS.length)
  })

  it('API-9 is that of the caller, if it is well-formed', async () => {
    for (const given of ['a', 'req_01HZX-7.q:9', 'X'.repeat(64)])
      for (const path of PATHS) expect(await idOf(path, given), path).toBe(given)
    for (const given of ['', ' ', 'a b', 'a,b', 'X'.repeat(65), '"', 'a\tb', '{"a":1}'])
      expect(await idOf('/api/nothing', given), given).not.toBe(given)
    const twice = await exchange(
      server.url,
      'GET /api/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: first\r\nX-Request-Id: second\r\n\r\n',
    )
    expect(/x-request-id: (.*)\r/i.exec(twice)?.[1]).toMatch(/^[\da-f-]{36}$/)
  })

  it('is in the log line of the request', async () => {
    await idOf('/api/v1/integration/server_info', 'find-me-in-the-log')
    await expect.poll(() => server.log()).toContain('"request_id":"find-me-in-the-log"')
    const line = server
      .log()
      .split('\n')
      .find(each => each.includes('find-me-in-the-log'))
    expect(JSON.parse(line ?? '')).toMatchObject({ status: 401, route: '/api/v1/integration/server_info' })
  })
})
