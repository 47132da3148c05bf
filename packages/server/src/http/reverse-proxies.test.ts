import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { Layout } from '../records/storage/layout.ts'
import { openWorker, sha256, type TestWorker } from '../records/testing/worker.ts'
import { TestAuthority } from '../testing/certificates.ts'
import type { Partner } from '../testing/partner.ts'
import { type ReverseProxy, startCaddy, startNginx } from '../testing/reverse-proxy.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }) // many processes or files on a busy machine

const LINKS_PER_MINUTE = 2
const SECRET_LINK = '/j/a-secret-link'
const CONTROL = '/api/v1.0/control'
const WEBSOCKET = [
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]
const UPLOADS = '/api/storage/uploads'
/** nginx keeps as many connections to the server open. */
const HONEST = 32
const ATTACKS = 40
const PIECE = Buffer.alloc(8 * 1024 * 1024, 'piece of a recording ')

const folder = mkdtempSync(join(tmpdir(), 'lectern-proxy-'))
const authority = new TestAuthority(folder)
const certificate = authority.issue('proxy', 'DNS:localhost,IP:127.0.0.1')
const ca = readFileSync(authority.cert)

interface Sent {
  /** The client's address, one of this machine. */
  from?: string
  headers?: Record<string, string>
  body?: Buffer | string
  /** Called when the head and the first half of the body were sent; the other half follows. */
  halfway?: () => Promise<unknown>
}

/** A request by https as browsers and partners send it. */
function send(port: number, method: string, path: string, options: Sent = {}) {
  const { from = '127.0.0.1', headers, body = '', halfway } = options
  const bytes = Buffer.from(body)
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const target = {
        host: '127.0.0.1',
        port,
        method,
        path,
        ca,
        servername: 'localhost',
        localAddress: from,
      }
      const length = { host: 'localhost', 'content-length': String(bytes.length) }
      const sent = request({ ...target, agent: false, headers: { ...length, ...headers } }, response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk)).on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        )
      })
      sent.on('error', reject)
      if (!halfway) return sent.end(bytes)
      sent.write(bytes.subarray(0, bytes.length / 2))
      halfway().then(() => sent.end(bytes.subarray(bytes.length / 2)), reject)
    },
  )
}

