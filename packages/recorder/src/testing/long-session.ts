import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Ffmpeg } from '../compose/ffmpeg.ts'
import { recordSession } from '../record-session.ts'
import { FakeJob } from './fake-job.ts'

// A program: records a session with very many events, and prints how much of the heap remains in use before, after and
// at the end. Arguments: folder of the job, folder of the archive, number of events.

const [folder, archive, count] = process.argv.slice(2) as [string, string, string]
const BATCH = 1_000
const BEN = '42.1.2'

/** Emits an event. Of 100 events, 90 are messages, 8 raise or lower a hand, and 2 are somebody who comes or goes. */
function event(job: FakeJob, number: number, atMs: number): void {
  const kind = number % 100
  if (kind < 90) job.chat(String(number), 'Please open the book on page 42.', atMs)
  else if (kind < 98) job.raiseHand(BEN, kind % 2 === 0 ? atMs : null, atMs)
  else job.people(kind === 98 ? ['Anna', 'Ben', 'Mia'] : ['Anna', 'Ben'], atMs)
}

function heapInUse(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed
}

const log = pino({ level: 'silent' })
const job = new FakeJob(folder, archive, { profile: 'raw_tracks_v1' })
job.people(['Anna', 'Ben'], Date.now())
const recording = recordSession({ ffmpeg: new Ffmpeg(), log, reserveBytes: 0, version: 'test' })(job)
while (!job.reports.includes(true)) await sleep(10)
const before = heapInUse()
for (let number = 0; number < Number(count); number++) {
  event(job, number, Date.now())
  if (number % BATCH === 0) await setImmediate()
}
const after = heapInUse()
job.endSession(Date.now())
const { outcome } = await recording
console.log(JSON.stringify({ outcome, before, after, end: heapInUse() }))
