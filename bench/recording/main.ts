import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { busyBelow, busyOf, childOf } from '../support/processes.ts'
import { args, isSmoke } from '../support/size.ts'
import { startBrowserRecorder } from './browser-recorder.ts'
import { enter, openBrowser } from './people.ts'
import { GRACE_MS, startRecordedService } from './service.ts'

/**
 * The CPU time of a recording, and the delay until the partner receives it. Arguments: the duration of each session in
 * minutes. The first session also has a browser recorder: Chromium under Xvfb, captured by ffmpeg.
 */
const sessions = args.map(Number)
const minutes = sessions.length > 0 ? sessions : isSmoke ? [0.05] : [1, 5, 20]

const PEOPLE = 2

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-recording-'))
const service = await startRecordedService(folder)
const { partner } = service
const recorder = childOf(service.pid, 'recorder')
const people = await openBrowser()

for (const [index, length] of minutes.entries()) {
  console.log(`A lesson of ${length} min …`)
  const room = await partner.createRoom(`lesson-${index}`)
  const ready = service.ready(room.tag)
  const before = busyBelow(recorder)
  const leave = await Promise.all([
    enter(people, room.teacher_join_url, { name: 'Anna' }),
    enter(people, room.student_join_url, { name: 'Mia' }),
  ])
  const other = index === 0 ? await startBrowserRecorder(room.join_url, join(folder, 'x11.mkv')) : null
  const since = { capture: busyOf(recorder), all: busyBelow(recorder), other: other?.busy() ?? 0 }
  await sleep(length * 60_000)
  const capture = busyOf(recorder) - since.capture
  const composing = busyBelow(recorder) - since.all - capture
  const browser = (other?.busy() ?? 0) - since.other
  await other?.stop()
  await Promise.all(leave.map(go => go()))
  const left = performance.now()
  const waited = (await ready).atMs - left - GRACE_MS
  const total = busyBelow(recorder) - before

  const each = (seconds: number) => (seconds / (PEOPLE * length)).toFixed(2)
  console.log(`  live: capture ${each(capture)} CPU s for each minute of a participant,`)
  console.log(`  composing ${each(composing)} at the lowest priority, which gives way to everything else`)
  if (other) {
    const ratios = [capture, capture + composing].map(ours => (ours / browser).toFixed(2))
    console.log(`  a browser recorder beside it: ${each(browser)}; ratios ${ratios.join(' and ')} (aim: 0.1)`)
  }
  console.log(`  in total: ${each(total)}`)
  console.log(`  from the end of the session to recording.ready: ${(waited / 1000).toFixed(1)} s (aim: 10)`)
}

await people.close()
await service.stop()
rmSync(folder, { recursive: true, force: true })
