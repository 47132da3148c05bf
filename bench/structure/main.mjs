// Figures of the structure of a checkout: how many files run for one request, message or job, how large the groups of
// files are that import each other, and how much code and how many glossary entries there are. `CHECKOUT=folder`
// measures another one, whose npm packages must be installed.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

const checkout = resolve(process.env.CHECKOUT ?? fileURLToPath(new URL('../..', import.meta.url)))
const listFiles = process.argv.includes('--files')

const sources = filesBelow(join(checkout, 'packages'), /\.(ts|tsx)$/)
const isForTests = file => /\.(test|contract)\.tsx?$|(^|\/)testing(\.tsx?$|\/)/.test(file)
const production = sources.filter(file => !isForTests(file))
const isProduction = new Set(production)
const stories = filesBelow(join(checkout, 'e2e'), /\.ts$/)

/** The body of an offer to publish; nothing is sent. */
const MICROPHONE = {
  ...{ format: 'ortc', source: 'microphone', paused: false },
  rtp_parameters: {
    codecs: [{ mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 }],
    encodings: [{ ssrc: 1 }],
  },
  dtls_parameters: {
    role: 'client',
    fingerprints: [{ algorithm: 'sha-256', value: Array(32).fill('AA').join(':') }],
  },
}

printSize()
printCycles()
await printPaths()

function filesBelow(folder, pattern) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => join(entry.parentPath, entry.name))
    .filter(
      file => pattern.test(file) && !/\/(node_modules|dist|vectors)\//.test(file) && !file.endsWith('.d.ts'),
    )
}

function printSize() {
  const lines = files =>
    files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
  const sizes = production.map(file => lines([file])).sort((a, b) => a - b)
  console.log(`production code     ${lines(production)} lines in ${production.length} files`)
  console.log(`  lines of a file   median ${sizes[sizes.length >> 1]}, largest ${sizes.at(-1)}`)
  console.log(`test code           ${lines([...sources.filter(isForTests), ...stories])} lines`)
  const server = join(checkout, 'packages/server/src')
  const files = production.filter(file => file.startsWith(`${server}/`))
  const folders = readdirSync(server, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const importers = new Map(files.map(file => [file, 0]))
  for (const file of production)
    for (const imported of new Set(importedBy(file)))
      importers.set(imported, (importers.get(imported) ?? 0) + 1)
  const single = files.filter(file => importers.get(file) === 1)
  console.log(`server              ${lines(files)} lines in ${files.length} files`)
  console.log(`  folders at the top ${folders.length}`)
  console.log(`  with one importer ${single.length} files`)
  const glossary = readFileSync(join(checkout, 'docs/words.md'), 'utf8')
  console.log(`glossary            ${glossary.match(/^\|(?! ?-| word| term)/gim)?.length ?? 0} entries`)
}

/** Groups of files that reach each other by imports, those of types included (Tarjan's algorithm). */
function printCycles() {
  const importsOf = new Map(production.map(file => [file, importedBy(file)]))
  const [index, low, stack, groups] = [new Map(), new Map(), [], []]
  const visit = file => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    for (const next of importsOf.get(file)) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) groups.push(group)
  }
  for (const file of production) if (!index.has(file)) visit(file)
  console.log(
    `import cycles       ${
      groups
        .map(({ length }) => length)
        .sort((a, b) => b - a)
        .join(', ') || 'none'
    } (files in each)`,
  )
  if (listFiles)
    for (const group of groups) console.log(group.map(file => `    ${relative(checkout, file)}`).join('\n'))
}

function importedBy(file) {
  const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"]*?from '(\.[^']+)'/gm)
  return [...found].map(([, path]) => join(dirname(file), path)).filter(path => isProduction.has(path))
}

