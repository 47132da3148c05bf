import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Swift, startNats, startPostgres } from '@lectern/server/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { makeTempFolder } from '../../support/folders.ts'
import { LECTERN } from '../../support/lectern.ts'
import { LESSON } from '../../support/links.ts'
import { joinInstrumented, receivedVideo, waitForVideo } from '../../support/media.ts'
import { type Program, usePrograms } from '../../support/program.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { coloursOverTime, missingMs } from '../../support/recorded-video.ts'
import { waitFor } from '../../support/wait.ts'

/** In which the recorder gets frames of both, after each fault. */
const QUIET_PERIOD_MS = 6_000

/** Consumers that fill a node with one participant: the next one of the session gets another node. */
const ONE_PARTICIPANT = 4

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

const folder = makeTempFolder('media-nodes')
chmodSync(folder, 0o755) // PostgreSQL runs as a user of its own
const postgres = await startPostgres(join(folder, 'postgres'))
const nats = await startNats()
const swift = await Swift.start(join(folder, 'swift'))
const bucket = await swift.bucket('lessons')
afterAll(async () => {
  await Promise.all([nats.stop(), postgres.stop(), swift.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const { receiver, openRed, openBlue, makeFolder, partner } = await useRecordedLessons(15, {
  SVC_DB_URL: postgres.url,
  SVC_STORAGE_URL: bucket.Url,
  SVC_STORAGE_S3_ENDPOINT: bucket.S3Endpoint,
  SVC_STORAGE_S3_REGION: bucket.S3Region,
  SVC_STORAGE_S3_ACCESS_KEY_ID: bucket.S3AccessKeyId,
  SVC_STORAGE_S3_SECRET_ACCESS_KEY: bucket.S3SecretAccessKey,
  SVC_CLUSTER_NATS: nats.url,
  SVC_CLUSTER_ADVERTISE: 'http://127.0.0.1:8080',
  SVC_CLUSTER_MEDIA_NODES: '1',
})
const run = usePrograms()

class Node {
  readonly name: string
  readonly #program: Program
  url = ''

  constructor(name: string, ip: string) {
    this.name = name
    const cwd = join(folder, name)
    mkdirSync(cwd)
    writeFileSync(
      join(cwd, 'node.ini'),
      `[Server]\nJwtSecret = an-example-secret-of-enough-characters\n[Cluster]\nNats = ${nats.url}\nName = ${name}\n[Media]\nListenIp = ${ip}\nWorkers = 1\nConsumersPerWorker = ${ONE_PARTICIPANT}\n[MediaNode]\nPort = 0\n`,
    )
    this.#program = run(process.execPath, [LECTERN, 'media-node', '--config', 'node.ini'], { cwd })
  }

  async ready(): Promise<this> {
    const [line] = await this.#program.waitForOutput(/^\{.*\}$/m)
    this.url = JSON.parse(line).url
    await waitFor(async () => (await fetch(`${this.url}/readyz`)).ok, `${this.name} takes sessions`)
    return this
  }

  async rooms(): Promise<number> {
    const metrics = await (await fetch(`${this.url}/metrics`)).text()
    return Number(/^media_node_rooms (\d+)$/m.exec(metrics)?.[1])
  }

  kill = (signal: NodeJS.Signals) => this.#program.kill(signal)
}

const start = (name: string, ip: string) => new Node(name, ip).ready()

describe('two people on different media nodes', () => {
  it('continue when one node is killed and when the next one drains, as does the recording', async () => {
    let nodes: Node[] = await Promise.all([
      start('a', '127.0.0.1'),
      start('b', '127.0.0.2'),
      start('c', '127.0.0.3'),
    ])
    const { teacher_join_url, student_join_url, tag } = await partner().createRoom('on-nodes', LESSON)
    const anna = await joinInstrumented(openRed, teacher_join_url)
    const mia = await joinInstrumented(openBlue, student_join_url)
    await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
    await anna.page.getByText('REC', { exact: true }).waitFor()
    // One of them for each participant, and one for the recorder.
    for (const node of nodes)
      await waitFor(async () => (await node.rooms()) === 1, `${node.name} serves the session`)
    await sleep(QUIET_PERIOD_MS)

    const outages: { what: string; fromMs: number }[] = []
    const survives = async (what: string, fault: (serving: Node) => Promise<unknown>) => {
      const serving = await servingOf(nodes)
      const before = { mia: await receivedVideo(anna, MIA), anna: await receivedVideo(mia, ANNA) }
      const from = Date.now()
      outages.push({ what, fromMs: from })
      await fault(serving)
      nodes = nodes.filter(node => node !== serving)
      const back = await Promise.all([
        waitForVideo(anna, MIA, before.mia),
        waitForVideo(mia, ANNA, before.anna),
      ])
      const ms = Math.max(...back) - from
      console.log(`${what}: video is back after ${ms} ms`)
      await sleep(QUIET_PERIOD_MS)
    }
    await survives('media node killed', serving => serving.kill('SIGKILL'))
    await survives('media node drains', async serving => {
      void serving.kill('SIGTERM').then(({ code }) => expect(code).toBe(0))
    })
    await anna.page.getByText('REC', { exact: true }).waitFor()
    await Promise.all([anna, mia].map(({ page }) => page.close()))

    const { event } = await receiver.next(tag)
    if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
    const { recording } = event.data
    const file = recording.files.find(({ path }) => path === 'recording.mkv')
    const video = join(makeFolder(), 'recording.mkv')
    const stored = await partner().downloadBlob(String(file?.url))
    writeFileSync(video, Buffer.from(await stored.arrayBuffer()))
    const colours = await coloursOverTime(video)
    for (const { what, fromMs } of outages) {
      const at = fromMs - recording.started_at_ms
      console.log(
        `${what}: ${missingMs(colours, at - 1_000, at + QUIET_PERIOD_MS)} ms are missing in the video`,
      )
      expect.soft(missingMs(colours, at - 2_000, at - 1_000), `before: ${what}`).toBe(0)
    }
    await sleep(2_000)
    expect(receiver.of(tag)).toHaveLength(1)
  })
})

async function servingOf(nodes: Node[]): Promise<Node> {
  return waitFor(async () => {
    for (const node of nodes) if ((await node.rooms()) > 0) return node
    return null
  }, 'a node serves the session') as Promise<Node>
}
