import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@lectern/server/testing'
import { describe, expect, it } from 'vitest'
import { INI, send, useLectern } from '../testing.ts'

const { makeFolder, run, launch, here } = useLectern()
const listed = (text: string, name: string) => text.split('\n').find(line => line.includes(name))

/** Those of the configuration. */
const SECRETS = [
  'Zm9yIHRoZSBqd3Qgc2VjcmV0IG9mIHRlc3Rz',
  'a-metrics-token',
  'the-turn-secret',
  'the-native-sender-secret-of-32-characters',
  'hooks.example.org/private-path',
  'operator@example.org',
]
const [JWT, METRICS, TURN, NATIVE, PATH, MAIL] = SECRETS
const SECRET_INI = `${INI.replace('0123456789abcdef0123456789abcdef', `${JWT}`)}
[Turn]
Urls = turn:turn.example.org
Secret = ${TURN}
[Push]
NativeSenderUrl = https://${PATH}
NativeSenderSecret = ${NATIVE}
Subject = mailto:${MAIL}
`.replace('[Server]', `[Server]\nLogLevel = debug\nMetricsToken = ${METRICS}`)

/** The modules that a program with `NODE_V8_COVERAGE=folder` had loaded when it ended. */
const loadedModules = (folder: string): string[] =>
  readdirSync(folder)
    .flatMap(file => JSON.parse(readFileSync(join(folder, file), 'utf8')).result as { url: string }[])
    .flatMap(({ url }) => (url.startsWith('file:') ? [fileURLToPath(url)] : []))

/** Fills the stores as partners do, and causes log lines. */
async function plant(folder: string, url: string) {
  await here.json(folder, ['user', 'add', 'partner-login', '--kind', 'technical'])
  const account = await here.json(folder, [
    'service-account',
    'add',
    'planted-school',
    '--user',
    'partner-login',
    '--scope',
    'integration:rooms',
  ])
  const signIn = { service_account: 'planted-school', client_secret: account.client_secret }
  const { body } = await send(`${url}/api/v1/integration/auth/token`, 'POST', signIn)
  const token = String(body.access_token)
  const room = { title: 'A planted title', teacher: { display_name: 'Anna Planted' } }
  const created = await send(`${url}/api/v1/integration/rooms/planted-room`, 'PUT', room, token)
  await fetch(`${url}/api/v1/integration/rooms`, {
    headers: { authorization: 'Bearer planted.wrong.token', 'x-request-id': 'planted-1' },
  })
  const { teacher_join_url, student_join_url, join_url, tag } = created.body
  return {
    secrets: [String(account.client_secret), token, 'planted.wrong.token'],
    links: [teacher_join_url, student_join_url, join_url, tag].map(String),
    texts: ['partner-login', 'planted-school', 'planted-room', 'A planted title', 'Anna Planted'],
  }
}

/** Log lines of which nothing may be kept: lines of others, unknown fields, messages of errors. */
const foreignLines = ([link, other, plain, tag]: string[]) =>
  [
    'Anna Planted wrote this',
    '{"level":"info","text":"Anna Planted"}',
    JSON.stringify({
      level: 'error',
      time: '2026-01-01T00:00:00.000Z',
      job_id: 'job_0123',
      conference_session_id: 7,
      address: '192.0.2.77',
      title: 'A planted title',
      err: {
        type: 'Error',
        code: 'EIO',
        message: `Anna Planted ${link}`,
        stack: `Error: A planted title ${other}\n    at read (file.js:1:2)`,
      },
      msg: 'a job failed',
    }),
    JSON.stringify({ level: 'warn', reason: `${plain} of ${tag} from 192.0.2.77 or 2001:db8::77`, msg: 'x' }),
    '',
  ].join('\n')

