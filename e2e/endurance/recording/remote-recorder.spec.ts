import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { LESSON, tokenOf } from '../../support/links.ts'
import { useOtherHost } from '../../support/other-host.ts'
import { usePrograms } from '../../support/program.ts'
import type { Report } from '../../support/report.ts'
import { waitFor } from '../../support/wait.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'

/** Packets are lost for good, but neither the lease of the job nor the path of the publisher, whose media has the same cable, ends. */
const AWAY_MS = 8_000
/** What is captured of a camera and a microphone within seconds: the camera counts from its next key frame on. */
const SECONDS_OF_MEDIA_BYTES = 100_000

const other = useOtherHost()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_HOST: '0.0.0.0',
  SVC_MEDIA_LISTEN_IP: other.ownAddress,
  SVC_RECORDER_PROFILE: 'raw_tracks_v1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const receiver = useWebhookReceiver()
const makeFolder = useFolders()
const run = usePrograms()

it('a recorder on another host gets the media encrypted over the network, and continues after its network was down', async () => {
  const { port } = new URL(lectern.url)
  const folder = makeFolder()
  const password = await lectern.addUser('recorder-1', {
    name: '',
    kind: 'worker',
    capabilities: ['jobs.recorder'],
  })
  const recorder = other.run(process.execPath, [repositoryPath('packages/recorder/dist/recorder.js')], {
    env: {
      SVC_WORKER_URL: `http://${other.ownAddress}:${port}`,
      SVC_WORKER_FOLDER: folder,
      SVC_WORKER_LOGIN: 'recorder-1',
      SVC_WORKER_PASSWORD: password,
      SVC_WORKER_MEDIA_IP: other.address,
    },
  })
  const partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
  await partner.setWebhook(receiver.webhook())
  const { tag, teacher_join_url } = await partner.createRoom('remote', LESSON)
  const whip = `http://127.0.0.1:${port}/api/v1.0/conferences/${tag}/whip`
  const publisher = run('/usr/bin/python3', [
    ...[repositoryPath('e2e/support/webrtcbin.py'), 'publish', whip],
    tokenOf(teacher_join_url),
  ])
  const captures = async () => {
    const before = capturedBytes(folder)
    await waitFor(
      () => capturedBytes(folder) > before + SECONDS_OF_MEDIA_BYTES,
      `media is captured:\n${recorder.stderr.slice(-3_000)}\n${publisher.stderr}`,
    )
  }
  await captures()
  const downAtMs = Date.now()
  other.disconnect()
  await sleep(AWAY_MS)
  other.connect()
  const upAtMs = Date.now()
  await captures()
  console.log(`media is captured again ${Date.now() - upAtMs} ms after the network has returned`)
  const leftAtMs = Date.now()
  await publisher.kill('SIGTERM')

  const { event } = await receiver.next(tag)
  if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
  const { files, started_at_ms } = event.data.recording
  const report = files.find(({ path }) => path === 'report.json')
  const { tracks } = (await (await partner.downloadBlob(String(report?.url))).json()) as Report
  for (const source of ['microphone', 'camera']) {
    const own = tracks.filter(track => track.source === source)
    expect(Math.min(...own.map(({ offset_ms }) => offset_ms)), source).toBeLessThan(downAtMs - started_at_ms)
    const end = Math.max(...own.map(({ offset_ms, duration_ms }) => offset_ms + duration_ms))
    expect(end, source).toBeGreaterThan(leftAtMs - started_at_ms - 2_000)
  }
  expect(receiver.of(tag)).toHaveLength(1)
})

/** On the disk of the recorder. */
function capturedBytes(folder: string): number {
  const jobs = join(folder, 'jobs')
  const tracks = existsSync(jobs) ? readdirSync(jobs).map(id => join(jobs, id, 'tracks')) : []
  const files = tracks.filter(existsSync).flatMap(path => readdirSync(path).map(name => join(path, name)))
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}
