import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../testing/refused.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ROUTES: [path: string, allowed: string[]][] = [
  ['/api/v1/integration/auth/token', ['POST']],
  ['/api/v1/integration/server_info', ['GET', 'HEAD']],
  ['/api/v1/integration/rooms', ['GET', 'HEAD']],
  ['/api/v1/integration/rooms/a', ['PUT', 'GET', 'HEAD', 'PATCH']],
  ['/api/v1/integration/rooms/a/cancel', ['POST']],
  ['/api/v1/integration/rooms/a/close', ['POST']],
  ['/api/v1/integration/rooms/a/status', ['GET', 'HEAD']],
  ['/api/v1/integration/webhook', ['DELETE', 'GET', 'HEAD', 'PUT']],
  ['/api/v1/integration/join/x', ['GET', 'HEAD', 'POST']],
  ['/api/v1.0/server_info', ['GET', 'HEAD']],
  ['/api/v1.0/auth/login', ['POST']],
  ['/api/v1.0/auth/refresh', ['POST']],
  ['/api/v1.0/auth/logout', ['POST']],
  ['/api/v1.0/auth/guest', ['POST']],
  ['/api/v1.0/me', ['GET', 'HEAD', 'PATCH']],
  ['/api/v1.0/me/password', ['POST']],
  ['/api/v1.0/me/sign-ins', ['GET', 'HEAD', 'DELETE']],
  ['/api/v1.0/me/sign-ins/x', ['DELETE']],
  ['/api/v1.0/invitations/x', ['GET', 'HEAD', 'POST']],
  ['/api/v1.0/connection-test', ['POST']],
  ['/api/v1.0/conferences', ['GET', 'HEAD', 'POST']],
  ['/api/v1.0/conferences/x', ['GET', 'HEAD', 'PATCH', 'DELETE']],
  ['/api/v1.0/recordings', ['GET', 'HEAD']],
  ['/api/storage/blobs/x', ['GET', 'HEAD']],
  ['/api/openapi.json', ['GET', 'HEAD']],
]

describe.each(ROUTES)('%s', (path, allowed) => {
  it('answers 405 to other methods and lists the supported ones', async () => {
    for (const method of METHODS.filter(each => !allowed.includes(each))) {
      const answer = await server.call(method, path, { raw: method === 'HEAD' ? undefined : '{' } as object)
      if (method === 'HEAD') expect(answer.status).toBe(405)
      else expect(answer, method).toEqual(refused(405, 'method_not_allowed'))
      expect(answer.headers.allow?.split(', ').sort()).toEqual([...allowed].sort())
    }
  })
})

describe('an unknown URL of the API', () => {
  it.each([
    '/api',
    '/api/',
    '/api/v2/integration/server_info',
    '/api/v1/integration',
    '/api/v1/integration/',
    '/api/v1/integration/rooms/a/',
    '/api/v1/integration/rooms/a/cancel/',
    '/api/v1/integration/rooms/a/open',
    '/api/v1/integration/rooms/a/b/cancel',
    '/api/v1/integration/join',
    '/api/v1/integration/join/a/b',
    '/API/v1/integration/server_info',
    '//api/v1/integration/server_info',
    '/api/v1.0/ME',
  ])('answers 404 to every method, whatever the body: %s', async path => {
    for (const method of METHODS.filter(each => each !== 'HEAD'))
      for (const body of [{}, { raw: '{' }, { raw: 'x', headers: { 'content-type': 'text/plain' } }])
        expect(await server.call(method, path, body), method).toEqual(refused(404, 'not_found'))
  })
})
