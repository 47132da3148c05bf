import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { startTestServer, type TestServer } from '../testing/server.ts'

const CONTROL = '/api/v1.0/control'
const FLOOD = 200

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ Integration: { Enabled: '0' }, Server: { MetricsPublic: '1' } })
})
afterAll(() => server.close())

/** A client that never closes its side. */
function open(to = server): Socket {
  const { hostname, port } = new URL(to.url)
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true })
}

/** Sends the text, and returns all that is answered until the server ends the connection. */
async function exchange(request: string, to = server): Promise<string> {
  const socket = open(to)
  socket.write(request)
  const answer = await text(socket)
  socket.destroy()
  return answer
}

const head = (line: string, headers: Record<string, string> = {}) =>
  [
    line,
    ...Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

const asking = (upgrade: string) => ({ Connection: 'Upgrade', Upgrade: upgrade })

const WEBSOCKET = {
  ...asking('websocket'),
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}
const HANDSHAKE = { ...WEBSOCKET, 'Sec-WebSocket-Protocol': 'svc.control' }

/** The statuses of an answer, whose last one announces that the connection ends. */
function statusesOf(answer: string): number[] {
  const last = answer.slice(answer.lastIndexOf('HTTP/1.1 '))
  expect(last.split('\r\n\r\n')[0]?.toLowerCase()).toContain('\r\nconnection: close')
  return [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
}

const login = JSON.stringify({ login: 'nobody', password: 'whatever' })
const json = { 'Content-Type': 'application/json', 'Content-Length': String(login.length) }

describe('W16 an Upgrade that is no WebSocket of the control channel', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['the state', 'GET /healthz', asking('foo'), 200],
    ['the metrics', 'GET /metrics', asking('foo'), 200],
    ['a page', 'GET /', asking('foo'), 200],
    [
      'a page, for HTTP/2',
      'GET /',
      { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAARAAAAAAAIAAAAA' },
      200,
    ],
    ['a file', 'GET /manifest.webmanifest', asking('foo'), 200],
    ['a WebSocket elsewhere', 'GET /healthz', HANDSHAKE, 200],
    ['the API', 'GET /api/v1.0/me', asking('foo'), 401],
    ['an unknown path', 'GET /api/none', HANDSHAKE, 404],
    ['the integration module, which is off', 'GET /api/v1/integration/server_info', HANDSHAKE, 404],
    ['an upload', 'PATCH /api/storage/uploads/x', asking('foo'), 401],
    ['WHIP', 'POST /api/v1.0/conferences/x/whip', asking('foo'), 401],
    ['another method', 'DELETE /api/v1.0/control', HANDSHAKE, 405],
    ['HEAD', 'HEAD /api/v1.0/control', HANDSHAKE, 426],
    ['another protocol', 'GET /api/v1.0/control', { ...HANDSHAKE, Upgrade: 'foo' }, 426],
    ['several protocols', 'GET /api/v1.0/control', { ...HANDSHAKE, Upgrade: 'h2c, websocket' }, 426],
    ['an encoded path', 'GET /api/v1.0/%63ontrol', HANDSHAKE, 426],
    ['another case', 'GET /api/v1.0/Control', HANDSHAKE, 404],
    ['a longer path', 'GET /api/v1.0/control/', HANDSHAKE, 404],
  ])('is ignored: %s', async (_name, request, headers, status) => {
    expect(statusesOf(await exchange(head(`${request} HTTP/1.1`, headers)))).toEqual([status])
  })

  it('is ignored by HTTP/1.0', async () => {
    expect(statusesOf(await exchange(head(`GET ${CONTROL} HTTP/1.0`, HANDSHAKE)))).toEqual([426])
  })

  it('is ignored together with a body, which is read', async () => {
    const socket = open()
    socket.write(
      head('POST /api/v1.0/auth/login HTTP/1.1', { ...asking('foo'), ...json, Expect: '100-continue' }),
    )
    const [first] = await once(socket, 'data')
    expect(String(first)).toContain('HTTP/1.1 100 ')
    socket.write(login)
    const rest = await text(socket)
    expect(statusesOf(rest)).toEqual([401])
    expect(rest).toContain('"invalid_credentials"')
    socket.destroy()
  })

  it('ends a tunnel', async () => {
    expect(await exchange(head('CONNECT x:443 HTTP/1.1'))).toBe('')
  })

  it('leaves no connection open, however many ask', async () => {
    const request = head('GET /healthz HTTP/1.1', asking('foo'))
    const answers = await Promise.all(Array.from({ length: FLOOD }, () => exchange(request)))
    expect(answers.flatMap(statusesOf)).toEqual(Array(FLOOD).fill(200))
  })

  it('answers no request that comes after it, and every one before it', async () => {
    const next = head('GET /readyz HTTP/1.1')
    const ignored = head('GET /healthz HTTP/1.1', asking('foo'))
    expect(statusesOf(await exchange(next + ignored + next))).toEqual([200, 200])
    // The WebSocket would overtake the answer ahead of it.
    const upgrade = head(`GET ${CONTROL} HTTP/1.1`, HANDSHAKE)
    expect(
      statusesOf(await exchange(head('POST /api/v1.0/auth/login HTTP/1.1', json) + login + upgrade)),
    ).toEqual([401, 426])
  })

  it('leaves the connection to a WebSocket, after other requests and with a query', async () => {
    const socket = open()
    socket.write(head('GET /healthz HTTP/1.1'))
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200 ')
    socket.write(head(`GET ${CONTROL}?a=b HTTP/1.1`, { ...HANDSHAKE, Upgrade: 'WebSocket' }))
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 101 ')
    socket.destroy()
  })
})

