import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from './support/folders.ts'
import { type Account, useLectern } from './support/lectern.ts'

const execute = promisify(execFile)
const makeFolder = useFolders()
const lectern = useLectern(() => ({ SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1' }))
let account: Account
beforeAll(async () => {
  account = await lectern.addAccount('school', ['integration:rooms', 'blob'])
  await lectern.command('user', 'set', 'school-backend', '--capability', 'recordings.access')
})

/** What the story of each client prints: the same for all languages. */
const STORY = {
  version: 'v1',
  title: 'Algebra',
  again: 'Algebra',
  links: true,
  moved: 'Geometry',
  same: true,
  status: ['scheduled', false],
  webhook: [true, false, 'http://127.0.0.1:9/hooks'],
  recordings: [],
  blob: '404 blob_not_found',
  missing: '404 room_not_found',
  ended: ['cancelled', 'closed'],
}

async function runStory(room: string, program: string, args: string[], cwd?: string): Promise<unknown> {
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    LECTERN_URL: lectern.url,
    LECTERN_ACCOUNT: account.serviceAccount,
    LECTERN_SECRET: account.clientSecret,
    LECTERN_ROOM: room,
    LECTERN_WEBHOOK: 'http://127.0.0.1:9/hooks',
  }
  const { stdout } = await execute(program, args, { env, cwd })
  return JSON.parse(stdout)
}

describe('a client against the running server', () => {
  it('Python creates, reads, changes, cancels and closes a room, and reports refusals', async () => {
    const story = repositoryPath('clients/python/tests/story.py')
    expect(await runStory('python ü', 'python3', [story])).toEqual(STORY)
  })

  it('PHP creates, reads, changes, cancels and closes a room, and reports refusals', async () => {
    const story = repositoryPath('clients/php/tests/story.php')
    expect(await runStory('php ü', 'php', [story])).toEqual(STORY)
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
    expect(await runStory('npm ü', process.execPath, ['story.js'], project)).toEqual(STORY)
  })
})

/** A program of a partner, compiled strictly, without our other packages and without the types of Node. */
const CONSUMER = `
import { LecternError, PartnerClient, verifyWebhook, type RoomResponse, type WebhookEvent } from '@lectern/partner'

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
const id = LECTERN_ROOM!
const info = await client.serverInfo()
const created: RoomResponse = await client.createRoom(id, { title: 'Algebra', teacher: { display_name: 'Anna' } })
const again = await client.createRoom(id, { title: 'Another' })
const moved = await client.updateRoom(id, { title: 'Geometry' })
const status = await client.roomStatus(id)
const webhook = await client.setWebhook({ url: LECTERN_WEBHOOK!, secret: 'a-secret-of-the-partner', enabled: true })
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
    status: [status.status, status.live],
    webhook: [webhook.enabled, off.enabled, (await client.getWebhook()).url],
    recordings,
    blob: await codeOf(client.downloadBlob('no-such-blob')),
    missing: await codeOf(client.getRoom('no-such-room')),
    ended: [cancelled.status, closed.status],
  }),
)
`