async function printPaths() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-structure-'))
  const load = path => import(pathToFileURL(join(checkout, path)).href)
  const { startServer, loadConfig } = await load('packages/server/src/main.ts')
  const { openOperator } = await load('packages/server/src/operator.ts')
  const clients = startClients()
  const { createServer } = await import('node:http')

  let delivered = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await sleep(100)

  const ini = `[Server]\nPort = 0\nJwtSecret = ${'x'.repeat(40)}\nLogLevel = silent\nDataDir = ${join(folder, 'data')}
[Integration]\nEnabled = 1\nPlainLink = open\nAllowInsecureWebhooks = 1\n[Recorder]\nEmbedded = 0\n[Transcriber]\nEmbedded = 0\n[Converter]\nEmbedded = 0\n[Limits]\nEnabled = 0\n`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'lectern.ini'), ini)
  const config = loadConfig(join(folder, 'lectern.ini'), {})
  const server = await startServer(config)
  const operator = await openOperator(config)
  await operator.users.add('school', { kind: 'technical' })
  const { clientSecret } = await operator.serviceAccounts.add('school', 'school', ['integration:rooms'])
  const worker = await operator.users.add('worker', { kind: 'worker', capabilities: ['jobs.recorder'] })

  const call = async (method, path, body, token) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { access_token: partner } = await call('POST', '/api/v1/integration/auth/token', {
    service_account: 'school',
    client_secret: clientSecret,
  })
  const webhook = {
    url: `http://127.0.0.1:${receiver.address().port}/`,
    secret: 'y'.repeat(40),
    events: ['recording.ready'],
  }
  await call('PUT', '/api/v1/integration/webhook', webhook, partner)
  const putRoom = () => call('PUT', '/api/v1/integration/rooms/lesson-1', { title: 'Lesson' }, partner)
  const room = await putRoom()

  const connect = async (name, token) => {
    await clients.run('connect', name, `${server.url.replace('http', 'ws')}/api/v1.0/control`, token)
    return {
      command: (...command) => clients.run('command', name, ...command),
      offer: (...offer) => clients.run('offer', name, ...offer),
    }
  }
  const guest = async name =>
    (await call('POST', '/api/v1.0/auth/guest', { display_name: name })).access_token
  const anna = await connect('anna', await guest('Anna'))
  const ben = await connect('ben', await guest('Ben'))
  const target = { kind: 'conference', id: room.tag }
  const { participant_id: annasId } = await anna.command('conference.join', target, {})
  const { conference_session_id, participant_id: bensId } = await ben.command('conference.join', target, {})
  const session = { kind: 'conference_session', id: conference_session_id }

  const login = await call('POST', '/api/v1.0/auth/login', { login: 'worker', password: worker.password })
  const recorder = await connect('recorder', login.access_token)
  const { job } = await recorder.command(
    'job.lease',
    { kind: 'operation', id: 'recording' },
    { worker_id: 'w', holding: [] },
  )
  const now = Date.now()
  const result = {
    status: 'completed',
    profile: 'webinar',
    started_at_ms: now - 1000,
    ended_at_ms: now,
    duration_ms: 1000,
    output_dir: 'x',
    blob_ids: [],
    artifact: {},
  }

  const offerToPublish = async ({ command, offer }, participantId) => {
    const { endpoint_id, rtc_node_id, route_generation } = await command('media.open', session, {})
    const media = {
      conference_session_id,
      participant_instance_id: participantId,
      publication_id: `microphone-${participantId}`,
      ...{ endpoint_id, rtc_node_id, route_generation },
      ...{ negotiation_id: 'n-1', scope: 'audio' },
    }
    return () => offer(media, MICROPHONE)
  }

  const status = () => call('GET', '/api/v1/integration/rooms/lesson-1/status', undefined, partner)
  let text = 0
  const chat = () => anna.command('chat.send', session, { text: `hello ${++text}` })
  for (let i = 0; i < 3; i++) await Promise.all([status(), putRoom(), chat()]) // caches are filled

  const coverage = await startCoverage()
  await coverage.print('GET of a room status', status)
  await coverage.print('PUT of a known room', putRoom)
  await coverage.print('chat message', async () => {
    await chat()
    await sleep(20)
  })
  await coverage.print(
    'finished job to its webhook',
    async () => {
      await recorder.command(
        'job.finish',
        { kind: 'operation', id: job.job_id },
        { worker_id: 'w', outcome: 'done', result },
      )
      await until(() => delivered > 0, 'the webhook')
      await sleep(50)
    },
    1,
  )
  await (await offerToPublish(ben, bensId))()
  await coverage.print('webrtc_offer', await offerToPublish(anna, annasId), 1)
  await clients.run('close')
  await operator.close()
  await server.close()
  receiver.close()
  await clients.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The thread of the clients, and one task of it after another. */
function startClients() {
  const thread = new Worker(new URL('clients.mjs', import.meta.url), { workerData: { checkout } })
  const waiting = new Map()
  let tasks = 0
  thread.on('message', ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) resolve(result)
    else reject(new Error(error))
  })
  return {
    run: (task, ...args) =>
      new Promise((resolve, reject) => {
        const id = ++tasks
        waiting.set(id, { resolve, reject })
        thread.postMessage({ id, task, args })
      }),
    stop: () => thread.terminate(),
  }
}

async function until(condition, what) {
  for (let i = 0; i < 1000; i++) {
    if (condition()) return
    await sleep(10)
  }
  throw new Error(`No ${what} within 10 s`)
}

/** Which files of the server run a function while something happens, those of an idle moment left out. */
async function startCoverage() {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const take = async () => {
    const { result } = await inspector.post('Profiler.takePreciseCoverage')
    const ours = result.filter(({ url }) => /\/packages\/(server|protocol|common)\/src\//.test(url))
    const ran = ours.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
    )
    return new Set(ran.map(({ url }) => relative(checkout, fileURLToPath(url))))
  }
  return {
    /** What runs each time; timers of the service run between. */
    async print(what, action, times = 5) {
      let common = null
      for (let i = 0; i < times; i++) {
        await take()
        await action()
        const files = await take()
        common = common ? new Set([...common].filter(file => files.has(file))) : files
      }
      const files = [...common].sort()
      console.log(`${what.padEnd(28)}${files.length} files`)
      if (listFiles) for (const file of files) console.log(`    ${file}`)
    },
  }
}
