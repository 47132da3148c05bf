import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pollUntil } from '@lectern/common'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Keys } from '../../../accounts/keys.ts'
import { turnCredentials } from '../../../media/turn.ts'
import { TestAuthority } from '../../../testing/certificates.ts'
import { freePort } from '../../../testing/free-port.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import type { Check, CheckContext } from '../check.ts'
import { isRunning } from '../instance.ts'
import { checkMediaPort } from './ice-check.ts'
import { mediaAddress } from './media-address.ts'
import { certificateFault, publicUrl } from './public-url.ts'
import { CLASS, encode, METHOD } from './stun.ts'
import { turn } from './turn.ts'

const SECRET = 'of coturn'
const folder = mkdtempSync(join(tmpdir(), 'lectern-coturn-'))
const programs: ChildProcess[] = []
let server: TestServer
let port = 0

const listens = (at: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(at, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** A TURN server on the loopback address. */
async function startTurn(...options: string[]): Promise<number> {
  const at = await freePort()
  const name = join(folder, String(at))
  const own = [
    '-n',
    '--no-cli',
    '--no-tls',
    '--no-dtls',
    '--log-file=stdout',
    '--use-auth-secret',
    '--realm=test',
  ]
  const where = ['--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', `--listening-port=${at}`]
  const files = [`--userdb=${name}.db`, `--pidfile=${name}.pid`, `--static-auth-secret=${SECRET}`]
  programs.push(spawn('turnserver', [...own, ...where, ...files, ...options], { stdio: 'ignore' }))
  await pollUntil(() => listens(at), { intervalMs: 50, timeoutMs: 20_000 })
  return at
}

beforeAll(async () => {
  server = await startTestServer()
  port = await startTurn('--allow-loopback-peers')
})
afterAll(async () => {
  await server.close()
  for (const program of programs) if (program.kill()) await once(program, 'exit')
  rmSync(folder, { recursive: true })
})

/** The result of a check while the server runs. */
async function examine(
  check: Check,
  sections: Partial<Record<'turn' | 'Server' | 'Turn' | 'Media' | 'Integration', object>> & {
    isRunning?: false
  } = {},
) {
  const { config } = server
  const own = { ...config, Server: { ...config.Server, Port: Number(new URL(server.url).port) } }
  const { deploymentId } = new Keys(config.Server.JwtSecret)
  const context = {
    config: {
      ...own,
      Server: { ...own.Server, ...sections.Server },
      Media: { ...config.Media, ...sections.Media },
      Turn: { ...config.Turn, ...sections.Turn },
      Integration: { ...config.Integration, ...sections.Integration },
    },
    isRunning: sections.isRunning ?? (await isRunning(own, deploymentId)),
    deploymentId,
    turnServers: { urls: [], secret: SECRET, isEmbedded: false, ...sections.turn },
    turnCredentials: secret => turnCredentials(secret, 'doctor', Math.floor(Date.now() / 1000) + 60),
  } satisfies Partial<CheckContext>
  return check(context as unknown as CheckContext)
}

describe('the doctor tries', () => {
  it('the media ports, as a browser does', async () => {
    const Media = { ListenIp: '0.0.0.0', AnnouncedAddress: '127.0.0.2' }
    expect(
      await examine(mediaAddress, { Media: { ...Media, AnnouncedAddress: '203.0.113.7' } }),
    ).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('answers'),
    })
  })

  it('media ports with an IPv6 address', async () => {
    const socket = createSocket('udp6').bind(0, '::1')
    await once(socket, 'listening')
    socket.on('message', (bytes, { port, address }) => {
      const transaction = bytes.subarray(8, 20)
      socket.send(encode(METHOD.bind | CLASS.success, transaction, []), port, address)
    })
    const candidate = { address: '::1', port: socket.address().port, protocol: 'udp' } as const
    expect(await checkMediaPort({ username_fragment: 'a', password: 'b' }, candidate)).toBeNull()
    socket.close()
  })

  it.each([
    ['2001:db8::7', '0.0.0.0'],
    ['203.0.113.7', '2001:db8::7'],
  ])('nothing at %s while media listens on %s', async (AnnouncedAddress, ListenIp) => {
    expect(await examine(mediaAddress, { Media: { ListenIp, AnnouncedAddress } })).toMatchObject({
      status: 'fail',
      says: expect.stringContaining(`media listens on ${ListenIp}`),
    })
  })

  it.each([
    ['media.invalid', '0.0.0.0', 'has no address'],
    ['127.1', '2001:db8::7', 'Media listens on 2001:db8::7, and 127.1 has 127.0.0.1 only'],
    ['127.1', '0.0.0.0', 'On this machine 127.1 is 127.0.0.1'],
  ])(
    'to resolve the announced name %s, where media listens on %s',
    async (AnnouncedAddress, ListenIp, says) => {
      const Media = { ListenIp, AnnouncedAddress }
      expect(await examine(mediaAddress, { Media, Turn: { Embedded: true } })).toMatchObject({
        status: 'fail',
        says: expect.stringContaining(says),
      })
    },
  )

  it.each(['', '?transport=tcp'])('to relay a packet through the TURN server%s', async transport => {
    const url = `turn:127.0.0.1:${port}${transport}`
    expect(await examine(turn, { turn: { urls: [url] } })).toEqual({
      status: 'ok',
      says: `${url} relays to the media ports.`,
    })
    expect(await examine(turn, { turn: { urls: [url], secret: 'another' } })).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('its secret is another one'),
    })
  })

  it('TURN servers that relay nothing to the media address, or do not exist', async () => {
    const strict = await startTurn()
    expect(await examine(turn, { turn: { urls: [`turn:127.0.0.1:${strict}`] } })).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('it relays nothing to 127.0.0.1'),
    })
    const urls = [
      `turn:127.0.0.1:${port}`,
      `turn:127.0.0.1:${await freePort()}?transport=tcp`,
      'turn:turn.invalid',
    ]
    expect(await examine(turn, { turn: { urls } })).toMatchObject({
      status: 'warn',
      says: expect.stringMatching(/ECONNREFUSED.*turn\.invalid/),
    })
  })

  it('the supervised TURN server before the start: its program and its port', async () => {
    const urls = [`turn:127.0.0.1:${port}`]
    const examined = (Port: number, isRunning?: false) =>
      examine(turn, {
        turn: { urls, isEmbedded: true },
        Turn: { Port },
        ...(isRunning === false && { isRunning }),
      })
    expect(await examined(port)).toMatchObject({ status: 'ok', says: expect.stringContaining('relays to') })
    expect(await examined(port, false)).toMatchObject({
      status: 'fail',
      todo: expect.stringContaining('systemctl disable --now coturn'),
    })
    const other = createSocket('udp4').bind(0, '127.0.0.1')
    await once(other, 'listening')
    expect(await examined(other.address().port, false)).toMatchObject({ status: 'fail' })
    other.close()
    expect(await examined(await freePort(), false)).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('is free'),
    })
  })

  it.each([
    ['fail', 'a media worker', { Turn: { Port: 40_001 } }],
    ['fail', 'the pages', { Turn: { Port: 8443 }, Server: { Port: 8443 } }],
    ['warn', 'of which media has 50000', { Media: { Port: 50_000, Workers: 2 } }],
  ])('the ports of the supervised TURN server: %s, %s', async (status, says, sections) => {
    const turnServers = { urls: ['turn:127.0.0.1:9'], isEmbedded: true }
    const Media = { Port: 40_000, Workers: 2 }
    const found = await examine(turn, { turn: turnServers, isRunning: false, Media, ...sections })
    expect(found).toMatchObject({ status, says: expect.stringContaining(says) })
  })

  it('PublicUrl', async () => {
    expect(await examine(publicUrl, { Integration: { PublicUrl: 'https://meet.invalid' } })).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('cannot be reached from this machine'),
    })
  })

  it('PublicUrl whose certificate this machine does not trust', async () => {
    const { cert, key } = new TestAuthority(folder).issue('untrusted', 'IP:0.0.0.0')
    const other = createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) })
    await once(other.listen(0, '127.0.0.1'), 'listening')
    // For others than this machine, as doctor sees it.
    const PublicUrl = `https://0.0.0.0:${(other.address() as AddressInfo).port}`
    expect(await examine(publicUrl, { Integration: { PublicUrl } })).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('does not trust the certificate'),
      todo: expect.stringContaining('fullchain.pem'),
    })
    other.close()
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'fail'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'fail'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'warn'],
    ['ECONNREFUSED', undefined],
  ])('a certificate of PublicUrl with %s: %s', (code, status) => {
    expect(certificateFault('https://meet.example.org', code)?.status).toBe(status)
  })

  it('PublicUrl of this machine, which leads to the server, to another program, or to nothing', async () => {
    const of = (PublicUrl: string) => examine(publicUrl, { Integration: { PublicUrl } })
    expect(await of(server.url)).toMatchObject({ status: 'ok' })
    const other = createServer((_, response) => response.end('{"deployment_id":"another"}'))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await of(url)).toMatchObject({
      status: 'fail',
      says: `${url} leads to another program or server.`,
    })
    other.close()
    await once(other, 'close')
    expect(await of(url)).toMatchObject({ status: 'fail', says: `${url} leads to no server.` })
  })
})