describe('W16 a refused WebSocket', () => {
  it.each<[string, Record<string, string>, number]>([
    ['of another page', { ...HANDSHAKE, Origin: 'https://evil.example' }, 403],
    ['without the subprotocol', WEBSOCKET, 400],
    ['without a key', { ...HANDSHAKE, 'Sec-WebSocket-Key': '' }, 400],
    ['of another version', { ...HANDSHAKE, 'Sec-WebSocket-Version': '12' }, 426],
  ])('is answered and closed: %s', async (_name, headers, status) => {
    expect(statusesOf(await exchange(head(`GET ${CONTROL} HTTP/1.1`, headers)))).toEqual([status])
  })

  it('is answered and closed: without a host', async () => {
    const request = head(`GET ${CONTROL} HTTP/1.1`, HANDSHAKE).replace('Host: x\r\n', '')
    expect(statusesOf(await exchange(request))).toEqual([400])
  })

  it('is answered and closed, although the client goes on sending', async () => {
    const request = head(`GET ${CONTROL} HTTP/1.1`, { ...HANDSHAKE, Origin: 'https://evil.example' })
    expect(statusesOf(await exchange(request + head('GET /healthz HTTP/1.1')))).toEqual([403])
  })

  it('is answered and closed: too many in a minute', async () => {
    const limited = await startTestServer({ Limits: { Enabled: '1', ControlPerMinute: '1' } })
    try {
      const refused: string[] = []
      do refused.push(await exchange(head(`GET ${CONTROL} HTTP/1.1`, WEBSOCKET), limited))
      while (!refused.at(-1)?.includes('"rate_limited"'))
      expect(new Set(refused.flatMap(statusesOf))).toEqual(new Set([400, 429]))
    } finally {
      await limited.close()
    }
  })
})

describe('a server that stops', () => {
  it('waits for no connection whose Upgrade was ignored or refused, and none that sends nothing (W10)', async () => {
    const stopping = await startTestServer()
    const silent = open(stopping)
    await once(silent, 'connect')
    const socket = new WebSocket(stopping.url.replace('http', 'ws') + CONTROL, ['svc.control'])
    await once(socket, 'open')
    const clients = [asking('foo'), { ...HANDSHAKE, Origin: 'https://evil.example' }].map(headers => {
      const client = open(stopping)
      client.write(head(`GET ${CONTROL} HTTP/1.1`, headers))
      return client
    })
    for (const client of clients) await once(client, 'data')
    const closed = once(socket, 'close')
    await stopping.close()
    expect((await closed)[0]).toBe(1001)
    for (const client of [silent, ...clients]) client.destroy()
  })
})
