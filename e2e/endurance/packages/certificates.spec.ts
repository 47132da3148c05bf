import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath } from '../../support/folders.ts'
import { ensureBuilt, LECTERN } from '../../support/lectern.ts'
import { DIRECTORY, SchoolHost } from '../../support/school-host.ts'
import { waitFor } from '../../support/wait.ts'

const HEALTH = 'https://meet.example.org/healthz'

const host = new SchoolHost()
beforeAll(async () => {
  ensureBuilt()
  await host.boot()
})
afterAll(() => host.end())

/** Lectern with settings beside those of every installation. */
const startLectern = (name: string, settings: Record<string, string>) =>
  host.start(process.execPath, [LECTERN, 'serve'], {
    SVC_SERVER_JWT_SECRET: 'an-example-secret-of-enough-characters',
    SVC_SERVER_DATA_DIR: join(host.folder, name),
    SVC_INTEGRATION_PUBLIC_URL: 'https://meet.example.org',
    SVC_RECORDER_EMBEDDED: '0',
    SVC_TRANSCRIBER_EMBEDDED: '0',
    SVC_CONVERTER_EMBEDDED: '0',
    SVC_MEDIA_WORKERS: '1',
    ...settings,
  })
const answers = () => waitFor(() => host.get(HEALTH), 'Lectern answers with a certificate of the authority')

/** Certificates of a local ACME server, which validates the name of the host as public ones do. */
describe('a certificate', () => {
  it('is obtained by Caddy with the shipped configuration', async () => {
    const lectern = startLectern('behind-caddy', { SVC_SERVER_TRUST_PROXY: 'loopback' })
    const recipe = readFileSync(repositoryPath('deploy/caddy/Caddyfile'), 'utf8')
    const options = `{\n\tadmin off\n\tacme_ca ${DIRECTORY}\n\tacme_ca_root ${host.rootCertificate}\n`
    const caddy = host.startCaddy('caddy', recipe.replace(/^\{\n/m, options))
    await answers()
    const redirect = host.get('http://meet.example.org/healthz', '-o', '/dev/null', '-w', '%{redirect_url}')
    expect(redirect).toBe(HEALTH)
    await caddy.kill('SIGTERM')
    await lectern.kill('SIGTERM')
  })

  it('is obtained and renewed by certbot through nginx as in the guide', async () => {
    const guide = readFileSync(repositoryPath('docs/install.md'), 'utf8')
    const [, steps = ''] = /### Behind nginx[\s\S]*?```sh\n([\s\S]*?)```/.exec(guide) ?? []
    const commands = steps
      .replaceAll('sudo ', '')
      .replaceAll('/usr/share/doc/lectern/', `${repositoryPath('.')}/`)
      .replace(/^apt install .*\n/, '')
    expect(commands).toContain('certbot certonly --webroot')
    // What certbot asks at a terminal, and the local authority.
    const folders = ['work', 'logs'].map(name => `${name}-dir = ${join(host.folder, `webroot-${name}`)}`)
    const answersGiven = [
      'non-interactive = true',
      'agree-tos = true',
      'register-unsafely-without-email = true',
    ]
    host.writeFile(
      '/etc/letsencrypt/cli.ini',
      [`server = ${DIRECTORY}`, ...folders, ...answersGiven].join('\n'),
    )
    const lectern = startLectern('behind-nginx', { SVC_SERVER_TRUST_PROXY: 'loopback' })
    const nginx = host.start('nginx', ['-g', 'daemon off;'])
    await waitFor(() => host.answers('http://meet.example.org/'), 'nginx answers')
    const trust = { REQUESTS_CA_BUNDLE: host.rootCertificate }
    host.run('sh', ['-ec', commands], trust)
    await answers()
    const redirect = host.get('http://meet.example.org/healthz', '-o', '/dev/null', '-w', '%{redirect_url}')
    expect(redirect).toBe(HEALTH)
    const path = '/etc/letsencrypt/live/meet.example.org/fullchain.pem'
    const first = host.readFile(path)
    host.run('certbot', ['renew', '--force-renewal', '--no-random-sleep-on-renew'], trust)
    expect(host.readFile(path)).not.toBe(first)
    await waitFor(() => served().includes(leafOf(host.readFile(path))), 'nginx has the renewed certificate')
    await nginx.kill('SIGTERM')
    await lectern.kill('SIGTERM')
  })
})

const leafOf = (chain: string) => chain.slice(0, chain.indexOf('-----END'))

/** The certificate of the server in PEM. */
const served = () =>
  host.run('sh', [
    '-c',
    'openssl s_client -connect meet.example.org:443 -servername meet.example.org < /dev/null 2> /dev/null',
  ])
