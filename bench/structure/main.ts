// Figures of the structure of a checkout: how many files run for one request, message or job, how large the groups of
// files are that import each other, and how much code and how many glossary entries there are. `CHECKOUT=folder`
// measures another one, whose npm packages must be installed.

import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { findCycles } from '../../setup/import-cycles.mjs'
import { importsIn } from '../../setup/imports.mjs'
import type { Tasks } from './clients.ts'

const checkout = resolve(process.env.CHECKOUT ?? fileURLToPath(new URL('../..', import.meta.url)))
const listFiles = process.argv.includes('--files')

const sources = filesBelow(join(checkout, 'packages'), /\.(ts|tsx)$/)
const isForTests = (file: string) => /\.(test|contract)\.tsx?$|(^|\/)testing(\.tsx?$|\/)/.test(file)
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

interface Joined {
  /** Of the client. */
  name: string
  conference_session_id: string
  participant_id: string
}

interface MediaEndpoint {
  endpoint_id: string
  rtc_node_id: string
  route_generation: string
}

printSize()
printCycles()
await printPaths()

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => join(entry.parentPath, entry.name))
    .filter(
      file => pattern.test(file) && !/\/(node_modules|dist|vectors)\//.test(file) && !file.endsWith('.d.ts'),
    )
}

function printSize(): void {
  const lines = (files: string[]) =>
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

/** Groups of files that reach each other by imports, those of types included. */
function printCycles(): void {
  const groups = findCycles(new Map(production.map(file => [file, importedBy(file)])))
  const sizes = groups.map(({ length }) => length).sort((a, b) => b - a)
  console.log(`import cycles       ${sizes.join(', ') || 'none'} (files in each)`)
  if (listFiles)
    for (const group of groups) console.log(group.map(file => `    ${relative(checkout, file)}`).join('\n'))
}

function importedBy(file: string): string[] {
  return importsIn(readFileSync(file, 'utf8'))
    .map(({ specifier }) => join(dirname(file), specifier))
    .filter(path => isProduction.has(path))
}

async function printPaths(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-structure-'))
  const clients = startClients()
  const receiver = await startReceiver()
  const service = await startService(folder)
  const { call } = service
  const { access_token: partner } = await call<{ access_token: string }>(
    'POST',
    '/api/v1/integration/auth/token',
    { service_account: 'school', client_secret: service.clientSecret },
  )
  const webhook = { url: receiver.url, secret: 'y'.repeat(40), events: ['recording.ready'] }
  await call('PUT', '/api/v1/integration/webhook', webhook, partner)
  const putRoom = () =>
    call<{ tag: string }>('PUT', '/api/v1/integration/rooms/lesson-1', { title: 'Lesson' }, partner)
  const status = () => call('GET', '/api/v1/integration/rooms/lesson-1/status', undefined, partner)
  const room = await putRoom()

  const connect = async (name: string, path: string, login: object) => {
    const { access_token } = await call<{ access_token: string }>('POST', path, login)
    await clients.run('connect', name, `${service.url.replace('http', 'ws')}/api/v1.0/control`, access_token)
    return name
  }
  const guest = (name: string) => connect(name, '/api/v1.0/auth/guest', { display_name: name })
  const joinRoom = async (name: string): Promise<Joined> => {
    const joined = await clients.run('command', name, 'conference.join', target, {})
    return { name, ...(joined as Omit<Joined, 'name'>) }
  }
  const target = { kind: 'conference', id: room.tag } as const
  const anna = await joinRoom(await guest('Anna'))
  const ben = await joinRoom(await guest('Ben'))
  const session = { kind: 'conference_session', id: anna.conference_session_id } as const

  const worker = { login: 'worker', password: service.workerPassword }
  const recorder = await connect('recorder', '/api/v1.0/auth/login', worker)
  const job = { kind: 'operation', id: 'recording' } as const
  const lease = { worker_id: 'w', holding: [] }
  const leased = (await clients.run('command', recorder, 'job.lease', job, lease)) as {
    job: { job_id: string }
  }
  const finishJob = () =>
    clients.run(
      'command',
      recorder,
      'job.finish',
      { kind: 'operation', id: leased.job.job_id },
      { worker_id: 'w', outcome: 'done', result: recordingResult() },
    )

  /** Opens media; sends the offer when it is called. */
  const offerToPublish = async ({ name, participant_id }: Joined) => {
    const opened = await clients.run('command', name, 'media.open', session, {})
    const { endpoint_id, rtc_node_id, route_generation } = opened as MediaEndpoint
    const media = {
      conference_session_id: session.id,
      participant_instance_id: participant_id,
      publication_id: `microphone-${participant_id}`,
      ...{ endpoint_id, rtc_node_id, route_generation },
      ...{ negotiation_id: 'n-1', scope: 'audio' as const },
    }
    return () => clients.run('offer', name, media, MICROPHONE)
  }

  let text = 0
  const chat = () => clients.run('command', anna.name, 'chat.send', session, { text: `hello ${++text}` })
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
      await finishJob()
      await until(() => receiver.delivered() > 0, 'the webhook')
      await sleep(50)
    },
    1,
  )
  await (await offerToPublish(ben))()
  await coverage.print('webrtc_offer', await offerToPublish(anna), 1)
  await clients.run('close')
  await service.close()
  receiver.close()
  await clients.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The service of the checkout in this thread, with a service account and a worker. */