/** Asks for an upgrade, and returns the status. The connection to the proxy stays open. */
async function askForUpgrade(port: number, path: string, headers: string[]): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' })
  socket.write(
    [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', ...headers, '', ''].join('\r\n'),
  )
  const [answer] = await once(socket, 'data')
  attackers.push(socket)
  return Number(/^HTTP\/1\.1 (\d+) /.exec(String(answer))?.[1])
}
const attackers: TLSSocket[] = []

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('the recipe for %s', (name, start) => {
  let server: TestServer
  let proxy: ReverseProxy
  let worker: TestWorker
  let partner: Partner
  beforeAll(async () => {
    const own = join(folder, name)
    mkdirSync(own)
    server = await startTestServer({
      // The clients of this test have loopback addresses, too, so only the address of the proxy is trusted.
      Server: { TrustProxy: '127.0.0.1' },
      Integration: { PublicUrl: 'https://meet.example.org' },
      Limits: { Enabled: '1', LinkPerMinute: String(LINKS_PER_MINUTE) },
    })
    proxy = await start({ folder: own, server: new URL(server.url).host, certificate })
    worker = await openWorker(server, 'recorder', 'jobs.recorder')
    partner = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  })
  afterAll(async () => {
    await proxy?.stop()
    await worker?.close()
    await server?.close()
  })

  it('passes requests of partners', async () => {
    const answer = await send(proxy.port, 'PUT', '/api/v1/integration/rooms/lesson-1', {
      headers: { authorization: `Bearer ${partner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Algebra' }),
    })
    expect(answer.status).toBe(200)
    const room = JSON.parse(answer.body.toString())
    expect(room).toMatchObject({ created: true, title: 'Algebra' })
    expect(room.teacher_join_url).toMatch(/^https:\/\/meet\.example\.org\/j\//)
  })

  it('counts clients by their own address, which they cannot forge', async () => {
    let claims = 0
    const visit = async (from: string) => {
      const headers = { 'x-forwarded-for': `198.51.100.${++claims}` }
      return (await send(proxy.port, 'GET', '/api/v1.0/conferences/x', { from, headers })).status
    }
    for (let time = 0; time < LINKS_PER_MINUTE; time++) expect(await visit('127.0.0.2')).toBe(404)
    expect(await visit('127.0.0.2')).toBe(429)
    expect(await visit('127.0.0.3')).toBe(404)
  })

  it('passes control connections', async () => {
    const { user, password } = await server.operator.users.add('anna', { password: 'correct horse' })
    const body = JSON.stringify({ login: user.login, password: password ?? 'correct horse' })
    const headers = { 'content-type': 'application/json' }
    const signedIn = await send(proxy.port, 'POST', '/api/v1.0/auth/login', { body, headers })
    const { access_token: token } = JSON.parse(signedIn.body.toString())
    class SecureWebSocket extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols, { ca })
      }
    }
    const client = new ControlClient(platformEnvironment(SecureWebSocket as never), {
      url: `wss://localhost:${proxy.port}${CONTROL}`,
      accessToken: async isRefused => (isRefused ? null : token),
      client: { name: 'test', version: '1', platform: 'node' },
    })
    client.open()
    await expect.poll(() => client.state.get().is).toBe('ready')
    client.close()
  })

  it('passes large uploads on while they arrive, and downloads with ranges', async () => {
    const job = await worker.lease('recording', 'aaaa-bbbbb-cccc')
    const about = {
      job_id: job,
      path: 'recording.mkv',
      content_type: 'video/x-matroska',
      sha256: sha256(PIECE),
    }
    const metadata = Object.entries(about).map(
      ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
    )
    const headers = { authorization: `Bearer ${worker.token}`, 'tus-resumable': '1.0.0' }
    const begun = await send(proxy.port, 'POST', UPLOADS, {
      headers: { ...headers, 'upload-length': String(PIECE.length), 'upload-metadata': metadata.join(',') },
    })
    expect(begun.status).toBe(201)
    const location = new URL(begun.headers.location as string, 'https://localhost').pathname
    const id = location.slice(UPLOADS.length + 1)
    const part = new Layout(server.config.Storage.Url).partPath(id)
    const arrived = await send(proxy.port, 'PATCH', location, {
      headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: PIECE,
      // The other half is sent only when the server has stored the first one.
      halfway: () => expect.poll(() => statSync(part).size).toBe(PIECE.length / 2),
    })
    expect(arrived).toMatchObject({ status: 204, headers: { 'upload-blob-id': id } })

    const { authorization } = headers
    const range = { authorization, range: 'bytes=1000000-1000099' }
    const piece = await send(proxy.port, 'GET', `/api/storage/blobs/${id}`, { headers: range })
    expect([piece.status, piece.body]).toEqual([206, PIECE.subarray(1_000_000, 1_000_100)])
    const whole = await send(proxy.port, 'GET', `/api/storage/blobs/${id}`, { headers: { authorization } })
    expect(whole.body.equals(PIECE)).toBe(true)
  })

  it.each([
    ['a path that has none', '/healthz', ['Upgrade: foo'], 200],
    ['the control channel, by another protocol', CONTROL, ['Upgrade: foo'], 426],
    ['the control channel, without its subprotocol', CONTROL, WEBSOCKET, 400],
  ])('W16 answers everybody while others ask for an upgrade of %s', async (_name, path, headers, status) => {
    const attack = () =>
      Promise.all(Array.from({ length: ATTACKS }, () => askForUpgrade(proxy.port, path, headers)))
    const visit = () =>
      Promise.all(
        Array.from({ length: HONEST }, async () => (await send(proxy.port, 'GET', '/healthz')).status),
      )
    const [before, beside] = await Promise.all([attack(), visit()])
    expect(before).toEqual(Array(ATTACKS).fill(status))
    expect(beside).toEqual(Array(HONEST).fill(200))
    expect(await visit()).toEqual(Array(HONEST).fill(200)) // on the connections that the proxy has kept
    for (const socket of attackers.splice(0)) socket.destroy()
  })

  it('passes Upgrade for the control channel only', async () => {
    const echo = createServer((incoming, response) => response.end(incoming.headers.upgrade ?? 'none'))
    await once(echo.listen(0, '127.0.0.1'), 'listening')
    const own = join(folder, `${name}-echo`)
    mkdirSync(own)
    const server = `127.0.0.1:${(echo.address() as AddressInfo).port}`
    const before = await start({ folder: own, server, certificate })
    try {
      const headers = { connection: 'Upgrade', upgrade: 'websocket' }
      const passed = async (path: string) =>
        (await send(before.port, 'GET', path, { headers })).body.toString()
      expect(await passed(`${CONTROL}?a=b`)).toBe('websocket')
      for (const path of ['/', '/healthz', `${CONTROL}/x`, `/x${CONTROL}`, '/api/v1/integration/rooms'])
        expect(await passed(path), path).toBe('none')
    } finally {
      await before.stop()
      echo.close()
    }
  })

  it('keeps metrics private and secrets out of its log', async () => {
    expect((await send(proxy.port, 'GET', '/metrics')).status).toBe(403)
    const headers = { referer: `https://meet.example.org${SECRET_LINK}` }
    expect((await send(proxy.port, 'GET', SECRET_LINK, { headers })).status).toBe(200)
    expect((await send(proxy.port, 'GET', '/api/storage/blobs/x?t=a-secret-token')).status).toBe(401)
    for (const path of [
      '/?link=a-secret-link',
      '/sign-in?code=a-secret&state=a-secret',
      '/api/v1.0/whip/a?b=c&link=a-secret',
      '/%6A/a-secret',
      '/%3Flink=a-secret',
      '/class/j/a-secret',
      '/J/a-secret',
      '//j//a-secret?x',
      '/x/../invite/a-secret',
      '/api/v1%2E0/invitations/a-secret',
    ])
      await send(proxy.port, 'GET', path)
    await server.stop()
    expect((await send(proxy.port, 'GET', SECRET_LINK, { headers })).status).toBe(502)
    await proxy.stop()
    expect(proxy.log()).not.toContain('a-secret')
  })
})

afterAll(() => rmSync(folder, { recursive: true }))
