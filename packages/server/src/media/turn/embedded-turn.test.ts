import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, get } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { pollUntil } from '@lectern/common'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { Keys } from '../../accounts/keys.ts'
import { openProbe } from '../../operations/doctor/network/media-address.ts'
import { tryTurn } from '../../operations/doctor/network/turn-client.ts'
import { TestAuthority } from '../../testing/certificates.ts'
import { freePort } from '../../testing/free-port.ts'
import { startNginxStream } from '../../testing/reverse-proxy.ts'
import { JWT_SECRET, startTestServer, type TestServer } from '../../testing/server.ts'
import { turnCredentials } from '../turn.ts'
import { turnSettings } from './settings.ts'
import { StunMultiplexer } from './stun-multiplexer.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-turn-'))
const authority = new TestAuthority(folder)
const ca = readFileSync(authority.cert)
const PUBLIC = '203.0.113.7'

let server: TestServer
let turnPort = 0
beforeAll(async () => {
  turnPort = await freePort()
  const port = await freePort()
  const { cert: TlsCert, key: TlsKey } = authority.issue('server', 'DNS:localhost')
  server = await startTestServer({
    Server: { Port: String(port), TlsCert, TlsKey, LogLevel: 'debug', TrustProxy: '127.0.0.1' },
    Integration: { PublicUrl: `https://localhost:${port}` },
    Media: { AnnouncedAddress: PUBLIC },
    Turn: { Embedded: '1', Port: String(turnPort) },
  })
  await pollUntil(allocates, { intervalMs: 50, timeoutMs: 20_000 })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const allocates = () =>
  tryTurn(`turn:127.0.0.1:${turnPort}?transport=tcp`, credentials(), null).then(
    () => true,
    () => false,
  )
const settings = () => turnSettings(server.config, new Keys(JWT_SECRET))
const credentials = () => turnCredentials(settings().secret, '7', Math.floor(Date.now() / 1000) + 60)
const options = () => ({ host: 'localhost', port: server.config.Server.Port, ca, family: 4 })

/** A media port of a server under its public address, as a browser gets it. */
async function media({ config } = server, announced = PUBLIC) {
  const { ice, candidates } = await openProbe(config)
  const candidate = candidates.find(({ protocol }) => protocol === 'udp')
  if (!candidate) throw new Error('no media port')
  expect(candidate.address).toBe(announced)
  return { ...candidate, ice }
}

const secureConnection = async () => {
  const socket = connect(options())
  await once(socket, 'secureConnect')
  return socket
}

/** A reset closes, too. */
const isClosed = (socket: Socket) =>
  new Promise(resolve => socket.on('error', () => {}).once('close', resolve))

describe('the supervised TURN server', () => {
  it('is offered by UDP, by TCP and on the port of the pages', () => {
    expect(settings().urls).toEqual([
      `turn:${PUBLIC}:${turnPort}?transport=udp`,
      `turn:${PUBLIC}:${turnPort}?transport=tcp`,
      `turns:localhost:${server.config.Server.Port}?transport=tcp`,
    ])
  })

  it.each(['udp', 'tcp'])('relays to the media ports behind NAT by %s', async transport => {
    await tryTurn(`turn:127.0.0.1:${turnPort}?transport=${transport}`, credentials(), await media())
  })

  it('relays on the https port, between the requests of others', async () => {
    const url = `turns:localhost:${server.config.Server.Port}?transport=tcp`
    await tryTurn(url, credentials(), await media(), ca)
    const [response] = (await once(get({ ...options(), path: '/healthz' }), 'response')) as [
      NodeJS.ReadableStream,
    ]
    expect(await text(response)).toContain('ok')
    const control = new WebSocket(
      `wss://localhost:${server.config.Server.Port}/api/v1.0/control`,
      'svc.control',
      {
        ca,
      },
    )
    await once(control, 'open')
    control.terminate()
  })

  it('relays to media ports with an IPv6 address, for people with IPv4, too', async () => {
    const port = await freePort()
    const announced = '2001:db8::7'
    const own = await startTestServer({
      Server: { Port: String(await freePort()) },
      Media: { ListenIp: '::', AnnouncedAddress: announced },
      Turn: { Embedded: '1', Port: String(port) },
    })
    const { urls, secret } = turnSettings(own.config, new Keys(JWT_SECRET))
    expect(urls).toContain(`turn:[${announced}]:${port}?transport=udp`)
    for (const host of ['[::1]', '127.0.0.1']) {
      const relays = async () =>
        tryTurn(
          `turn:${host}:${port}`,
          turnCredentials(secret, '7', Math.floor(Date.now() / 1000) + 60),
          await media(own, announced),
        )
      await expect.poll(() => relays().then(() => 'relays', String), { timeout: 20_000 }).toBe('relays')
    }
    await own.close()
  }, 40_000)

  it.each(['10.0.0.1', '169.254.169.254', '198.51.100.1', '127.0.0.2'])(
    'relays nothing to %s',
    async address => {
      const relayed = tryTurn(`turn:127.0.0.1:${turnPort}?transport=tcp`, credentials(), {
        address,
        port: 443,
        ice: null,
      })
      await expect(relayed).rejects.toThrow(`it relays nothing to ${address} (error 403)`)
    },
  )

  it('keeps its secret in a file for the user of the service only', () => {
    const file = join(server.config.Server.DataDir, 'turn/turnserver.conf')
    expect(readFileSync(file, 'utf8')).toContain(`static-auth-secret=${settings().secret}`)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(server.log()).not.toContain(settings().secret)
  })

  it('starts again when it dies, and then relays as before', async () => {
    const pids = () =>
      [...server.log().matchAll(/"pid":(\d+),"msg":"coturn started"/g)].map(([, pid]) => Number(pid))
    const [first = 0] = pids()
    process.kill(first, 'SIGKILL')
    await expect.poll(pids).toHaveLength(2)
    await expect.poll(allocates).toBe(true)
  })
})

describe('the recipe for nginx with TURN', () => {
  it('serves pages and TURN on one port, with the addresses of clients', async () => {
    const { TlsCert, TlsKey } = server.config.Server
    const own = join(folder, 'nginx')
    mkdirSync(own)
    const tls = { cert: TlsCert, key: TlsKey }
    const behind = `127.0.0.1:${server.config.Server.Port}`
    const nginx = await startNginxStream({ folder: own, server: behind, certificate: tls })
    const url = `turns:localhost:${nginx.port}?transport=tcp`
    await tryTurn(url, credentials(), await media(), ca)
    for (const ALPNProtocols of [['http/1.1'], undefined]) {
      const at = {
        ...options(),
        port: nginx.port,
        path: '/api/v1.0/server_info',
        ALPNProtocols,
        agent: false,
      }
      const [response] = (await once(get({ ...at, localAddress: '127.0.0.9' }), 'response')) as [
        NodeJS.ReadableStream,
      ]
      expect(await text(response)).toContain('deployment_id')
    }
    await nginx.stop()
    const requests = server.log().matchAll(/server_info"[^\n]*"address":"([^"]+)"/g)
    expect([...requests].slice(-2).map(([, ip]) => ip)).toEqual(['127.0.0.9', '127.0.0.2'])
  })
})

describe('the https port', () => {
  it('closes connections whose TURN server does not run, and those that send nothing', async () => {
    const { TlsCert, TlsKey } = server.config.Server
    const own = createServer({ cert: readFileSync(TlsCert), key: readFileSync(TlsKey) })
    new StunMultiplexer(await freePort(), 500).attach(own)
    await once(own.listen(0, '127.0.0.1'), 'listening')
    for (const bytes of [Buffer.from([0, 1, 0, 0]), null]) {
      const socket = connect({ ...options(), port: (own.address() as AddressInfo).port })
      await once(socket, 'secureConnect')
      const closed = isClosed(socket)
      if (bytes) socket.write(bytes)
      await closed
    }
    own.close()
  })

  it('answers malformed requests in HTTP', async () => {
    const socket = await secureConnection()
    socket.end('\u0001\u0000\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('closes with connections that relay', async () => {
    const own = await startTestServer({
      Server: { TlsCert: server.config.Server.TlsCert, TlsKey: server.config.Server.TlsKey },
      Turn: { Embedded: '1', Port: String(await freePort()) },
    })
    const socket = connect({ ...options(), port: Number(new URL(own.url).port) })
    await once(socket, 'secureConnect')
    const closed = isClosed(socket)
    await own.close()
    await closed
  })
})