async function startService(folder: string) {
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  const { startServer, loadConfig }: typeof import('../../packages/server/src/main.ts') = await load(
    'packages/server/src/main.ts',
  )
  const { openOperator }: typeof import('../../packages/server/src/operator.ts') = await load(
    'packages/server/src/operator.ts',
  )
  const ini = `[Server]\nPort = 0\nJwtSecret = ${'x'.repeat(40)}\nLogLevel = silent\nDataDir = ${join(folder, 'data')}
[Integration]\nEnabled = 1\nPlainLink = open\nAllowInsecureWebhooks = 1\n[Recorder]\nEmbedded = 0\n[Transcriber]\nEmbedded = 0\n[Converter]\nEmbedded = 0\n[Limits]\nEnabled = 0\n`
  writeFileSync(join(folder, 'lectern.ini'), ini)
  const config = loadConfig(join(folder, 'lectern.ini'), {})
  const server = await startServer(config)
  const operator = await openOperator(config)
  await operator.users.add('school', { kind: 'technical' })
  const { clientSecret } = await operator.serviceAccounts.add('school', 'school', ['integration:rooms'])
  const worker = await operator.users.add('worker', { kind: 'worker', capabilities: ['jobs.recorder'] })
  return {
    url: server.url,
    clientSecret,
    workerPassword: worker.password,
    async call<Answer>(method: string, path: string, body?: object, token?: string): Promise<Answer> {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      }
      const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`${server.url}${path}`, request)
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as Answer
    },
    async close(): Promise<void> {
      await operator.close()
      await server.close()
    },
  }
}

/** Receives webhooks and counts them. */
async function startReceiver() {
  let delivered = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  return {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    delivered: () => delivered,
    close: () => receiver.close(),
  }
}

/** What a recorder reports of a second of recording. */
function recordingResult(): object {
  const now = Date.now()
  return {
    status: 'completed',
    profile: 'webinar',
    started_at_ms: now - 1000,
    ended_at_ms: now,
    duration_ms: 1000,
    output_dir: 'x',
    blob_ids: [],
    artifact: {},
  }
}

/** The thread of the clients, and one task of it after another. */
function startClients() {
  const thread = new Worker(new URL('clients.ts', import.meta.url), { workerData: { checkout } })
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let tasks = 0
  thread.on('message', ({ id, result, error }) => {
    const task = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) task?.resolve(result as never)
    else task?.reject(new Error(error))
  })
  return {
    run: <T extends keyof Tasks>(task: T, ...args: Parameters<Tasks[T]>) =>
      new Promise<Awaited<ReturnType<Tasks[T]>>>((resolve, reject) => {
        const id = ++tasks
        waiting.set(id, { resolve, reject })
        thread.postMessage({ id, task, args })
      }),
    stop: () => thread.terminate(),
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
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
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    return new Set(ran.map(({ url }) => relative(checkout, fileURLToPath(url))))
  }
  return {
    /** What runs each time; timers of the service run between. */
    async print(what: string, action: () => Promise<unknown>, times = 5): Promise<void> {
      let common: Set<string> | undefined
      for (let i = 0; i < times; i++) {
        await take()
        await action()
        const files = await take()
        common = common ? new Set([...common].filter(file => files.has(file))) : files
      }
      const files = [...(common ?? [])].sort()
      console.log(`${what.padEnd(28)}${files.length} files`)
      if (listFiles) for (const file of files) console.log(`    ${file}`)
    },
  }
}
