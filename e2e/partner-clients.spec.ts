import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from './support/folders.ts'
import { type Account, useLectern } from './support/lectern.ts'

const execute = promisify(execFile)
const makeFolder = useFolders()
const lectern = useLectern(() => ({ SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1' }))
let account: Account
beforeAll(async () => {
  account = await lectern.addAccount('school', ['integration:rooms', 'blob'])
  await lectern.command('user', 'set', 'school-backend', '--capability', 'recordings.access')
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterAll(() => receiver.close())

/** What was posted to each path, as it came; `GET` returns it. */
const received = new Map<string, { headers: [string, string][]; body: string }[]>()
const receiver = createServer(async (request, response) => {
  const { url = '', method, rawHeaders } = request
  const deliveries = received.get(url) ?? []
  if (method === 'GET') return response.end(JSON.stringify(deliveries))
  const headers = rawHeaders.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
  )
  received.set(url, [...deliveries, { headers, body: (await buffer(request)).toString() }])
  response.writeHead(204).end()
})

/** What the story of each client prints: the same for all languages. */
const storyOf = (room: string) => ({
  version: 'v1',
  title: 'Algebra',
  again: 'Algebra',
  links: true,
  moved: 'Geometry',
  same: true,
  put: [true, false, ['title']],
  list: [[room], null],
  status: ['scheduled', false],
  webhook: [true, false, true],
  rotation: [true, null],
  test: ['webhook.test', 204, true],
  replay: [true, true],
  deliveries: [1, true, true],
  // The secrets with which a receiver accepts a delivery before, during and after the overlap.
  secrets: [
    ['the-first-secret-of-the-partner'],
    ['the-first-secret-of-the-partner', 'the-second-secret-of-the-partner'],
    ['the-second-secret-of-the-partner'],
  ],
  deleted: false,
  recordings: [],
  blob: '404 blob_not_found',
  missing: '404 room_not_found',
  ended: ['cancelled', 'closed'],
})

/** A story waits for what it causes; longer than this it waits in vain. */
const STORY_TIMEOUT_MS = 60_000

async function runStory(room: string, program: string, args: string[], cwd?: string): Promise<unknown> {
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    LECTERN_URL: lectern.url,
    LECTERN_ACCOUNT: account.serviceAccount,
    LECTERN_SECRET: account.clientSecret,
    LECTERN_ROOM: room,
    LECTERN_WEBHOOK: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${encodeURIComponent(room)}`,
  }
  const { stdout } = await execute(program, args, { env, cwd, timeout: STORY_TIMEOUT_MS })
  return JSON.parse(stdout)
}

describe('a client against the running server', () => {
  it('Python uses every endpoint, and accepts the deliveries while a secret is replaced', async () => {
    const story = repositoryPath('clients/python/tests/story.py')
    expect(await runStory('python ü', 'python3', [story])).toEqual(storyOf('python ü'))
  })

  it('PHP uses every endpoint, and accepts the deliveries while a secret is replaced', async () => {
    const story = repositoryPath('clients/php/tests/story.php')
    expect(await runStory('php ü', 'php', [story])).toEqual(storyOf('php ü'))
  })
})

describe('the package @lectern/partner', () => {
  it('contains what it needs and nothing else, and works in a project of its own', async () => {
    const project = makeFolder()
    const packed = await execute('npm', ['pack', '--json', '--pack-destination', project], {
      cwd: repositoryPath('packages/partner'),
    })
    const [{ filename, files }] = JSON.parse(packed.stdout)
    const paths: string[] = files.map((file: { path: string }) => file.path)
    for (const path of ['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/types.d.ts']) {
      expect(paths).toContain(path)
    }
    expect(paths.filter(path => !/^(README\.md|package\.json|(dist|src)\/[^/]+)$/.test(path))).toEqual([])
    expect(paths.filter(path => /test|scripted|tsbuildinfo/.test(path))).toEqual([])

    const installed = join(project, 'node_modules/@lectern/partner')
    mkdirSync(installed, { recursive: true })
    await execute('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', installed])
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    writeFileSync(join(project, 'story.ts'), CONSUMER)
    const options = ['--strict', '--target', 'es2022', '--types', '', '--lib', 'es2024,dom']
    for (const resolution of ['nodenext', 'bundler']) {
      const module = ['--module', resolution === 'bundler' ? 'esnext' : resolution]
      const compiler = repositoryPath('node_modules/.bin/tsc')
      await execute(compiler, ['story.ts', ...options, ...module, '--moduleResolution', resolution], {
        cwd: project,
      })
    }
    expect(await runStory('npm ü', process.execPath, ['story.js'], project)).toEqual(storyOf('npm ü'))
  })
})

/** A program of a partner, compiled strictly, without our other packages and without the types of Node. */
const CONSUMER = `
import { LecternError, PartnerClient, verifyWebhook, WebhookVerificationError } from '@lectern/partner'
import type { DeliveryDetailsResponse, RoomPutResponse, WebhookEvent } from '@lectern/partner'

declare const process: { env: Record<string, string> }
const { LECTERN_URL, LECTERN_ACCOUNT, LECTERN_SECRET, LECTERN_ROOM, LECTERN_WEBHOOK } = process.env
const client = new PartnerClient({
  baseUrl: LECTERN_URL!,
  serviceAccount: LECTERN_ACCOUNT!,
  clientSecret: LECTERN_SECRET!,
})
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof LecternError ? error.status + ' ' + error.code : String(error)),
  )
export const textOf = (event: WebhookEvent): string =>
  event.type === 'transcription.ready'
    ? event.data.transcription.text
    : event.type === 'recording.ready'
      ? event.data.recording.status
      : event.data.service_account
export const verify: (delivery: Parameters<typeof verifyWebhook>[0]) => WebhookEvent = verifyWebhook
const [FIRST, SECOND] = ['the-first-secret-of-the-partner', 'the-second-secret-of-the-partner']
interface Received { headers: [string, string][]; body: string }
const pause = () => new Promise(resolve => setTimeout(resolve, 50))
const received = async (count: number): Promise<Received[]> => {
  for (;;) {
    const deliveries: Received[] = await (await fetch(LECTERN_WEBHOOK!)).json()
    if (deliveries.length >= count) return deliveries
    await pause()
  }
}
const delivered = async ({ id }: { id: string }): Promise<DeliveryDetailsResponse> => {
  for (;;) {
    const delivery = await client.getDelivery(id)
    if (delivery.status !== 'pending') return delivery
    await pause()
  }
}
const secretsOf = ({ headers, body }: Received) =>
  [FIRST, SECOND].filter(secret => {
    try {
      return verifyWebhook({ rawBody: body, headers: new Headers(headers), secret }).type === 'webhook.test'
    } catch (error) {
      if (error instanceof WebhookVerificationError && error.reason === 'signature_mismatch') return false
      throw error
    }
  })
const id = LECTERN_ROOM!
const info = await client.serverInfo()
const teacher = { display_name: 'Anna', external_id: id }
const created: RoomPutResponse = await client.createRoom(id, { title: 'Algebra', teacher })
const again = await client.createRoom(id, { title: 'Another' })
const moved = await client.updateRoom(id, { title: 'Geometry' })
const status = await client.roomStatus(id)
const rooms = await client.listRooms({ teacher: id, search: 'geometry', limit: 1 })
const webhook = await client.setWebhook({ url: LECTERN_WEBHOOK!, secret: FIRST, enabled: true })
const test = await delivered(await client.testWebhook())
const rotating = await client.rotateWebhookSecret({ secret: SECOND, overlap_seconds: 600 })
const replayed = await client.replayDelivery(test.id)
await received(2)
const finished = await client.finishWebhookRotation()
const last = await delivered(await client.testWebhook())
const deliveries = await client.listDeliveries({ status: 'delivered', limit: 1 })
const listed = (await client.listDeliveries()).deliveries.map(delivery => delivery.id)
const sent = await received(3)
const off = await client.setWebhook({ enabled: false })
const recordings = await client.listRecordings()
const cancelled = await client.cancelRoom(id)
const closed = await client.closeRoom(id)
console.log(
  JSON.stringify({
    version: info.api.version,
    title: created.title,
    again: again.title,
    links: created.teacher_join_url !== created.student_join_url,
    moved: moved.title,
    same: (await client.getRoom(id)).tag === created.tag,
    put: [created.created, again.created, again.differing_fields],
    list: [rooms.rooms.map(room => room.external_id), rooms.next],
    status: [status.status, status.live],
    webhook: [webhook.enabled, off.enabled, (await client.getWebhook()).url === LECTERN_WEBHOOK],
    rotation: [rotating.previous_secret_expires_at !== null, finished.previous_secret_expires_at],
    test: [test.event, test.history[0]!.response_status, test.payload.id === test.id],
    replay: [replayed.id === test.id, sent[1]!.body === sent[0]!.body],
    deliveries: [deliveries.deliveries.length, deliveries.next !== null, listed.includes(last.id)],
    secrets: sent.map(secretsOf),
    deleted: (await client.deleteWebhook()).configured,
    recordings,
    blob: await codeOf(client.downloadBlob('no-such-blob')),
    missing: await codeOf(client.getRoom('no-such-room')),
    ended: [cancelled.status, closed.status],
  }),
)
`
