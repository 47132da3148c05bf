import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { PartnerClient, type WebhookEvent } from '@lectern/partner'
import { startService } from '../support/lectern.ts'
import { busyBelow, childOf } from '../support/processes.ts'
import { startBrowserRecorder } from './browser-recorder.ts'
import { enter, openBrowser } from './people.ts'

/**
 * What a recording costs, and how long a partner waits for it. Arguments: minutes of each session. In the first
 * session another recorder works beside ours: a browser under Xvfb, filmed by ffmpeg.
 */
const sessions = process.argv.slice(2).map(Number)
const minutes = sessions.length > 0 ? sessions : [1, 5, 20]

const PEOPLE = 2
const GRACE_MS = 1_000
const SECRET = 'a secret of some length'

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-recording-'))
const waiting = new Map<string, (atMs: number) => void>()
const receiver = createServer(async (request, response) => {
  const event = (await json(request)) as WebhookEvent
  response.writeHead(204).end()
  waiting.get(event.data.room.tag)?.(performance.now())
})
await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done))

const service = await startService(folder, {
  settings: {
    SVC_TRANSCRIBER_EMBEDDED: '0',
    SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
    SVC_CONFERENCES_EMPTY_GRACE_SECONDS: String(GRACE_MS / 1000),
  },
})
const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
const { port } = receiver.address() as AddressInfo
await partner.setWebhook({ url: `http://127.0.0.1:${port}/`, secret: SECRET })
const recorder = childOf(service.program.pid, 'recorder')
const people = await openBrowser()

for (const [index, length] of minutes.entries()) {
  console.log(`A lesson of ${length} min …`)
  const room = await partner.createRoom(`lesson-${index}`)
  const ready = new Promise<number>(resolve => waiting.set(room.tag, resolve))
  const before = busyBelow(recorder)
  const leave = await Promise.all([
    enter(people, room.teacher_join_url),
    enter(people, room.student_join_url),
  ])
  const other = index === 0 ? await startBrowserRecorder(room.join_url, join(folder, 'x11.mkv')) : null
  const since = { ours: busyBelow(recorder), other: other?.busy() ?? 0 }
  await sleep(length * 60_000)
  const live = { ours: busyBelow(recorder) - since.ours, other: (other?.busy() ?? 0) - since.other }
  await other?.stop()
  await Promise.all(leave.map(go => go()))
  const left = performance.now()
  const waited = (await ready) - left - GRACE_MS
  const total = busyBelow(recorder) - before

  const each = (seconds: number) => (seconds / (PEOPLE * length)).toFixed(2)
  console.log(`  live: ${each(live.ours)} CPU s for each minute of a participant`)
  if (other) console.log(`  a browser recorder beside it: ${each(live.other)}`)
  if (other) console.log(`  ratio: ${(live.ours / live.other).toFixed(2)} (aim: 0.1)`)
  console.log(`  in total: ${each(total)}`)
  console.log(`  from the end of the session to recording.ready: ${(waited / 1000).toFixed(1)} s (aim: 10)`)
}

await people.close()
await service.program.stop()
receiver.closeAllConnections()
receiver.close()
rmSync(folder, { recursive: true, force: true })
