import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { execute, storyOf, usePartnerStories } from '../../support/partner-story.ts'
import { usePrograms } from '../../support/program.ts'

const makeFolder = useFolders()
const run = usePrograms()
const { lectern, account, runStory } = usePartnerStories()

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

describe('a client generated from the OpenAPI document', () => {
  it('compiles, and runs the quickstart', async () => {
    const { serviceAccount, clientSecret } = account()
    const document = (await (await fetch(`${lectern.url}/api/openapi.json`)).json()) as OpenAPI3
    const folder = mkdtempSync(join(repositoryPath('.cache'), 'generated-client-'))
    try {
      writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document)))
      cpSync(repositoryPath('e2e/support/generated-client/quickstart.ts'), join(folder, 'quickstart.ts'))
      const options = [
        '--target',
        'es2023',
        '--module',
        'nodenext',
        '--lib',
        'es2024,dom',
        '--strict',
        '--types',
        'node',
        '--ignoreConfig',
      ]
      const compiled = run(repositoryPath('node_modules/.bin/tsc'), [...options, 'quickstart.ts'], {
        cwd: folder,
      })
      expect({ ...(await compiled.ended), stdout: compiled.stdout }).toMatchObject({ code: 0, stdout: '' })
      const quickstart = run(process.execPath, ['quickstart.js', lectern.url, serviceAccount, clientSecret], {
        cwd: folder,
      })
      expect({ ...(await quickstart.ended), stderr: quickstart.stderr }).toMatchObject({
        code: 0,
        stderr: '',
      })
      expect(JSON.parse(quickstart.stdout)).toEqual({
        type: 'Bearer',
        created: true,
        teacher: 'teacher-9',
        live: false,
        listed: ['generated/1'],
        changed: 'Changed',
        webhook: true,
        read: ['recording.ready'],
        deliveries: 0,
        recordings: true,
        closed: 'closed',
        isMissing: true,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
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
