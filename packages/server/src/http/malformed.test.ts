import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, parseAnswer } from '../testing/http.ts'
import { refused } from '../testing/refused.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** The answer, which has the id of the request (rule API-9). */
const raw = async (...lines: string[]) => {
  const answer = parseAnswer(await exchange(server.url, [...lines, '', ''].join('\r\n')))
  expect(answer.headers['x-request-id']).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  return answer
}

describe('a request that is not HTTP', () => {
  it.each([
    ['rubbish'],
    ['GET'],
    ['GET / HTTP/9.9'],
    ['BREW / HTTP/1.1'],
    ['GET / HTTP/1.1', 'No colon'],
    ['GET / HTTP/1.1', 'Host: a', 'Bad\0: x'],
    ['POST / HTTP/1.1', 'Host: a', 'Content-Length: x'],
    ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'],
    ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    ['GET / HTTP/1.1', 'Host: a', 'Folded: x', ' y: z\0'],
  ])('answers 400 in the shape of every error: %s %s %s', async (...lines) => {
    expect(await raw(...lines)).toEqual(refused(400, 'invalid_argument'))
  })

  it('answers 400 to malformed chunks', async () => {
    const head = ['POST /api/v1.0/auth/login HTTP/1.1', 'Host: a', 'Content-Type: application/json']
    expect(await raw(...head, 'Transfer-Encoding: chunked', '', 'zz')).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('gets no second answer if it is malformed behind what was answered', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = ['PATCH /api/v1.0/me HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', '']
    socket.write(head.join('\r\n'))
    let text = ''
    for await (const chunk of socket) {
      text += chunk
      if (text.endsWith('}')) socket.write('zz\r\n')
    }
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
  })

  it('is answered with 405 if it is TRACE, as with every other method (RFC 9110, section 15.5.6)', async () => {
    expect(await raw('TRACE /api/v1.0/me HTTP/1.1', 'Host: a', 'Connection: close')).toEqual(
      refused(405, 'method_not_allowed'),
    )
  })

  it('requires one Host header', async () => {
    const end = 'Connection: close'
    expect(await raw('GET /healthz HTTP/1.1', end)).toEqual(refused(400, 'invalid_argument'))
    expect(await raw('GET /healthz HTTP/1.1', 'Host: a', 'host: b', end)).toEqual(
      refused(400, 'invalid_argument'),
    )
  })
})

describe('a request with an expectation', () => {
  const end = 'Connection: close'
  it('answers 417 to an unknown one', async () => {
    for (const path of ['/healthz', '/api/v1.0/me', '/nothing'])
      expect(await raw(`GET ${path} HTTP/1.1`, 'Host: a', 'Expect: x', end)).toEqual(
        refused(417, 'expectation_failed'),
      )
  })

  it('ignores an empty one', async () => {
    expect((await raw('GET /healthz HTTP/1.1', 'Host: a', 'Expect:', end)).status).toBe(200)
  })

  it('ignores it in HTTP/1.0, and continues otherwise', async () => {
    expect((await raw('GET /healthz HTTP/1.0', 'Expect: x')).status).toBe(200)
    const text = await exchange(
      server.url,
      [
        'POST /api/v1.0/auth/login HTTP/1.1',
        'Host: a',
        'Expect: 100-Continue',
        'Content-Length: 0',
        end,
        '',
        '',
      ].join('\r\n'),
    )
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400/)
  })
})

describe('a page with conditions', () => {
  it.each([
    ['If-Match: "x"', 412, 'precondition_failed'],
    ['If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT', 412, 'precondition_failed'],
    ['Range: bytes=99999999-', 416, 'range_not_satisfiable'],
  ] as const)('refuses those that do not hold: %s', async (header, status, code) => {
    for (const path of ['/', '/docs'])
      expect(await raw(`GET ${path} HTTP/1.1`, 'Host: a', header, 'Connection: close')).toEqual(
        refused(status, code),
      )
  })
})

it('a range is for GET only', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map(method => server.call(method, '/', { headers: { range: 'bytes=0-5' } })),
  )
  expect([get?.status, get?.headers['content-length']]).toEqual([206, '6'])
  expect([head?.status, head?.headers['content-range']]).toEqual([200, undefined])
})

it('what is unauthorized is told how to authenticate, also where a link or a password does', async () => {
  const body = { login: 'nobody', password: 'wrong' }
  for (const answer of [
    await server.call('GET', `/api/v1/integration/join/${'x'.repeat(40)}`),
    await server.call('POST', '/api/v1.0/auth/login', { body }),
    await server.call('GET', '/api/v1.0/me'),
  ])
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
})

describe('a path that escapes the folder of files', () => {
  it.each([
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/../../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e%5c%2e%2e%5cpackage.json',
    '/docs/%00',
    '/docs/index.html%00',
    '/docs/.env',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2findex.html',
  ])('answers 404: %s', async path => {
    expect(await server.call('GET', path)).toEqual(refused(404, 'not_found'))
  })
})

describe('a request that is too large', () => {
  it('answers 431 to headers of more than 16 KiB', async () => {
    expect(await raw('GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(17_000)}`)).toEqual(
      refused(431, 'headers_too_large'),
    )
  })

  it('answers 414 to a URL of more than 8 KiB', async () => {
    const path = (length: number) => `/api/v1/integration/join/${'x'.repeat(length)}`
    expect(await server.call('GET', path(9000))).toEqual(refused(414, 'uri_too_long'))
    expect(await server.call('GET', `/api/v1.0/server_info?${'x'.repeat(9000)}`)).toEqual(
      refused(414, 'uri_too_long'),
    )
    expect(await server.call('GET', path(8000))).toEqual(refused(401, 'link_invalid'))
    const headers = { accept: 'text/html' }
    expect(await server.call('GET', `/j/${'x'.repeat(9000)}`, { headers })).toEqual(
      refused(414, 'uri_too_long'),
    )
  })

  it('answers 413 before a large body is received', async () => {
    const head = ['POST /api/v1.0/auth/login HTTP/1.1', 'Host: a', 'Content-Type: application/json']
    expect(await raw(...head, 'Content-Length: 99999999', 'Connection: close')).toEqual(
      refused(413, 'payload_too_large'),
    )
  })
})

describe('an invalid URL', () => {
  it.each(['/%', '/j/%zz', '/api/v1/integration/rooms/%ff', '/conferences/%c3%28'])(
    'answers 400 without details: %s',
    async path => {
      expect(await server.call('GET', path)).toEqual(
        refused(400, 'invalid_argument', 'The address is not valid UTF-8, percent-encoded.'),
      )
    },
  )
})
