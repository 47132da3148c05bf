import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { addressOf, openNetworks, waitFor } from '../testing.ts'

describe('sign-in at NATS', () => {
  const servers: NatsServer[] = []
  const folder = mkdtempSync(join(tmpdir(), 'lectern-nats-tls-'))
  const networks = openNetworks(() => '')
  const start = async (...args: string[]) => {
    const server = await startNats({ args })
    servers.push(server)
    return server
  }
  afterEach(networks.closeAll)
  afterAll(async () => {
    await Promise.all(servers.map(each => each.stop()))
    rmSync(folder, { recursive: true })
  })

  const withCredentials = ({ url }: NatsServer, credentials: string, scheme = 'nats') =>
    addressOf(url.replace('nats://', `${scheme}://${credentials}@`))

  it('reads user and password from the address, and never logs them', async () => {
    const nats = await start('--user', 'lectern', '--pass', 'p@ss:wörd/secret')
    const lines: string[] = []
    const password = encodeURIComponent('p@ss:wörd/secret')
    const right = await networks.open('a', {
      addresses: [withCredentials(nats, `lectern:${password}`)],
      lines,
    })
    expect(right.isConnected).toBe(true)
    const wrong = withCredentials(nats, 'lectern:wrong-secret')
    const refused = await networks.open('b', { addresses: [wrong], lines, waitMs: 300 })
    expect(refused.isConnected).toBe(false)
    await waitFor(() => lines.some(line => line.includes('NATS cannot be reached')))
    expect(lines.join('')).toMatch(/Authorization Violation/i)
    expect(lines.join('')).not.toMatch(/secret|lectern:/)
  })

  it('reads a token from the address', async () => {
    const nats = await start('--auth', 'token-of-the-cluster')
    const lines: string[] = []
    const right = { addresses: [withCredentials(nats, 'token-of-the-cluster')], lines }
    expect((await networks.open('a', right)).isConnected).toBe(true)
    expect(lines.join('')).not.toContain('token-of-the-cluster')
  })

  it.each(['publish', 'subscribe'])('logs once that the user may not %s', async right => {
    const config = join(folder, `${right}.conf`)
    const permissions = { publish: '>', subscribe: '>', [right]: { deny: 'test.presence.>' } }
    const users = [{ user: 'u', password: 'p', permissions }]
    writeFileSync(config, JSON.stringify({ authorization: { users } }))
    const nats = await start('-c', config)
    const lines: string[] = []
    const network = await networks.open('a', { addresses: [withCredentials(nats, 'u:p')], lines })
    for (const topic of ['changes', 'of']) {
      network.subscribe(`presence.${topic}`, () => {})
      network.publish(`presence.${topic}`, null)
    }
    await waitFor(() => lines.some(line => line.includes('NATS reports an error')))
    expect(network.isConnected).toBe(true)
    const received = new Promise<void>(resolve => void network.subscribe('alive.a', () => resolve()))
    network.publish('alive.a', null)
    await received
    const reports = lines.filter(line => /reports an error|failed/.test(line))
    expect(reports).toHaveLength(1)
    expect(reports[0]).toContain(String.raw`\"test.presence.changes\"`)
  })

  it('checks the certificate of a server with TLS', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const names = 'subjectAltName=IP:127.0.0.1'
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const out = ['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=nats', '-addext', names]
    execFileSync('openssl', [...request, ...out], { stdio: 'ignore' })
    const nats = await start(
      '--tls',
      '--tlscert',
      cert,
      '--tlskey',
      key,
      '--user',
      'u',
      '--pass',
      'tls-secret',
    )
    const lines: string[] = []
    const tls = [withCredentials(nats, 'u:tls-secret', 'tls')]
    const trusted = await networks.open('a', { addresses: tls, ca: cert, lines })
    expect(trusted.isConnected).toBe(true)
    const untrusted = await networks.open('b', { addresses: tls, lines, waitMs: 300 })
    expect(untrusted.isConnected).toBe(false)
    await waitFor(() => lines.some(line => /SELF_SIGNED|self.signed/i.test(line)))
    expect(lines.join('')).not.toContain('tls-secret')
    const plain = await start()
    const demanding = await networks.open('c', {
      addresses: [addressOf(plain.url.replace('nats', 'tls'))],
      waitMs: 300,
    })
    expect(demanding.isConnected).toBe(false)
  })
})
