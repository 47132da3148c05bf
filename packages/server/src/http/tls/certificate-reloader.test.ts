import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { type Certificate, TestAuthority } from '../../testing/certificates.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { CertificateReloader } from './certificate-reloader.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }) // many processes or files on a busy machine

const NAME = 'localhost'
const RELOADED = { timeout: 100_000, interval: 50 }

const folder = mkdtempSync(join(tmpdir(), 'lectern-tls-'))
const authority = new TestAuthority(folder)
const ca = readFileSync(authority.cert)
const [cert, key] = [join(folder, 'live.pem'), join(folder, 'live.key')]
const issue = (name: string) => authority.issue(name, `DNS:${NAME},IP:127.0.0.1`)

function install(pair: Certificate) {
  copyFileSync(pair.cert, cert)
  copyFileSync(pair.key, key)
}

let server: TestServer
beforeAll(async () => {
  install(issue('first'))
  server = await startTestServer({ Server: { TlsCert: cert, TlsKey: key, LogLevel: 'info' } })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const port = () => Number(new URL(server.url).port)

/** The name on the certificate that a new connection gets; without a name in the handshake if `servername` is empty. */
async function presented(servername: string): Promise<string> {
  const socket: TLSSocket = connect({
    port: port(),
    host: '127.0.0.1',
    ca,
    servername,
    checkServerIdentity: () => undefined,
  })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return [subject.CN].flat().join()
}

const get = (path: string, agent: Agent) =>
  new Promise<string>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', servername: NAME, port: port(), path, ca, agent }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject).end()
  })

async function metric(name: string): Promise<number> {
  const agent = new Agent()
  const text = await get('/metrics', agent)
  agent.destroy()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
}

const refusals = () =>
  server
    .log()
    .split('\n')
    .filter(line => line.includes('certificate is not used'))
    .map(line => (JSON.parse(line) as { reason: string }).reason)

describe('the TLS certificate', () => {
  it('TLS-1 TLS-4 is replaced without a restart and without closing connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await get('/healthz', agent)
    const kept = Object.values(agent.freeSockets).flat()[0]
    const control = new WebSocket(`wss://127.0.0.1:${port()}/api/v1.0/control`, 'svc.control', { ca })
    await once(control, 'open')
    const expiry = await metric('tls_certificate_not_after_seconds')
    expect(expiry).toBeGreaterThan(Date.now() / 1000)

    install(issue('second'))
    await expect.poll(() => presented(NAME), RELOADED).toBe('second')
    expect(await presented('')).toBe('second')
    expect(server.log()).toContain('new TLS certificate in use')
    expect(await metric('tls_certificate_not_after_seconds')).toBeGreaterThanOrEqual(expiry)

    expect(await get('/healthz', agent)).toContain('ok')
    expect(Object.values(agent.freeSockets).flat()[0]).toBe(kept)
    agent.destroy()
    control.ping()
    await once(control, 'pong')
    control.terminate()
  })

  it('TLS-2 TLS-3 is kept while the files are invalid, which is logged once', async () => {
    const [before, third, other] = [await presented(NAME), issue('third'), issue('other')]
    install({ cert: third.cert, key: other.key })
    await expect.poll(refusals, RELOADED).toEqual(['certificate and key do not belong together'])
    expect(await metric('tls_certificate_refused')).toBe(1)
    expect(await presented(NAME)).toBe(before)

    writeFileSync(cert, readFileSync(third.cert, 'utf8').slice(0, 300))
    await expect.poll(refusals, RELOADED).toHaveLength(2)
    expect(refusals()[1]).toBe('a file is incomplete or not in the PEM format')
    expect(await presented('')).toBe(before)

    install(third)
    await expect.poll(() => presented(NAME), RELOADED).toBe('third')
    expect(await metric('tls_certificate_refused')).toBe(0)
    expect(refusals()).toHaveLength(2)
    expect(server.log()).not.toContain('PRIVATE KEY')
  })
})

describe('a new certificate', () => {
  const DAY_MS = 86_400_000

  it('TLS-2 is refused before it is valid, which is logged once, and used when it is valid', async () => {
    install(issue('present'))
    const lines: string[] = []
    const note = (_: unknown, line: string) => lines.push(line)
    let now = Date.now()
    const files = { TlsCert: cert, TlsKey: key }
    const reloader = await CertificateReloader.open({
      files,
      clock: () => now,
      log: { info: note, error: note } as never,
    })
    install(issue('next'))
    now -= 2 * DAY_MS
    for (let time = 0; time < 3; time++) await reloader?.reload()
    now += 5 * DAY_MS
    for (let time = 0; time < 3; time++) await reloader?.reload()
    expect(lines).toHaveLength(2)
    expect(reloader?.isRefused).toBe(true)
    now = Date.now()
    await reloader?.reload()
    expect(reloader?.isRefused).toBe(false)
    expect(lines.at(-1)).toBe('new TLS certificate in use')
  })

  it('prevents the start if there is no other one', async () => {
    const [one, other] = [issue('one'), issue('another')]
    const log = { info: () => {}, error: () => {} } as never
    const open = (TlsKey: string) =>
      CertificateReloader.open({ files: { TlsCert: one.cert, TlsKey }, clock: Date.now, log })
    await expect(open(other.key)).rejects.toThrow(
      /^\[Server\] TlsCert and TlsKey cannot be used: certificate and key do not belong together$/,
    )
    expect((await open(one.key))?.isRefused).toBe(false)
  })

  it('TLS-2 is refused if a file is missing', async () => {
    install(issue('whole'))
    const reasons: string[] = []
    const log = { info: () => {}, error: ({ reason }: { reason: string }) => reasons.push(reason) } as never
    const files = { TlsCert: cert, TlsKey: key }
    const reloader = await CertificateReloader.open({ files, clock: Date.now, log })
    rmSync(key)
    for (let time = 0; time < 3; time++) await reloader?.reload()
    expect(reasons).toEqual([expect.stringMatching(/^ENOENT: .*live\.key/)])
    expect(reloader?.isRefused).toBe(true)
  })

  it('TLS-3 is not refused while its files are being written', async () => {
    install(issue('old'))
    const errors: string[] = []
    const log = { info: () => {}, error: (_: unknown, line: string) => errors.push(line) } as never
    const reloader = await CertificateReloader.open({
      files: { TlsCert: cert, TlsKey: key },
      clock: Date.now,
      log,
    })
    const next = issue('renewed')
    copyFileSync(next.cert, cert)
    await reloader?.reload()
    copyFileSync(next.key, key)
    await reloader?.reload()
    expect([reloader?.isRefused, errors]).toEqual([false, []])
  })
})
