import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { TestAuthority } from '../testing/certificates.ts'
import { startTestServer } from '../testing/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-closing-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('a server with TLS that stops', () => {
  it('closes connections that send nothing, before and after the handshake', async () => {
    const authority = new TestAuthority(folder)
    const { cert, key } = authority.issue('server', 'DNS:localhost')
    const server = await startTestServer({ Server: { TlsCert: cert, TlsKey: key } })
    const target = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
    const silent = connectPlain(target)
    await once(silent, 'connect')
    const greeted = connect({ ...target, ca: readFileSync(authority.cert), servername: 'localhost' })
    await once(greeted, 'secureConnect')
    // However they are closed: `once` would reject at a reset.
    const ended = [silent, greeted].map(
      socket =>
        new Promise<void>(resolve => {
          socket.on('error', () => {}).resume()
          socket.on('close', () => resolve())
        }),
    )
    await server.close()
    await expect(Promise.all(ended)).resolves.toHaveLength(2)
  })
})
