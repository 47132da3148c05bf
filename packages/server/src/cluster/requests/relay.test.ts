import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createLog } from '../../platform/log.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import type { SessionLocation } from '../../sessions/session-registry.ts'
import { type Certificate, TestAuthority } from '../../testing/certificates.ts'
import { OwnerConnections } from './owner-connections.ts'
import { Relay } from './relay.ts'
import { RELAY_HEADER, RelayHeader } from './relay-header.ts'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

const header = new RelayHeader({ keys: () => [Buffer.alloc(32, 1)], clock: Date.now })
const NONE: SessionLocation = { is: 'none' }

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  closers.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The server that runs the session: it repeats what it receives. With a certificate, over TLS. */
async function openOwner(certificate?: Certificate) {
  const requests: IncomingMessage[] = []
  const sockets: WebSocket[] = []
  const server = certificate
    ? createTlsServer({ key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) })
    : createServer()
  const wss = new WebSocketServer({ server, handleProtocols: () => 'svc.control' })
  wss.on('connection', (socket, request) => {
    requests.push(request)
    sockets.push(socket)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  const address = await listen(server)
  return { address: certificate ? address.replace('http', 'https') : address, requests, sockets, server }
}

interface EntryOptions {
  total: number
  perAddress: number | null
  ca?: string | null
  log?: Logger
  tracing?: Tracing
  isSilent?: boolean
}

/** The server at which clients arrive. Where it does not pass a connection on, it answers 418. */
async function openEntry(
  locate: () => SessionLocation,
  {
    ca = null as string | null,
    log = createLog('silent'),
    tracing = noTracing,
    isSilent = false,
    ...capacity
  } = {
    total: 100,
    perAddress: 100,
  } as EntryOptions,
) {
  const relay = new Relay({
    header,
    self: 'entry',
    region: 'eu',
    locate: async () => locate(),
    capacity,
    connections: new OwnerConnections({ ca, isSilent: () => isSilent, log }),
    tracing,
  })
  closers.push(() => relay.stop())
  const server = createServer()
  server.on('upgrade', async (message: IncomingMessage, socket: Socket, head: Buffer) => {
    const passed = await relay
      .pass('tag', { message, head, address: '203.0.113.9' })
      .catch(error => error.code)
    if (passed !== true) socket.end(`HTTP/1.1 418 ${passed}\r\n\r\n`)
  })
  return { relay, address: await listen(server) }
}

const at = (address: string): SessionLocation => ({
  is: 'remote',
  owner: { is: 'server', id: 'owner', address },
})

async function open(address: string, headers = {}): Promise<WebSocket> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/control`, ['svc.control', 'room.x'], {
    headers: { [RELAY_HEADER]: 'forged', origin: 'https://page', ...headers },
  })
  closers.push(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

const refusalOf = async (address: string) => {
  const socket = new WebSocket(address.replace('http', 'ws'), ['svc.control'])
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  return response.statusMessage
}

const closed = async (socket: WebSocket) => {
  const [code, reason] = await once(socket, 'close')
  return [code, String(reason)]
}

/** Messages of every kind arrive as they were sent. */
async function expectEcho(socket: WebSocket): Promise<void> {
  // More than all buffers on the way hold.
  const large = Buffer.alloc(8_000_000, 'x')
  for (const message of [Buffer.from('small'), large]) {
    socket.send(message)
    const [answer] = await once(socket, 'message')
    expect(message.equals(answer)).toBe(true)
  }
}

describe('the relay', () => {
  it('RELAY-1 passes the request and all bytes on, both ways', async () => {
    const owner = await openOwner()
    const entry = await openEntry(() => at(owner.address))
    const socket = await open(entry.address)
    expect(entry.relay.size).toBe(1)
    expect(owner.requests[0]).toMatchObject({
      url: '/control',
      headers: { origin: 'https://page', 'sec-websocket-protocol': 'svc.control,room.x' },
    })
    await expectEcho(socket)
  })

  it('passes its trace on in place of that of the client; without traces, that of the client', async () => {
    const owner = await openOwner()
    const theirs = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const ours = `00-${'a'.repeat(32)}-${'c'.repeat(16)}-01`
    const limits = { total: 100, perAddress: 100 }
    const tracing = { ...noTracing, traceparent: ours }
    for (const entry of [
      await openEntry(() => at(owner.address)),
      await openEntry(() => at(owner.address), { ...limits, tracing }),
    ])
      await open(entry.address, { traceparent: theirs })
    expect(owner.requests.map(({ headers }) => headers.traceparent)).toEqual([theirs, ours])
  })

  it('RELAY-9 passes on over TLS, to owners with a certificate of the configured authority for their address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-relay-tls-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    const authority = new TestAuthority(folder)
    const ca = readFileSync(authority.cert, 'utf8')
    const limits = { total: 100, perAddress: 100 }
    const owner = await openOwner(authority.issue('owner', 'IP:127.0.0.1'))
    const entry = await openEntry(() => at(owner.address), { ...limits, ca })
    await expectEcho(await open(entry.address))

    const named = await openOwner(authority.issue('named', 'DNS:localhost'))
    const byName = named.address.replace('127.0.0.1', 'localhost')
    const toName = await openEntry(() => at(byName), { ...limits, ca })
    await expectEcho(await open(toName.address))

    const lines: string[] = []
    const log = createLog('info', { write: line => void lines.push(line) })
    for (const [address, trusted] of [
      [owner.address, null], // of an authority that nobody knows
      [named.address, ca], // for another address
    ] as const) {
      lines.length = 0
      let calls = 0
      const wary = await openEntry(() => (++calls < 4 ? at(address) : NONE), { ...limits, ca: trusted, log })
      expect(await refusalOf(wary.address)).toBe('false')
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain('the certificate of another server is not trusted')
    }
  })

  it('RELAY-2 vouches for the address of the client, whatever header it sent itself', async () => {
    const owner = await openOwner()
    const entry = await openEntry(() => at(owner.address))
    await open(entry.address)
    const sent = String(owner.requests[0]?.headers[RELAY_HEADER])
    expect(header.verify(sent, 'owner')).toEqual({ address: '203.0.113.9', region: 'eu' })
    expect(header.verify(sent, 'entry')).toBeNull()
  })

  it('RELAY-2 accepts no header that is forged, old, too long, or of another key', () => {
    let now = 1_000_000
    const issuer = new RelayHeader({ keys: () => [Buffer.alloc(32, 2)], clock: () => now })
    const good = issuer.create('2001:db8::1', 'a')
    expect(issuer.verify(good, 'a')).toEqual({ address: '2001:db8::1', region: '' })
    const [text, signature] = good.split('.') as [string, string]
    const content = Buffer.from(JSON.stringify({ address: '1.1.1.1', to: 'a', expiresAtMs: now + 1 }))
    const forged = [
      '',
      '.',
      text,
      `${text}.`,
      `${text}.x${signature.slice(1)}`,
      `${content.toString('base64url')}.${signature}`,
      `${good}.`,
      `${good}${'x'.repeat(600)}`,
    ]
    for (const each of forged) expect(issuer.verify(each, 'a')).toBeNull()
    expect(header.verify(good, 'a')).toBeNull()
    expect(issuer.verify(issuer.create('not an address', 'a'), 'a')).toBeNull()
    now += 60_000
    expect(issuer.verify(good, 'a')).toBeNull()
    now -= 200_000
    expect(issuer.verify(good, 'a')).toBeNull()
  })

  it('RELAY-3 does not pass on connections of its own sessions', async () => {
    const entry = await openEntry(() => NONE)
    expect(await refusalOf(entry.address)).toBe('false')
    const own = await openEntry(() => ({ is: 'remote', owner: { is: 'server', id: 'entry', address: '' } }))
    expect(await refusalOf(own.address)).toBe('false')
  })

  it('RELAY-4 waits while the owner is dead, until the session has another owner', async () => {
    const dead = await openOwner()
    dead.server.close()
    const owner = await openOwner()
    let calls = 0
    const entry = await openEntry(() => (++calls < 3 ? at(dead.address) : at(owner.address)))
    await open(entry.address)
    expect(calls).toBe(3)
    calls = 0
    const free = await openEntry(() => (++calls < 3 ? at(dead.address) : { is: 'vacant' }))
    expect(await refusalOf(free.address)).toBe('false')
  })

  it('RELAY-10 passes nothing on to an owner that is silent and answers nothing', async () => {
    const hanging = createServer(() => {})
    const address = await listen(hanging)
    hanging.on('upgrade', (_request, socket: Socket) => closers.push(() => socket.destroy()))
    const owner = await openOwner()
    owner.server.on('request', (_request, response: ServerResponse) => response.end())
    let calls = 0
    const entry = await openEntry(() => (++calls < 3 ? at(address) : at(owner.address)), {
      total: 100,
      perAddress: 100,
      isSilent: true,
    })
    await expectEcho(await open(entry.address))
    expect(calls).toBe(3)
  })

  it('RELAY-5 closes both sides with either, after the last frame', async () => {
    const owner = await openOwner()
    const entry = await openEntry(() => at(owner.address))
    const first = await open(entry.address)
    owner.sockets[0]?.close(1001, 'temporarily_unavailable')
    expect(await closed(first)).toEqual([1001, 'temporarily_unavailable'])
    const second = await open(entry.address)
    second.close(4000, 'back_soon')
    expect(await closed(owner.sockets[1] as WebSocket)).toEqual([4000, 'back_soon'])
    const third = await open(entry.address)
    owner.sockets[2]?.terminate()
    expect(await closed(third)).toEqual([1006, ''])
    const fourth = await open(entry.address)
    fourth.terminate()
    expect((await closed(owner.sockets[3] as WebSocket))[0]).toBe(1006)
    await expect.poll(() => entry.relay.size).toBe(0)
  })

  it('RELAY-5 closes connections to a server that has failed, and all at its own stop', async () => {
    const owner = await openOwner()
    const entry = await openEntry(() => at(owner.address))
    const [one, other] = [await open(entry.address), await open(entry.address)]
    entry.relay.closeTo('another')
    expect(entry.relay.size).toBe(2)
    const gone = closed(one)
    entry.relay.closeTo('owner')
    expect(await gone).toEqual([1006, ''])
    expect(other.readyState).not.toBe(WebSocket.OPEN)
    const third = await open(entry.address)
    entry.relay.stop()
    expect(await closed(third)).toEqual([1006, ''])
  })

  it('RELAY-6 has a limit in total and for each address, and frees closed connections', async () => {
    const owner = await openOwner()
    const few = await openEntry(() => at(owner.address), { total: 2, perAddress: null })
    const [first] = [await open(few.address), await open(few.address)]
    expect(await refusalOf(few.address)).toBe('server_full')
    first.terminate()
    await expect.poll(() => few.relay.size).toBe(1)
    await open(few.address)
    const one = await openEntry(() => at(owner.address), { total: 10, perAddress: 1 })
    await open(one.address)
    expect(await refusalOf(one.address)).toBe('too_many_connections')
    const local = await openEntry(() => NONE, { total: 1, perAddress: 1 })
    for (let i = 0; i < 3; i++) expect(await refusalOf(local.address)).toBe('false')
  })

  it('RELAY-1 delivers data that arrived together with the request', async () => {
    const owner = await openOwner()
    const entry = await openEntry(() => at(owner.address))
    const { hostname, port } = new URL(entry.address)
    const socket = connect(Number(port), hostname)
    closers.push(() => socket.destroy())
    const lines = [
      'GET /control HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Protocol: svc.control',
    ]
    // A text frame "hi" with a mask of zeros.
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), frame]))
    let received = Buffer.alloc(0)
    socket.on('data', data => {
      received = Buffer.concat([received, data])
    })
    await expect.poll(() => received.subarray(-4).toString('latin1')).toBe('\x81\x02hi')
  })
})
