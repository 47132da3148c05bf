import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkMediaWorker } from '../../media/check.ts'
import { turnCredentials } from '../../media/turn.ts'
import type { DatabaseState, Records, ScanFinding } from './check.ts'
import { findingFor } from './disk.ts'
import { type Probes, runChecks } from './index.ts'
import { findProgram } from './programs.ts'
import { certificate, otherKey, privateKey } from './testing.ts'

const VALID = {
  SVC_SERVER_JWT_SECRET: 'x'.repeat(32),
  SVC_SERVER_PORT: '0',
  SVC_INTEGRATION_ENABLED: '1',
  SVC_INTEGRATION_PUBLIC_URL: 'https://meet.example.org',
  SVC_MEDIA_LISTEN_IP: '0.0.0.0',
  SVC_MEDIA_ANNOUNCED_ADDRESS: '203.0.113.7',
}

const DEPLOYMENT = 'd.ours'
const TURN = { SVC_TURN_URLS: 'turn:127.0.0.1:9', SVC_TURN_SECRET: 'y' }

const FORMER_SECRET = { SVC_SERVER_ACCEPTED_JWT_SECRETS: 'x'.repeat(32) }
const LOOPBACK_ONLY = {
  SVC_INTEGRATION_PUBLIC_URL: '',
  SVC_MEDIA_LISTEN_IP: '127.0.0.1',
  SVC_MEDIA_ANNOUNCED_ADDRESS: '',
}

const { PATH } = process.env
/** ffmpeg and ffprobe take 0.1 s each to say their version, in every diagnosis. `findProgram` runs the real ones below. */
const programs = mkdtempSync(join(tmpdir(), 'lectern-programs-'))
for (const name of ['ffmpeg', 'ffprobe'])
  writeFileSync(join(programs, name), '#!/bin/sh\necho "version 5.1"\n', { mode: 0o755 })