/** The files of a bundle. */
function extract(bundle: string): Map<string, string> {
  const folder = `${bundle}.extracted`
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', bundle, '-C', folder])
  return new Map(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}

describe('lectern doctor', () => {
  it('exits with 1 when a check fails, and prints one JSON object with --json', async () => {
    const { code, stdout, stderr } = await run(makeFolder('[Server]\nPrt = 1\n'), ['doctor', '--json'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const { ok, checks } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(checks[0]).toMatchObject({
      name: 'config',
      status: 'fail',
      says: expect.stringContaining('lectern.ini:2'),
    })
  })

  it('reports no error for this machine with a running service, in aligned lines', async () => {
    const folder = makeFolder(INI)
    const server = await launch(folder, ['serve'])
    const env = { SVC_SERVER_PORT: new URL(server.first().url).port }
    const { code, stdout } = await run(folder, ['doctor'], { env })
    expect(listed(stdout, 'port')).toMatch(/^ok {4}port +The server is listening on 127\.0\.0\.1:/)
    expect(listed(stdout, 'media worker')).toMatch(/^ok {4}media worker +mediasoup 3\./)
    expect(listed(stdout, 'TURN')).toMatch(/^warn {2}TURN/)
    expect(stdout).toMatch(/\d+ passed, \d+ warnings?, 0 errors\n$/)
    expect(code).toBe(0)
    expect(await server.stop()).toBe(0)
  })

  it('prints what another machine runs to test reachability, and that works', async () => {
    const ini = `${INI}\n[Turn]\nUrls = turn:127.1.2.3 turn:[::1]:9?transport=tcp\nSecret = shared\n`
    const folder = makeFolder(ini)
    const server = await launch(folder, ['serve'])
    const outside = async (PublicUrl: string) => {
      writeFileSync(
        join(folder, 'lectern.ini'),
        ini.replace('Enabled = 1', `Enabled = 1\nPublicUrl = ${PublicUrl}`),
      )
      const { command } = await here.json(folder, ['doctor', '--from', 'admin@far.example'])
      const [, program = ''] = /ssh admin@far.example python3 - << 'END'\n([\s\S]+)END$/.exec(command) ?? []
      const from = (source: string) => spawnSync('python3', ['-'], { input: source, encoding: 'utf8' })
      return { ...from(program), inAnHour: from(program.replace('time.time()', '(time.time() + 3600)')) }
    }
    const { url } = server.first()
    const reached = await outside(url)
    expect(reached.stdout).toMatch(
      /^ok {4}pages at \S+\nok {4}clock of the server\nok {4}media by UDP at 127\.0\.0\.1:\d+\nok {4}media by TCP at 127\.0\.0\.1:\d+\nFAIL {2}TURN at turn:127\.1\.2\.3: .+\nFAIL {2}TURN at turn:\[::1\]:9\?transport=tcp: .+\n$/,
    )
    expect(reached.status).toBe(1)
    expect(reached.inAnHour.stdout).toMatch(
      /FAIL {2}clock of the server: 3[56]\d\d s behind the clock here\n/,
    )
    await server.stop()
    const missed = await outside(url)
    expect([missed.status, missed.stdout]).toEqual([1, expect.stringMatching(/^FAIL {2}pages at .*refused/)])
    expect((await here.run(folder, ['doctor', '--from', '-oProxyCommand=x'])).code).toBe(1)
  })

  it('prints a program that tries TURN on the https port, too', async () => {
    const folder = makeFolder()
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const out = ['-out', files.cert, '-keyout', files.key]
    execFileSync('openssl', ['req', '-x509', ...newKey, ...names, ...out], { stdio: 'pipe' })
    const [port, turnPort] = [await freePort(), await freePort()]
    const ini = INI.replace('Port = 0', `Port = ${port}\nTlsCert = ${files.cert}\nTlsKey = ${files.key}`)
      .replace('Enabled = 1', `Enabled = 1\nPublicUrl = https://localhost:${port}`)
      .concat(`[Turn]\nEmbedded = 1\nPort = ${turnPort}\n`)
    writeFileSync(join(folder, 'lectern.ini'), ini)
    const server = await launch(folder, ['serve'])
    const { command } = await here.json(folder, ['doctor', '--from', 'far.example'])
    const program = command.replace(/^[\s\S]*<< 'END'\n|END$/g, '')
    const tried = (SSL_CERT_FILE: string) =>
      spawnSync('python3', ['-'], {
        input: program,
        encoding: 'utf8',
        env: { ...process.env, SSL_CERT_FILE },
      })
    const secure = `TURN at turns:localhost:${port}?transport=tcp`
    await expect.poll(() => tried(files.cert).stdout, { timeout: 60_000 }).toContain(`ok    ${secure}\n`)
    await server.stop()
  })

  it('writes a bundle of diagnostic data without secrets, links, names, addresses and texts (BUNDLE-1, BUNDLE-3)', async () => {
    const folder = makeFolder(SECRET_INI)
    const modules = join(folder, 'modules')
    const server = await launch(folder, ['serve'], { NODE_V8_COVERAGE: modules })
    const { url } = server.first()
    const env = { SVC_SERVER_PORT: new URL(url).port }
    const planted = await plant(folder, url)
    // Lines arrive after the responses that they are about.
    await expect.poll(() => server.output.stderr).toContain('planted-1')
    const log = join(folder, 'service.log')
    writeFileSync(log, server.output.stderr + foreignLines(planted.links))
    const bundle = join(folder, 'bundle.tar.gz')
    const { code, stdout, stderr } = await run(folder, ['doctor', '--bundle', bundle, '--log', log], { env })
    // The configured TURN server does not exist.
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/Wrote .*bundle\.tar\.gz \(\d+ KiB\): README\.txt, versions\.json/)
    expect(statSync(bundle).mode & 0o777).toBe(0o600)
    expect(statSync(bundle).size).toBeLessThan(8 * 1024 * 1024)

    const files = extract(bundle)
    const text = [...files.values()].join('\n')
    for (const secret of [
      ...SECRETS,
      ...planted.secrets,
      ...planted.links,
      ...planted.texts,
      '192.0.2.77',
      '2001:db8::77',
    ])
      expect(text.includes(secret), secret).toBe(false)
    const parsed = (name: string) => JSON.parse(files.get(name) ?? '')
    expect(parsed('configuration.json')).toMatchObject({
      Server: { Port: Number(env.SVC_SERVER_PORT), JwtSecret: '(set)', MetricsToken: '(set)' },
      Turn: { Urls: ['turn:turn.example.org'], Secret: '(set)' },
      Oidc: { ClientSecret: '(not set)' },
      Limits: { LoginPerMinute: 30 },
    })
    expect(parsed('versions.json')).toMatchObject({ node: process.versions.node })
    expect(parsed('doctor.json').checks).toContainEqual(
      expect.objectContaining({ name: 'media worker', status: 'ok' }),
    )
    expect(parsed('stores.json')).toMatchObject({ engine: 'sqlite', files: 0, recordings: 0 })
    expect(parsed('stores.json').main_bytes).toBeGreaterThan(10_000)
    expect(parsed('cluster.json')).toBeNull()
    expect(files.get('metrics.txt')).toMatch(
      /^http_request_duration_seconds_count\{.*route="\/api\/v1\/integration\/rooms\/:external_id"/m,
    )
    const lines = (files.get('log.jsonl') ?? '')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request', status: 401, request_id: 'planted-1' }),
    )
    expect(lines).toContainEqual({
      level: 'error',
      time: '2026-01-01T00:00:00.000Z',
      job_id: 'job_0123',
      conference_session_id: 7,
      err: { type: 'Error', code: 'EIO', frames: ['at read (file.js:1:2)'] },
      msg: 'a job failed',
    })
    expect(files.get('log.txt')).toMatch(/ 2 that are not log lines/)

    const again = await run(folder, ['doctor', '--bundle', bundle], { env })
    expect(again).toMatchObject({ code: 1, stderr: `lectern: ${bundle} exists already.\n` })
    expect(await server.stop()).toBe(0)
    // Traces are off: the bundle of the libraries for them was not loaded.
    const bundles = fileURLToPath(new URL('../../dist/', import.meta.url))
    const exporters = readdirSync(bundles)
      .filter(name => name.endsWith('.chunk.js'))
      .map(name => join(bundles, name))
      .filter(path => readFileSync(path, 'utf8').includes('OTLPTraceExporter'))
    expect(exporters).not.toEqual([])
    const loaded = loadedModules(modules)
    expect(loaded.filter(path => path.startsWith(bundles)).length).toBeGreaterThan(10)
    expect(loaded.filter(path => exporters.includes(path))).toEqual([])
  })

  it('writes a bundle also for an unreadable configuration and for a stopped service', async () => {
    const broken = makeFolder(`[Server]\nJwtSecret\n${SECRETS[0]}\n`)
    const inFolder = (folder: string) => join(folder, 'bundle.tar.gz')
    const { code } = await run(broken, ['doctor', '--bundle', inFolder(broken), '--json'])
    expect(code).toBe(1)
    const text = [...extract(inFolder(broken)).values()].join('\n')
    expect(text).toContain('lectern.ini:2: expected')
    expect(text).not.toContain(SECRETS[0])

    const silent = makeFolder(SECRET_INI)
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const env = { SVC_SERVER_PORT: String((closed.address() as AddressInfo).port) }
    closed.close()
    const lines = `${JSON.stringify({ level: 'info', msg: 'hello' })}\n`
    const args = ['doctor', '--bundle', inFolder(silent), '--log', '-', '--json']
    const { stdout } = await run(silent, args, { env, input: lines })
    expect(JSON.parse(stdout).bundle.files).toContain('log.jsonl')
    const files = extract(inFolder(silent))
    expect(files.get('log.jsonl')).toBe('{"level":"info","msg":"hello"}\n')
    expect(files.get('metrics.txt')).toContain('ECONNREFUSED')
    expect(await run(silent, ['doctor', '--log', 'x'])).toMatchObject({ code: 1, stdout: '' })
  })
})
