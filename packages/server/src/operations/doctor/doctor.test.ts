import { once } from 'node:events'
import { chmodSync, mkdirSync, utimesSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkMediaWorker } from '../../media/check.ts'
import type { Config } from '../../platform/config/index.ts'
import type { ScanFinding } from './check.ts'
import type { Probes } from './index.ts'
import { findProgram } from './programs.ts'
import { DATA_IN_FOLDER, DEPLOYMENT, database, LOOPBACK_ONLY, useDoctor } from './testing/diagnosis.ts'
import { acceptsSlides } from './workers.ts'

const { own, writeFile, diagnose, withStores } = useDoctor()
const TURN = { SVC_TURN_URLS: 'turn:127.0.0.1:9', SVC_TURN_SECRET: 'y' }
const FORMER_SECRET = { SVC_SERVER_ACCEPTED_JWT_SECRETS: 'x'.repeat(32) }
const person = { login: 'anna', disabledAt: null, capabilities: [] }

describe('the doctor', () => {
  it('lists recordings that are not uploaded yet', async () => {
    const jobs = join(own.folder, 'recorder', 'jobs')
    const work = async () => (await diagnose(DATA_IN_FOLDER)).find('recorder')
    expect(await work()).toMatchObject({ status: 'ok', says: 'No pending uploads.' })
    mkdirSync(join(jobs, 'job_new'), { recursive: true })
    expect(await work()).toMatchObject({ status: 'ok', says: 'Recording or uploading: job_new' })
    mkdirSync(join(jobs, 'job_old'))
    utimesSync(join(jobs, 'job_old'), 1_000, 1_000)
    expect(await work()).toMatchObject({ status: 'warn', says: expect.stringContaining('job_old') })
  })

  it('says how old the newest backup is', async () => {
    const day = 86_400_000
    const of = async (newestBackupMs: number | null, createdAt: number, env = {}) => {
      const records = withStores({ users: [{ ...person, createdAt: createdAt / 1000 }], newestBackupMs })
      return (await diagnose({ ...DATA_IN_FOLDER, ...env }, records)).find('backup')
    }
    const now = Date.now()
    expect(await of(null, now)).toMatchObject({ status: 'ok', says: 'None yet.' })
    expect(await of(null, now - 3 * day)).toMatchObject({ status: 'warn', says: 'There is no backup.' })
    expect(await of(now - day, now - 3 * day)).toMatchObject({ status: 'ok' })
    expect(await of(now - 3 * day, now - 9 * day)).toMatchObject({
      status: 'warn',
      says: `The newest one is from ${new Date(now - 3 * day).toISOString()}.`,
    })
    const postgres = { SVC_DB_URL: 'postgres://127.0.0.1:9/lectern' }
    expect(await of(null, now - 3 * day, postgres)).toMatchObject({ status: 'ok' })
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
    expect((await diagnose()).find('single sign-on')).toMatchObject({ status: 'ok', says: 'Not configured.' })
    expect((await diagnose(env)).find('single sign-on')).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/redirect address is https?:.*\/sign-in\/callback/),
    })
    const failing = await diagnose(env, { checkIssuer: async () => 'TypeError ECONNREFUSED' })
    expect(failing.find('single sign-on')).toMatchObject({
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
    expect((await diagnose(env as Record<string, string>)).find(name)).toMatchObject({ status })
  })

  it.each([
    ['ok', 'In a sandbox, office documents too.', null],
    ['warn', 'Slides cannot be office documents: There is no LibreOffice.', 'There is no LibreOffice.'],
  ])('reports office documents as %s: %s', async (status, says, fault) => {
    const env = { SVC_CONVERTER_OFFICE: '1' }
    const report = await diagnose(env, { checkOffice: async () => fault })
    expect(report.find('converter')).toMatchObject({ status, says })
  })

  it('asks the running server whether it has a converter', async () => {
    let isStarted = false
    const running = createServer((_request, response) =>
      response.end(JSON.stringify({ deployment_id: DEPLOYMENT, slides_available: isStarted })),
    ).listen(0, '127.0.0.1')
    await once(running, 'listening')
    const { port } = running.address() as AddressInfo
    const Server = { Host: '127.0.0.1', Port: port, TlsCert: '' } as Config['Server']
    expect(await acceptsSlides({ Server }, 0)).toBe(false)
    isStarted = true
    expect(await acceptsSlides({ Server }, 0)).toBe(true)
    const env = { SVC_SERVER_HOST: '127.0.0.1', SVC_SERVER_PORT: String(port) }
    expect((await diagnose(env)).find('converter')).toMatchObject({ status: 'ok', says: 'In a sandbox.' })
    running.close()
  })

  it('reports whether the bucket of files can be used', async () => {
    const env = {
      SVC_STORAGE_URL: 's3://lessons/files',
      SVC_STORAGE_S3_ACCESS_KEY_ID: 'id',
      SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'a secret',
    }
    expect((await diagnose(env)).find('storage')).toMatchObject({ status: 'ok', says: 's3://lessons/files' })
    const report = await diagnose(env, { checkBucket: async () => 'the bucket does not exist' })
    expect(report.find('storage')).toMatchObject({
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
    expect(report.find('clamd')).toMatchObject({ status, says: expect.stringContaining(says) })
  })

  it('reports a clock that is behind', async () => {
    const users = [{ ...person, createdAt: Math.floor(Date.now() / 1000) + 3600 }]
    expect((await diagnose(DATA_IN_FOLDER, withStores({ users }))).find('clock')).toMatchObject({
      status: 'fail',
    })
    const now = [{ ...person, createdAt: Math.floor(Date.now() / 1000) + 5 }]
    expect((await diagnose(DATA_IN_FOLDER, withStores({ users: now }))).find('clock')?.status).not.toBe(
      'fail',
    )
  })

  it('compares the clock with those of the identity provider and the database', async () => {
    const provider = createServer((_request, response) =>
      response.setHeader('Date', new Date(Date.now() - 600_000).toUTCString()).end(),
    ).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    const Oidc = {
      SVC_OIDC_ISSUER: issuer,
      SVC_OIDC_CLIENT_ID: 'x',
      SVC_OIDC_ALLOW_INSECURE_ISSUER: '1',
    }
    const ahead = (await diagnose(Oidc)).find('clock')
    provider.close()
    expect(ahead).toMatchObject({ status: 'fail', says: expect.stringContaining(`ahead of ${issuer}.`) })

    const Db = { SVC_DB_URL: 'postgres://127.0.0.1/lectern' }
    const withClock = async (clockAheadMs: number) =>
      (await diagnose(Db, { inspectDatabase: async () => ({ ...database, clockAheadMs }) })).find('clock')
    expect(await withClock(75_000)).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('75 s behind the database'),
    })
    expect((await withClock(-900))?.says).toContain('agrees with the database')
  })

  it('reports a program that cannot be started', async () => {
    const path = process.env.PATH
    chmodSync(writeFile('ffmpeg', '#!/bin/sh\nexit 1\n'), 0o755)
    process.env.PATH = own.folder
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
    process.env.PATH = `${own.folder}:${path}`
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
      expect((await examine(env as Record<string, string>)).find(name)).toMatchObject({ status })
    })

    it('reports NATS servers that cannot be used, or that everybody can use', async () => {
      const failing = (...hosts: string[]) => ({
        checkNats: () => async (address: { host: string; label: string }) =>
          hosts.includes(address.host) ? `${address.label} ECONNREFUSED` : null,
      })
      expect((await examine({}, failing('10.0.0.3'))).find('NATS')).toMatchObject({
        status: 'warn',
        says: 'Cannot be used: nats://10.0.0.3:4222 ECONNREFUSED.',
      })
      expect((await examine({}, failing('10.0.0.2', '10.0.0.3'))).find('NATS')).toMatchObject({
        status: 'fail',
      })
      // Messages between servers are signed, but not encrypted.
      for (const [addresses, status] of [
        ['nats://10.0.0.2 nats://anna:secret@10.0.0.3', 'warn'],
        ['nats://anna:secret@10.0.0.2 tls://token@10.0.0.3', 'ok'],
        ['nats://127.0.0.1 nats://localhost:4223', 'ok'],
      ] as const)
        expect((await examine({ SVC_CLUSTER_NATS: addresses }, failing())).find('NATS')).toMatchObject({
          status,
          says:
            status === 'warn' ? expect.stringMatching(/^nats:\/\/10.0.0.2:4222 used/) : expect.any(String),
        })
      expect((await diagnose()).find('NATS')).toMatchObject({
        status: 'ok',
        says: 'Not used: there is no cluster.',
      })
    })
  })

  it('reports a media worker that does not start, instead of throwing', async () => {
    const checkBroken = () => Promise.reject(new Error('spawn ENOENT'))
    const found = await diagnose({}, { checkMediaWorker: checkBroken })
    expect(found.find('media worker')).toMatchObject({
      status: 'fail',
      says: 'Cannot be started: spawn ENOENT.',
    })
    expect(found.ok).toBe(false)
  })

  it('starts and stops a real media worker', async () => {
    expect(await checkMediaWorker()).toMatch(/^3\.\d+\.\d+$/)
  })
})
