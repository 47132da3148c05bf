import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DebianMachine } from '../../support/debian-machine.ts'
import { useFolders } from '../../support/folders.ts'
import {
  ADD_REPOSITORY,
  FILL_RELEASED,
  makePackageRepository,
  releasedFacts,
  type Versions,
} from '../../support/package-repository.ts'
import { usePrograms } from '../../support/program.ts'
import { waitFor } from '../../support/wait.ts'

const SETTINGS = '/etc/lectern/lectern.ini'
/** A backup of a night is a unit without a process. */
const BACKUP = [
  '/usr/lib/systemd/system/lectern-backup.service',
  '/usr/lib/systemd/system/lectern-backup.timer',
]
const UNITS = ['lectern', 'lectern-media-node', 'lectern-recorder', 'lectern-transcriber']

/** Of 10; systemd calls what is below 4 "OK". The server has the most: the sandbox of the converter (decision 167), and NotifyAccess (239). */
const EXPOSURE_MAX = 3

const makeFolder = useFolders()
const repository = makeFolder()
const run = usePrograms()
let versions: Versions
let machine: DebianMachine
let token = ''

beforeAll(async () => {
  versions = await makePackageRepository(run, repository)
})

const apt = (...args: string[]) => machine.get('apt-get', '-q', '-y', ...args)
const installedVersion = async () => (await machine.get('dpkg-query', '-W', 'lectern')).split('\t')[1]
const property = async (unit: string, name: string) =>
  (await machine.get('systemctl', 'show', '--property', name, '--value', unit)).trim()
const isReady = (path: string, port = 8080) =>
  waitFor(async () => (await machine.http(path, { port })).status === 200, `${path} of port ${port} answers`)

