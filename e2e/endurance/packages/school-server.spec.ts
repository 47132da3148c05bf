import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, trusting, useLaunched } from '../../support/browser.ts'
import { DebianMachine } from '../../support/debian-machine.ts'
import { useFolders } from '../../support/folders.ts'
import { blocksOf, edited } from '../../support/guide.ts'
import { joinInstrumented, protocolsOf } from '../../support/media.ts'
import { type Firewall, OtherHost } from '../../support/other-host.ts'
import { makePackageRepository, type Versions } from '../../support/package-repository.ts'
import { usePrograms } from '../../support/program.ts'
import { AUTHORITY, DIRECTORY } from '../../support/school-host.ts'
import { waitFor } from '../../support/wait.ts'

const GUIDE = 'docs/school-server.md'
const SETTINGS = '/etc/lectern/lectern.ini'

/** The names and the address of the guide. */
const [NAME, ADDRESS] = ['meet.example.org', '203.0.113.7']
const ACME = 'acme.example.org'

/** What certbot asks at a terminal, and the local authority. */
const CERTBOT_ANSWERS = `server = ${DIRECTORY}
non-interactive = true
agree-tos = true
register-unsafely-without-email = true
`

/** How media goes through a firewall. */
const PROTOCOLS: Record<Firewall, string[]> = {
  open: ['udp'],
  'tcp only': ['tcp', 'tcp to a relay', 'tls to a relay'],
  'https only': ['tls to a relay'],
}

const makeFolder = useFolders()
const repository = makeFolder()
const run = usePrograms()
let versions: Versions

beforeAll(async () => {
  versions = await makePackageRepository(run, repository)
})

/**
 * An administrator's afternoon: the blocks of the guide in their order, word for word, on a clean machine whose names and
 * address are those of the guide. Each test continues where the one before it has ended.
 */
describe.each([
  ['12', 'bookworm'],
  ['13', 'trixie'],
])('the guide for schools on Debian %s', { timeout: 300_000 }, (_, suite) => {
  const folder = makeFolder()
  let machine: DebianMachine
  /** Everything outside of the machine: people, and the authority. */
  let internet: OtherHost
  const authority = (name: string) => join(folder, `caddy/pki/authorities/local/${name}.crt`)
  beforeAll(async () => {
    machine = new DebianMachine(suite)
    await machine.boot(
      readdirSync(repository)
        .filter(name => name.includes(versions.first))
        .map(name => join(repository, name)),
    )
    internet = new OtherHost(machine.init)
    internet.reach(ADDRESS, `127.0.0.1 localhost ${ACME}\n${ADDRESS} ${NAME}\n`)
    await machine.writeFile(
      '/etc/hosts',
      `127.0.0.1 localhost\n${ADDRESS} ${NAME}\n${internet.address} ${ACME}\n`,
    )
    writeFileSync(join(folder, 'Caddyfile'), AUTHORITY)
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    internet.run('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], { env })
    await waitFor(() => existsSync(authority('intermediate')), 'the authority has its certificates')
    await machine.writeFile(
      '/usr/local/share/ca-certificates/authority.crt',
      readFileSync(authority('root'), 'utf8'),
    )
    await machine.get('update-ca-certificates')
    await machine.writeFile('/etc/letsencrypt/cli.ini', CERTBOT_ANSWERS)
    await machine.writeFile('/srv/shared/people.csv', PEOPLE)
    await machine.writeFile('/etc/apt/apt.conf.d/90answers', 'APT::Get::Assume-Yes "true";\n')
    // There is no network: what the package needs is there.
    await machine.get('sh', '-c', 'rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*')
  })
  afterAll(async () => {
    await internet.remove()
    await machine.end()
  })
  const open = useLaunched(() =>
    chromium.launch({
      executablePath: internet.launcher(folder, '/usr/bin/chromium-headless-shell'),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        ...FAKE_DEVICES,
        trusting(authority('intermediate')),
      ],
    }),
  )
  let output = ''

  it('is a script that runs from its first to its last line, with nothing that doctor finds wrong', async () => {
    for (const { language, text } of blocksOf(GUIDE)) {
      if (language === 'ini')
        await machine.writeFile(SETTINGS, edited(await machine.get('cat', SETTINGS), text))
      else output += await machine.get('sh', '-ec', `cd /srv/shared\n${text}`)
    }
    // A certificate of this authority is valid for a day.
    expect(output.match(/^(fail|warn) .*/gm)).toEqual(Array(2).fill(expect.stringContaining('expires in 0')))
    for (const tried of [
      `${SITE} leads to this server.`,
      'UDP and TCP, answers.',
      'relays to the media ports.',
    ])
      expect(output.split(tried), tried).toHaveLength(2)
    expect(await machine.get('systemctl', 'is-enabled', 'lectern-backup.timer')).toBe('enabled')
  })

  it('ends with a meeting, which people enter through UDP, TCP, and the https port alone', async () => {
    const [invitation = ''] = /https:\S+\/invite\/\S+/.exec(output) ?? []
    const { page } = await open(invitation)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the new password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    await page.goto(`${SITE}/meetings`)
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).fill('Monday round')
    await page.keyboard.press('Enter')
    const link = await page
      .getByRole('link', { name: 'Monday round' })
      .evaluate(each => (each as HTMLAnchorElement).href)
    for (const [firewall, protocols] of Object.entries(PROTOCOLS)) {
      internet.permit(firewall as Firewall)
      const ben = await joinInstrumented(open, link, { name: 'Ben' })
      const mia = await joinInstrumented(open, link, { name: 'Mia' })
      await Promise.all([ben.waitForVideo('Mia'), mia.waitForVideo('Ben')])
      await Promise.all([ben.waitForSound(), mia.waitForSound()])
      for (const person of [ben, mia])
        for (const protocol of await protocolsOf(person)) expect(protocols, firewall).toContain(protocol)
      await Promise.all([ben, mia].map(each => each.page.context().close()))
    }
    internet.permit('open')
  })

  it('has a certificate that certbot renews, and a server that notices', async () => {
    const first = await fingerprint()
    await machine.get('certbot', 'renew', '--force-renewal', '--no-random-sleep-on-renew')
    await waitFor(async () => (await fingerprint()) !== first, 'the renewed certificate is served')
  })

  /** Of the certificate that people get. */
  async function fingerprint(): Promise<string> {
    const program = internet.run('sh', [
      '-c',
      `openssl s_client -connect ${NAME}:443 -servername ${NAME} < /dev/null 2> /dev/null | openssl x509 -noout -fingerprint`,
    ])
    await program.ended
    return program.stdout
  }
})

const PASSWORD = 'correct horse battery'
const SITE = `https://${NAME}`
const PEOPLE = 'login,name,email\nben,Ben,ben@school.example\nmia,Mia Andersson,mia@school.example\n'
