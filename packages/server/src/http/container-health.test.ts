import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { TestAuthority } from '../testing/certificates.ts'
import { freePort } from '../testing/free-port.ts'
import { startTestServer } from '../testing/server.ts'

const dockerfile = readFileSync(new URL('../../../../deploy/docker/Dockerfile', import.meta.url), 'utf8')
const [, command = '[]'] = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(dockerfile) ?? []
const [, ...args] = JSON.parse(command) as string[]

/** Whether the container of these settings is healthy. */
const isHealthy = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, args, { env }).then(
    () => true,
    ({ code }) => code !== 1 && expect.unreachable(),
  )

it('a container is healthy while its server answers, with a certificate, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-health-'))
  const { cert: TlsCert, key: TlsKey } = new TestAuthority(folder).issue('server', 'DNS:meet.example.org')
  const nobody = { SVC_MEDIA_NODE_PORT: String(await freePort()) }
  const settings: Record<string, string>[] = [{}, { TlsCert, TlsKey }]
  for (const tls of settings) {
    const port = String(await freePort())
    const env = { ...nobody, SVC_SERVER_PORT: port, ...(tls.TlsCert && { SVC_SERVER_TLS_CERT: TlsCert }) }
    expect(await isHealthy(env)).toBe(false)
    const server = await startTestServer({ Server: { Port: port, ...tls } })
    expect(await isHealthy(env)).toBe(true)
    // A media node has no server, and answers at a port of its own.
    if (!tls.TlsCert)
      expect(
        await isHealthy({ SVC_SERVER_PORT: nobody.SVC_MEDIA_NODE_PORT, SVC_MEDIA_NODE_PORT: port }),
      ).toBe(true)
    await server.close()
  }
  rmSync(folder, { recursive: true })
})