afterAll(() => rmSync(programs, { recursive: true }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-doctor-'))
  writeFileSync(join(folder, 'lectern.ini'), '', { mode: 0o600 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const writeFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const database: DatabaseState = {
  version: 150_018,
  versionName: '15.18',
  encoding: 'UTF8',
  hasUnicodeCollation: true,
  isReadOnly: false,
  maxConnections: 100,
  hasStores: true,
}

const person = { login: 'anna', disabledAt: null, capabilities: [] }
const none: Records = { users: [], serviceAccounts: [] }

async function diagnose(
  env: Record<string, string> = {},
  probes: Partial<Probes> = {},
  program: 'server' | 'media-node' = 'server',
) {
  vi.stubEnv('PATH', `${programs}:${PATH}`)
  const { ok, checks } = await runChecks(
    join(folder, 'lectern.ini'),
    { ...VALID, ...env },
    {
      readRecords: async () => none,
      checkMediaWorker: async () => '3',
      checkIssuer: async () => null,
      checkNats: () => async () => null,
      checkBucket: async () => null,
      inspectDatabase: async () => database,
      deploymentId: () => DEPLOYMENT,
      checkMail: async () => null,
      scan: async () => ({ is: 'clean' }),
      checkOffice: async () => null,
      turnServers: ({ Turn }) => ({ urls: Turn.Urls, secret: Turn.Secret, isEmbedded: Turn.Embedded }),
      turnCredentials: secret => turnCredentials(secret, 'doctor', 4_000_000_000),
      ...probes,
    },
    program,
  )
  return { ok, checks, of: (name: string) => checks.find(check => check.name === name) }
}

/** Creates a database file; reading it returns these records. */
function withStores(records: Partial<Records>): Partial<Probes> {
  writeFile('lectern.db', '')
  return { readRecords: async () => ({ ...none, ...records }) }
}
const DATA_IN_FOLDER = { SVC_SERVER_DATA_DIR: '.' }

describe('the doctor', () => {
  it('lists recordings that are not uploaded yet', async () => {
    const jobs = join(folder, 'recorder', 'jobs')
    const work = async () => (await diagnose(DATA_IN_FOLDER)).of('recorder')
    expect(await work()).toMatchObject({ status: 'ok', says: 'No pending uploads.' })
    mkdirSync(join(jobs, 'job_new'), { recursive: true })
    expect(await work()).toMatchObject({ status: 'ok', says: 'Recording or uploading: job_new' })
    mkdirSync(join(jobs, 'job_old'))
    utimesSync(join(jobs, 'job_old'), 1_000, 1_000)
    expect(await work()).toMatchObject({ status: 'warn', says: expect.stringContaining('job_old') })
  })

  it('reports no problem for a valid configuration', async () => {
    const { ok, checks } = await diagnose()
    const problems = checks.filter(({ status }) => status !== 'ok').map(({ name }) => name)
    expect(problems.filter(name => !['clock', 'disk space', 'TURN'].includes(name))).toEqual([])
    expect(ok).toBe(true)
  })

  it('says how to fix every warning and failure', async () => {
    const { checks } = await diagnose({
      SVC_SERVER_JWT_SECRET: '',
      SVC_TURN_URLS: '',
      SVC_INTEGRATION_PUBLIC_URL: '',
    })
    const problems = checks.filter(({ status }) => status !== 'ok')
    expect(problems.length).toBeGreaterThan(2)
    for (const check of problems) expect(check).toHaveProperty('todo', expect.stringMatching(/\.$/))
  })

  it('names the redirect address of the identity provider, or why the provider cannot be used', async () => {
    const env = { SVC_OIDC_ISSUER: 'https://login.example.org', SVC_OIDC_CLIENT_ID: 'lectern' }
    expect((await diagnose()).of('single sign-on')).toMatchObject({ status: 'ok', says: 'Not configured.' })
    expect((await diagnose(env)).of('single sign-on')).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/redirect address is https?:.*\/sign-in\/callback/),
    })
    const failing = await diagnose(env, { checkIssuer: async () => 'TypeError ECONNREFUSED' })
    expect(failing.of('single sign-on')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('reports an invalid configuration, and still checks the machine', async () => {
    const file = writeFile('lectern.ini', '[Server]\nPrt = 1\n')
    const { ok, checks } = await diagnose()
    expect(ok).toBe(false)
    expect(checks[0]).toMatchObject({
      status: 'fail',
      says: expect.stringContaining(`${file}:2: unknown key Prt`),
    })
    expect(checks.map(({ name }) => name)).toEqual([
      'config',
      'media worker',
      'ffmpeg',
      'ffprobe',
      'web pages',
    ])
  })

  it.each([
    ['JwtSecret', 'fail', { SVC_SERVER_JWT_SECRET: '' }],
    ['JwtSecret', 'ok', { ...FORMER_SECRET, SVC_SERVER_ACCEPTED_JWT_SECRETS_UNTIL: '2999-01-01T00:00Z' }],
    ['JwtSecret', 'warn', { ...FORMER_SECRET, SVC_SERVER_ACCEPTED_JWT_SECRETS_UNTIL: '2026-01-01T00:00Z' }],
    ['config', 'fail', { SVC_SERVER_JWT_SECRET: 'x'.repeat(31) }],
    ['config', 'fail', { SVC_INTEGRATION_PUBLIC_URL: 'https://meet.example.org/meet' }],
    ['PublicUrl', 'warn', { SVC_INTEGRATION_PUBLIC_URL: '' }],
    ['PublicUrl', 'warn', { SVC_INTEGRATION_PUBLIC_URL: '', SVC_INTEGRATION_ENABLED: '0' }],
    ['PublicUrl', 'ok', { SVC_INTEGRATION_PUBLIC_URL: 'http://127.0.0.1:8080' }],
    ['PublicUrl', 'ok', { SVC_INTEGRATION_PUBLIC_URL: 'http://[::1]:8080' }],
    ['PublicUrl', 'fail', { SVC_INTEGRATION_PUBLIC_URL: 'http://meet.example.org' }],
    ['PublicUrl', 'fail', { SVC_INTEGRATION_PUBLIC_URL: 'http://127.0.0.1.example.org' }],
    ['media address', 'fail', { SVC_MEDIA_ANNOUNCED_ADDRESS: '' }],
    ['media address', 'fail', { SVC_MEDIA_ANNOUNCED_ADDRESS: '127.0.0.1' }],
    ['media address', 'fail', { SVC_MEDIA_LISTEN_IP: '127.0.0.1' }],
    ['media address', 'fail', { ...LOOPBACK_ONLY, SVC_SERVER_HOST: '0.0.0.0' }],
    [
      'media address',
      'ok',
      { ...LOOPBACK_ONLY, SVC_MEDIA_ANNOUNCED_ADDRESS: '203.0.113.7', SVC_MEDIA_LISTEN_IP: '0.0.0.0' },
    ],
    ['media address', 'warn', { ...LOOPBACK_ONLY, SVC_MEDIA_LISTEN_ON_HOST_ADDRESS: '0' }],
    ['TURN', 'warn', { SVC_TURN_URLS: '' }],
    ['TURN', 'fail', { ...TURN, SVC_TURN_SECRET: '' }],
    ['TURN', 'fail', { ...TURN, SVC_TURN_URLS: 'turn:127.0.0.1:9?transport=tcp' }],
    ['TURN', 'fail', { ...TURN, SVC_TURN_URLS: 'turns:turn.invalid' }],
    ['development settings', 'ok', {}],
    ['development settings', 'warn', { SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1' }],
    ['development settings', 'warn', { SVC_LTI_ALLOW_INSECURE_PLATFORMS: '1' }],
    ['service accounts', 'ok', { SVC_INTEGRATION_ENABLED: '0' }],
    ['storage', 'fail', { SVC_STORAGE_URL: '/proc/blobs' }],
    ['recorder', 'ok', { SVC_RECORDER_EMBEDDED: '0' }],
    ['transcriber', 'ok', { SVC_TRANSCRIBER_EMBEDDED: '0' }],
    ['converter', 'ok', { SVC_CONVERTER_EMBEDDED: '0' }],
    ['transcriber', 'warn', { SVC_TRANSCRIBER_MODEL_DIR: 'missing' }],
  ])('reports %s as %s with %o', async (name, status, env) => {
    expect((await diagnose(env as Record<string, string>)).of(name)).toMatchObject({ status })
  })

  it.each([
    ['ok', 'In a sandbox, office documents too.', null],
    ['warn', 'Slides cannot be office documents: There is no LibreOffice.', 'There is no LibreOffice.'],
  ])('reports office documents as %s: %s', async (status, says, fault) => {
    const env = { SVC_CONVERTER_OFFICE: '1' }
    const report = await diagnose(env, { checkOffice: async () => fault })
    expect(report.of('converter')).toMatchObject({ status, says })
  })

  it('reports whether the bucket of files can be used', async () => {
    const env = {
      SVC_STORAGE_URL: 's3://lessons/files',
      SVC_STORAGE_S3_ACCESS_KEY_ID: 'id',
      SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'a secret',
    }
    expect((await diagnose(env)).of('storage')).toMatchObject({ status: 'ok', says: 's3://lessons/files' })
    const report = await diagnose(env, { checkBucket: async () => 'the bucket does not exist' })
    expect(report.of('storage')).toMatchObject({
      status: 'fail',
      says: 's3://lessons/files cannot be used: the bucket does not exist.',
    })
  })

  it.each<[string, string, (size: number) => ScanFinding]>([
    [
      'ok',
      'finds Eicar-Test',
      size => (size > 100 ? { is: 'clean' } : { is: 'infected', signature: 'Eicar-Test' }),
    ],
    ['fail', 'does not find the EICAR test file', () => ({ is: 'clean' })],
    [
      'fail',
      'does not scan files of 50 MB',
      size => (size > 100 ? { is: 'too-large' } : { is: 'infected', signature: 'Eicar-Test' }),
    ],
    [
      'fail',
      'connection refused',
      () => {
        throw new Error('connection refused')
      },
    ],
  ])('reports clamd as %s that %s', async (status, says, resultOf) => {
    const env = { SVC_FILES_CLAMD: 'scanner.example:3310' }
    const report = await diagnose(env, { scan: async (_address, bytes) => resultOf(bytes.length) })
    expect(report.of('clamd')).toMatchObject({ status, says: expect.stringContaining(says) })
  })

  it.each([
    [0o600, 'ok'],
    [0o640, 'ok'],
    [0o644, 'warn'],
    [0o660, 'warn'],
  ])('reports a configuration file of mode %o as %s', async (mode, status) => {
    chmodSync(join(folder, 'lectern.ini'), mode)
    expect((await diagnose()).of('config')).toMatchObject({ status })
  })

  it('says how to protect a data folder that other users can access', async () => {
    expect((await diagnose(DATA_IN_FOLDER)).of('data folder')).toMatchObject({ status: 'ok' })
    chmodSync(folder, 0o755)
    expect((await diagnose(DATA_IN_FOLDER)).of('data folder')).toMatchObject({
      status: 'warn',
      todo: `Run: chmod -R go= ${folder}.`,
    })
  })

  it.each(['recorder', 'transcriber', 'converter'] as const)(
    'finds that the account of the embedded %s was disabled, or has lost its capability',
    async name => {
      const account = { createdAt: 0, login: `${name}-embedded`, disabledAt: null, capabilities: [] }
      const of = async (changes: Partial<Records['users'][number]>) =>
        (await diagnose(DATA_IN_FOLDER, withStores({ users: [{ ...account, ...changes }] }))).of(name)
      const capabilities = [`jobs.${name}` as const]
      expect(await of({})).toMatchObject({
        status: 'fail',
        todo: `Run: lectern user set ${name}-embedded --capability jobs.${name}.`,
      })
      expect(await of({ capabilities, disabledAt: 1 })).toMatchObject({
        status: 'fail',
        todo: expect.stringContaining('--enable'),
      })
      expect((await of({ capabilities }))?.status).not.toBe('fail')
    },
  )

  it('lets the group of a proxy read the files that it sends, and nobody else', async () => {
    const files = join(folder, 'files')
    mkdirSync(files)
    const settings = { SVC_STORAGE_SENDFILE_HEADER: 'X-Accel-Redirect', SVC_SERVER_TRUST_PROXY: 'loopback' }
    const of = async (mode: number, env: Record<string, string>) => {
      chmodSync(files, mode)
      return (await diagnose({ ...DATA_IN_FOLDER, SVC_STORAGE_URL: files, ...env })).of('data folder')
    }
    expect(await of(0o2750, settings)).toMatchObject({ status: 'ok' })
    expect(await of(0o2750, {})).toMatchObject({ status: 'warn', todo: `Run: chmod -R go= ${files}.` })
    expect(await of(0o2775, settings)).toMatchObject({ todo: `Run: chmod -R g-w,o= ${files}.` })
  })

  it('names the service accounts with a plain-text secret', async () => {
    const account = { createdAt: 0, secretHash: 'hmac-sha256:x' }
    const serviceAccounts = [
      { ...account, name: 'a', secretHash: 'plain:x' },
      { ...account, name: 'b' },
      { ...account, name: 'c', secretHash: 'hmac-sha256:x 1900000000 plain:y' },
    ]
    const found = await diagnose(DATA_IN_FOLDER, withStores({ serviceAccounts }))
    expect(found.of('service accounts')).toMatchObject({
      status: 'warn',
      says: 'Secrets stored in plain text: a, c.',
      todo: 'Replace each secret: lectern service-account rotate NAME --now.',
    })
    const hashed = await diagnose(
      DATA_IN_FOLDER,
      withStores({ serviceAccounts: [{ ...account, name: 'b' }] }),
    )
    expect(hashed.of('service accounts')).toMatchObject({ status: 'ok' })
  })

  it('does not create databases before the first start', async () => {
    const readRecords = vi.fn(async () => none)
    expect((await diagnose({}, { readRecords })).of('stores')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('Created at the first start'),
    })
    expect(readRecords).not.toHaveBeenCalled()
  })

  it('reports databases that cannot be opened or written', async () => {
    const broken = {
      ...withStores({}),
      readRecords: () => Promise.reject(new Error('file is not a database')),
    }
    const found = await diagnose(DATA_IN_FOLDER, broken)
    expect(found.of('stores')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('not a database'),
    })
    expect(found.of('service accounts')).toMatchObject({ status: 'warn' })

    const blocked = await diagnose({ SVC_SERVER_DATA_DIR: join(writeFile('file', ''), 'data') })
    expect(blocked.of('stores')).toMatchObject({ status: 'fail', says: expect.stringContaining('ENOTDIR') })
  })

  it('checks a PostgreSQL database, and shows no password', async () => {
    const env = { SVC_DB_URL: 'postgres://lectern:geheim@db.example:5433/school' }
    const of = async (state: Partial<DatabaseState>, maxConnections = '10') => {
      const settings = { ...env, SVC_DB_MAX_CONNECTIONS: maxConnections, SVC_INTEGRATION_ENABLED: '1' }
      const inspectDatabase = async () => ({ ...database, ...state })
      return (await diagnose(settings, { inspectDatabase })).of('stores')
    }
    expect(await of({})).toEqual({
      name: 'stores',
      status: 'ok',
      says: 'PostgreSQL at db.example:5433/school, version 15.18',
    })
    expect(await of({ hasStores: false })).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('created at the first start'),
    })
    expect(await of({ version: 130_011, versionName: '13.11' })).toMatchObject({ status: 'fail' })
    const latin = {
      inspectDatabase: async () => ({ ...database, encoding: 'LATIN1' }),
      readRecords: () => Promise.reject(new Error('refused, as at the start')),
    }
    expect((await diagnose(env, latin)).of('stores')).toMatchObject({
      status: 'fail',
      todo: 'Create the database with ENCODING UTF8.',
    })
    expect(await of({ isReadOnly: true })).toMatchObject({ status: 'fail' })
    expect(await of({ hasUnicodeCollation: false })).toMatchObject({ status: 'warn' })
    expect(await of({}, '60')).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('may need 133'),
    })

    const refused = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5433'))
    const report = await diagnose(env, { inspectDatabase: refused })
    expect(report.of('stores')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('ECONNREFUSED'),
    })
    expect(report.of('service accounts')).toMatchObject({ status: 'warn' })
    expect(JSON.stringify(report)).not.toContain('geheim')
  })

  it('reports a clock that is behind', async () => {
    const users = [{ ...person, createdAt: Math.floor(Date.now() / 1000) + 3600 }]
    expect((await diagnose(DATA_IN_FOLDER, withStores({ users }))).of('clock')).toMatchObject({
      status: 'fail',
    })
    const now = [{ ...person, createdAt: Math.floor(Date.now() / 1000) + 5 }]
    expect((await diagnose(DATA_IN_FOLDER, withStores({ users: now }))).of('clock')?.status).not.toBe('fail')
  })

  it.each([
    [6e9, 'ok'],
    [4.9e9, 'warn'],
    [499e6, 'fail'],
  ])('reports %d free bytes as %s', (free, status) => {
    expect(findingFor({ free, folder: 'here', key: '[Server] DataDir' })).toMatchObject({ status })
  })

  it('distinguishes a free port, one of our server and one of another program', async () => {
    const port = async (answer: string) => {
      const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const env = { SVC_SERVER_PORT: String((server.address() as AddressInfo).port) }
      const taken = (await diagnose(env)).of('port')
      server.close()
      await once(server, 'close')
      return { taken, free: (await diagnose(env)).of('port') }
    }
    const ours = await port(`{"result":200,"deployment_id":"${DEPLOYMENT}"}`)
    expect(ours.taken).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('The server is listening on'),
    })
    expect(ours.free).toMatchObject({ status: 'ok', says: expect.stringContaining('is free') })
    expect((await port('{"status":"ok","deployment_id":"d.theirs"}')).taken).toMatchObject({ status: 'fail' })
    expect((await port('hello')).taken).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('another program'),
    })
    expect((await diagnose({ SVC_SERVER_HOST: '192.0.2.1', SVC_SERVER_PORT: '9' })).of('port')).toMatchObject(
      {
        status: 'fail',
      },
    )
  })

  it.each(['udp', 'tcp'])('reports a media port that another program has: %s', async protocol => {
    const other =
      protocol === 'udp' ? createSocket('udp4').bind(0, '127.0.0.1') : createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const Media = { ...LOOPBACK_ONLY, SVC_MEDIA_PORT: String(port), SVC_MEDIA_WORKERS: '1' }
    const report = await diagnose({ ...Media, SVC_SERVER_HOST: '127.0.0.1' })
    other.close()
    expect(report.of('media address')).toMatchObject({
      status: 'fail',
      says: `Media port 127.0.0.1:${port} is in use by another program.`,
    })
  })

  it('names the disk of the recordings, if that is the fuller one', async () => {
    // The file system of processes has no space.
    const found = await diagnose({ ...DATA_IN_FOLDER, SVC_STORAGE_URL: '/proc/recordings' })
    expect(found.of('disk space')).toMatchObject({
      status: 'fail',
      says: '0.0 GB free in /proc/recordings',
      todo: expect.stringContaining('[Storage] Url'),
    })
  })

  it('checks that certificate and key are readable, match and are valid', async () => {
    const cert = writeFile('cert.pem', certificate)
    const tls = async (key: string, host = 'test', proxy = '') => {
      const settings = { SVC_SERVER_TLS_CERT: cert, SVC_SERVER_TLS_KEY: key, SVC_SERVER_TRUST_PROXY: proxy }
      const found = await diagnose({ ...settings, SVC_INTEGRATION_PUBLIC_URL: `https://${host}` })
      return found.of('TLS')
    }
    const key = writeFile('key.pem', privateKey)
    expect(await tls(key)).toMatchObject({ status: 'ok' })
    expect(await tls(join(folder, 'none.pem'))).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('ENOENT'),
    })
    expect(await tls(writeFile('other.pem', otherKey))).toMatchObject({ status: 'fail' })
    expect(await tls(key, 'meet.example.org')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('not for meet.example.org'),
    })
    expect(await tls(key, '203.0.113.7')).toMatchObject({ status: 'fail' })
    expect(await tls(key, 'meet.example.org', 'loopback')).toMatchObject({ status: 'ok' })

    const start = Date.parse(new X509Certificate(certificate).validFrom)
    vi.useFakeTimers({ toFake: ['Date'], now: start - 60_000 })
    expect(await tls(key)).toMatchObject({ status: 'fail', says: expect.stringContaining('valid from 2026') })
    vi.useRealTimers()
    const end = Date.parse(new X509Certificate(certificate).validTo)
    vi.useFakeTimers({ toFake: ['Date'], now: end - 3 * 86_400_000 })
    expect(await tls(key)).toMatchObject({ status: 'warn', says: expect.stringContaining('3 days') })
    vi.setSystemTime(end + 1000)
    expect(await tls(key)).toMatchObject({ status: 'fail', says: expect.stringContaining('expired') })
  })

  it('reports a program that cannot be started', async () => {
    const path = process.env.PATH
    chmodSync(writeFile('ffmpeg', '#!/bin/sh\nexit 1\n'), 0o755)
    process.env.PATH = folder
    const [broken, missing] = [await findProgram('ffmpeg'), await findProgram('ffprobe')]
    process.env.PATH = path
    expect(broken).toMatchObject({ status: 'fail', says: expect.stringContaining('Cannot be started') })
    expect(missing).toMatchObject({ status: 'fail', says: expect.stringContaining('missing') })
    for (const name of ['ffmpeg', 'ffprobe'] as const)
      expect(await findProgram(name)).toMatchObject({ status: 'ok', says: expect.stringMatching(/^\d/) })
  })

  it('warns about a program that does not respond, and does not report it as missing', async () => {
    const path = process.env.PATH
    chmodSync(writeFile('ffmpeg', '#!/bin/sh\nexec sleep 60\n'), 0o755)
    process.env.PATH = `${folder}:${path}`
    const slow = await findProgram('ffmpeg', 100)
    process.env.PATH = path
    expect(slow).toMatchObject({ status: 'warn', says: 'Does not report its version within 0.1 s.' })
  })

  describe('of a media node', () => {
    const NODE = { SVC_CLUSTER_NATS: 'nats://10.0.0.2 nats://10.0.0.3', SVC_MEDIA_NODE_PORT: '0' }
    const examine = (env: Record<string, string> = {}, probes: Partial<Probes> = {}) =>
      diagnose({ ...NODE, ...env }, probes, 'media-node')

    it('checks what it needs, and nothing else', async () => {
      const { ok, checks } = await examine()
      expect(checks.map(({ name }) => name)).toEqual([
        'config',
        'port',
        'NATS',
        'media address',
        'media worker',
      ])
      expect(ok).toBe(true)
      expect((await examine({ SVC_CLUSTER_NATS: '' })).checks[0]).toMatchObject({
        says: '[Cluster] Nats is missing: a media node serves the servers of a cluster',
      })
    })

    it.each([
      ['media address', 'fail', { SVC_MEDIA_ANNOUNCED_ADDRESS: '' }],
      ['media address', 'fail', { SVC_MEDIA_ANNOUNCED_ADDRESS: '127.0.0.1' }],
      ['media address', 'fail', { SVC_MEDIA_LISTEN_IP: '127.0.0.1' }],
      ['media address', 'ok', {}],
      ['port', 'fail', { SVC_MEDIA_NODE_PORT: '9', SVC_MEDIA_NODE_HOST: '192.0.2.1' }],
    ])('reports %s as %s with %o', async (name, status, env) => {
      expect((await examine(env as Record<string, string>)).of(name)).toMatchObject({ status })
    })

    it('reports NATS servers that cannot be used', async () => {
      const failing = (...hosts: string[]) => ({
        checkNats: () => async (address: { host: string; label: string }) =>
          hosts.includes(address.host) ? `${address.label} ECONNREFUSED` : null,
      })
      expect((await examine({}, failing('10.0.0.3'))).of('NATS')).toMatchObject({
        status: 'warn',
        says: 'Cannot be used: nats://10.0.0.3:4222 ECONNREFUSED.',
      })
      expect((await examine({}, failing('10.0.0.2', '10.0.0.3'))).of('NATS')).toMatchObject({
        status: 'fail',
      })
      expect((await diagnose()).of('NATS')).toMatchObject({
        status: 'ok',
        says: 'Not used: there is no cluster.',
      })
    })
  })

  it('reports a media worker that does not start, instead of throwing', async () => {
    const checkBroken = () => Promise.reject(new Error('spawn ENOENT'))
    const found = await diagnose({}, { checkMediaWorker: checkBroken })
    expect(found.of('media worker')).toMatchObject({
      status: 'fail',
      says: 'Cannot be started: spawn ENOENT.',
    })
    expect(found.ok).toBe(false)
  })

  it('starts and stops a real media worker', async () => {
    expect(await checkMediaWorker()).toMatch(/^3\.\d+\.\d+$/)
  })
})