/** Each test continues where the one before it has ended. */
describe.each([
  ['12', 'bookworm'],
  ['13', 'trixie'],
])('the Debian package on Debian %s', { timeout: 300_000 }, (release, suite) => {
  beforeAll(async () => {
    machine = new DebianMachine(suite)
    await machine.boot(readdirSync(repository).map(name => join(repository, name)))
  })
  afterAll(async () => {
    await machine.end()
  })
  it('installs from a repository on a clean Debian, starts nothing and prints the next steps', async () => {
    expect(await machine.get('cat', '/etc/debian_version')).toMatch(new RegExp(`^${release}\\.`))
    await machine.get('sh', '-c', ADD_REPOSITORY)
    const output = await apt('install', `lectern=${versions.first}`)
    expect(output).toContain('lectern doctor')
    expect(await machine.get('stat', '-c', '%U:%G %a', SETTINGS, '/etc/lectern', '/var/lib/lectern')).toBe(
      'root:lectern 640\nroot:lectern 750\nlectern:lectern 700',
    )
    expect(await machine.get('getent', 'passwd', 'lectern')).toMatch(
      /:\/var\/lib\/lectern:\/usr\/sbin\/nologin$/,
    )
    expect(await machine.get('grep', '-cE', '^JwtSecret = [A-Za-z0-9+/]{43}=$', SETTINGS)).toBe('1')
    expect(await machine.get('dpkg', '--verify', 'lectern')).toBe('')
    for (const unit of UNITS) {
      expect((await machine.run('systemctl', 'is-enabled', unit)).output.trim()).toBe('disabled')
      expect((await machine.run('systemctl', 'is-active', unit)).output.trim()).toBe('inactive')
    }
  })

  it('has units that systemd accepts and sandboxes', async () => {
    const files = UNITS.map(unit => `/usr/lib/systemd/system/${unit}.service`)
    expect(await machine.get('systemd-analyze', 'verify', '--man=no', ...files, ...BACKUP)).toBe('')
    for (const unit of UNITS) {
      const report = await machine.get('systemd-analyze', 'security', '--no-pager', unit)
      const exposure = Number(/Overall exposure level.*: ([\d.]+)/.exec(report)?.[1])
      expect(exposure, report).toBeLessThan(EXPOSURE_MAX)
    }
  })

  it('runs the server in a sandbox as a user of its own, and serves a room', async () => {
    const announced = 's/^; AnnouncedAddress = .*/AnnouncedAddress = 127.0.0.1/'
    await machine.get('sed', '-i', `s/^; Enabled = 1$/Enabled = 1/; ${announced}`, SETTINGS)
    await machine.get('lectern', 'user', 'add', 'school-backend', '--kind', 'technical')
    const account = ['service-account', 'add', 'school', '--user', 'school-backend']
    const added = await machine.get('lectern', ...account, '--scope', 'integration:rooms', '--json')
    await machine.get('systemctl', 'enable', '--now', 'lectern')
    expect((await machine.http('/readyz')).status).toBe(200)

    const pid = await property('lectern', 'MainPID')
    expect(await machine.get('stat', '-c', '%U', `/proc/${pid}`)).toBe('lectern')
    const status = await machine.get('cat', `/proc/${pid}/status`, `/proc/${pid}/limits`)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(status).toMatch(/^CapBnd:\t0+400$/m)
    // No more than the machine of the test itself may have.
    const most = Math.min(65_536, Number(openFilesOf(await machine.get('cat', '/proc/1/limits'))))
    expect(await property('lectern', 'LimitNOFILE')).toBe('65536')
    expect(openFilesOf(status)).toBe(String(most))

    const { client_secret } = JSON.parse(added)
    token = await issueToken('school', client_secret)
    const teacher = { display_name: 'Anna' }
    const room = { title: 'Algebra', teacher, student: { display_name: 'Ben' } }
    const created = await machine.http('/api/v1/integration/rooms/lesson', {
      method: 'PUT',
      token,
      body: room,
    })
    expect(created.status).toBe(200)
    expect(await machine.http('/')).toMatchObject({ status: 200, text: expect.stringContaining('<html') })
    expect(await titleOfRoom()).toBe('Algebra')
  })

  it('installs everything that the doctor checks, with a working recorder, transcriber and converter', async () => {
    // Its checks have time limits, which a busy machine exceeds.
    await waitFor(
      async () => (await machine.run('lectern', 'doctor')).code === 0,
      'the doctor finds no error',
    )
    const running = await waitFor(async () => {
      const found = await processes()
      return (
        ['lectern recorder', 'lectern transcriber', 'lectern converter', 'mediasoup-worker'].every(name =>
          found.includes(name),
        ) && found
      )
    }, 'the workers run')
    expect(running).toContain('/usr/lib/lectern/bin/node')
    // Its sandbox runs in that of the unit.
    await waitFor(
      async () => (await machine.http('/api/v1.0/server_info')).text.includes('"slides_available":true'),
      'slides are accepted',
    )
  })

  it('makes a bundle for helpers with the log of the service', async () => {
    const bundle = '/tmp/bundle.tar.gz'
    await machine.run('lectern', 'doctor', '--bundle', bundle)
    expect(await machine.get('tar', '-xOzf', bundle, 'log.jsonl')).toContain('"msg":"worker ready"')
    await machine.get('rm', bundle)
  })

  it('runs a media node and workers as services of their own', async () => {
    const nats = machine.start('nats-server', '--addr', '127.0.0.1', '--port', '4222')
    await waitFor(() => nats.stderr.includes('Server is ready'), 'NATS is ready')
    await machine.get(
      'sed',
      '-i',
      's|^; JwtSecret = .*|JwtSecret = the secret of a cluster of one node|; s|^; Nats = .*|Nats = nats://127.0.0.1:4222|; s|^Port = 40000|Port = 41000|',
      NODE_SETTINGS,
    )
    await machine.get('systemctl', 'start', 'lectern-media-node')
    await isReady('/readyz', 8090)

    for (const [index, worker] of ['recorder', 'transcriber'].entries()) {
      const login = ['user', 'add', `${worker}-1`, '--kind', 'worker', '--capability', `jobs.${worker}`]
      const { password } = JSON.parse(await machine.get('lectern', ...login, '--json'))
      const port = 9100 + index
      const settings = `SVC_WORKER_URL=http://127.0.0.1:8080\nSVC_WORKER_LOGIN=${worker}-1\nSVC_WORKER_METRICS_PORT=${port}\n`
      await machine.get('sh', '-c', 'printf %s "$1" >> "$2"', 'sh', settings, `/etc/lectern/${worker}.env`)
      const file = `/etc/lectern/${worker}.password`
      await machine.get(
        'sh',
        '-c',
        'printf %s "$1" > "$2" && chown lectern: "$2" && chmod 400 "$2"',
        'sh',
        password,
        file,
      )
      await machine.get('systemctl', 'start', `lectern-${worker}`)
      await isReady('/healthz', port)
      expect(await property(`lectern-${worker}`, 'NRestarts')).toBe('0')
    }
  })

  it('restarts running services on an upgrade, and keeps data and settings', async () => {
    const before = await property('lectern', 'MainPID')
    const settings = await machine.get('cat', SETTINGS, NODE_SETTINGS)
    await apt('install', 'lectern')
    expect(await installedVersion()).toBe(versions.next)
    await isReady('/readyz')
    expect(await property('lectern', 'MainPID')).not.toBe(before)
    for (const unit of UNITS) expect(await property(unit, 'ActiveState')).toBe('active')
    expect(await machine.get('cat', SETTINGS, NODE_SETTINGS)).toBe(settings)
    expect(await titleOfRoom()).toBe('Algebra')
  })

  it('makes a backup as every night, which restores what was deleted', async () => {
    await machine.get('systemctl', 'start', 'lectern-backup.service')
    expect(await property('lectern-backup.service', 'Result')).toBe('success')
    const backup = `/var/backups/lectern/${await machine.get('ls', '/var/backups/lectern')}`
    expect(await machine.get('lectern', 'restore', backup, '--verify')).toContain(
      'compared with its checksums',
    )
    await machine.get('systemctl', 'stop', 'lectern')
    await machine.get('sh', '-c', 'rm -r /var/lib/lectern/*')
    await machine.get('lectern', 'restore', backup)
    await machine.get('systemctl', 'start', 'lectern')
    await isReady('/readyz')
    expect(await titleOfRoom()).toBe('Algebra')
  })

  it('stops gracefully, without an error', async () => {
    await machine.get('systemctl', 'stop', 'lectern')
    expect(await property('lectern', 'Result')).toBe('success')
    expect(await machine.get('journalctl', '-q', '-u', 'lectern', '-p', 'err')).toBe('')
  })

  it('keeps data and settings when it is removed', async () => {
    await apt('remove', 'lectern')
    expect(
      await machine.get(
        'sh',
        '-c',
        'ls /usr/bin/lectern /usr/lib/lectern /usr/share/doc/lectern 2>/dev/null; true',
      ),
    ).toBe('')
    expect(await processes()).toBe('')
    await machine.get('test', '-s', '/var/lib/lectern/lectern.db', '-a', '-s', SETTINGS)
  })

  it('leaves nothing but its user when it is purged', async () => {
    await apt('purge', 'lectern')
    // Backups outlive what they are of.
    const left =
      'find / -xdev -path /srv -prune -o -path /etc/apt -prune -o -path /var/log -prune -o -path /var/cache -prune -o -path /var/backups -prune -o -name "*lectern*" -print'
    expect(await machine.get('sh', '-c', left)).toBe('')
    expect(await machine.get('id', '-un', 'lectern')).toBe('lectern')
  })

  it('upgrades 0.1.0 with its settings and data', async () => {
    await apt('install', `lectern=${versions.released}`)
    const { jwt_secret, service_account, client_secret, room, recording } = releasedFacts
    await machine.get('sh', '-c', FILL_RELEASED, 'sh', jwt_secret, new URL(room.join_url).origin)
    await apt('install', 'lectern')
    expect(await installedVersion()).toBe(versions.next)
    await machine.get('systemctl', 'start', 'lectern')
    await isReady('/readyz')

    token = await issueToken(service_account, client_secret)
    const { text } = await machine.http(`/api/v1/integration/rooms/${room.external_id}`, { token })
    expect(JSON.parse(text)).toMatchObject(room)
    const { text: records } = await machine.http('/api/v1.0/recordings', { token })
    expect(records).toContain(recording.job_id)
    expect(await machine.get('journalctl', '-q', '-b', '-u', 'lectern', '-p', 'err')).toBe('')
  })

  it('says at once that a server does not start, and its log says why', async () => {
    await machine.get('systemctl', 'stop', 'lectern')
    const settings = await machine.get('cat', SETTINGS)
    await machine.writeFile(SETTINGS, settings.replace('Port = 40000', 'Port = forty thousand'))
    const { code, output } = await machine.run('systemctl', 'start', 'lectern')
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('Job for lectern.service failed'),
    })
    expect(await machine.get('journalctl', '-q', '-u', 'lectern')).toContain('[Media] Port')
  })
})

const NODE_SETTINGS = '/etc/lectern/media-node.ini'

async function issueToken(service_account: string, client_secret: string): Promise<string> {
  const body = { service_account, client_secret }
  const { text } = await machine.http('/api/v1/integration/auth/token', { method: 'POST', body })
  return JSON.parse(text).access_token
}

async function titleOfRoom(): Promise<string> {
  const { text } = await machine.http('/api/v1/integration/rooms/lesson', { token })
  return JSON.parse(text).title
}

/** The hard limit. */
const openFilesOf = (limits: string) => /^Max open files +\d+ +(\d+)/m.exec(limits)?.[1]

/** The command lines of the service's user. */
const processes = () =>
  machine.get(
    'sh',
    '-c',
    'for process in $(find /proc -maxdepth 1 -user lectern); do tr "\\0" " " < $process/cmdline; echo; done',
  )
