import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { args, isSmoke } from '../support/size.ts'
import { beepAndFlash } from './beep-and-flash.ts'
import { enter, openBrowser } from './people.ts'
import { startRecordedService } from './service.ts'

/**
 * The audio/video synchronization of recordings: a page beeps and flashes once per second, and the recording is searched
 * for both. Argument: the duration of the session in minutes.
 */
const minutes = Number(args[0] ?? (isSmoke ? 0.1 : 5))

const AIM_MS = 60
const FRAMES_PER_SECOND = 25
const RATE = 8_000

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-sync-'))
const service = await startRecordedService(folder)
const people = await openBrowser()
const room = await service.partner.createRoom('sync')
const ready = service.ready(room.tag)
const leave = await enter(people, room.teacher_join_url, { name: 'Anna', script: beepAndFlash })
console.log(`A lesson of ${minutes} min …`)
await sleep(minutes * 60_000)
await leave()
const { recording } = await ready
const recordingFile = join(folder, 'recording.mkv')
const file = recording.files.find(({ path }) => path === 'recording.mkv')
writeFileSync(
  recordingFile,
  Buffer.from(await (await service.partner.downloadBlob(String(file?.url))).arrayBuffer()),
)
await people.close()
await service.stop()

const apart = pair(flashes(), beeps())
const ends = [
  ['the first 40 s', apart.slice(0, 40)],
  ['the last 40 s', apart.slice(-40)],
  ['all', apart],
] as const
for (const [what, each] of ends) {
  const sorted = each.toSorted((a, b) => a - b)
  const [least, middle, most] = [0, 0.5, 1].map(part => sorted[Math.round(part * (sorted.length - 1))] ?? 0)
  console.log(
    `${what}: beeps come ${least} to ${most} ms after their flashes, median ${middle} ms (${each.length})`,
  )
}
console.log(
  `The aim is ${AIM_MS} ms either way; a frame of the recording lasts ${1000 / FRAMES_PER_SECOND} ms.`,
)
rmSync(folder, { recursive: true, force: true })

/** The times of flashes in ms. */
function flashes(): number[] {
  const filter = `crop=iw/4:ih/4,scale=1:1,fps=${FRAMES_PER_SECOND}`
  const grey = decode(['-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'])
  return risesOf(grey, level => level > 128).map(at => (at * 1000) / FRAMES_PER_SECOND)
}

/** The times of beeps in ms. */
function beeps(): number[] {
  const bytes = decode(['-map', 'a:0', '-ac', '1', '-ar', String(RATE), '-f', 's16le', '-'])
  const block = RATE / 200
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
  const loudest = Array.from({ length: Math.floor(samples.length / block) }, (_, at) =>
    samples.subarray(at * block, (at + 1) * block).reduce((most, each) => Math.max(most, Math.abs(each)), 0),
  )
  return risesOf(loudest, level => level > 1_500).map(at => at * 5)
}

function decode(args: string[]): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', '-i', recordingFile, ...args], { maxBuffer: 2 ** 31 })
}

/** The rising edges after at least half a second of false values. */
function risesOf(levels: ArrayLike<number>, isHigh: (level: number) => boolean): number[] {
  const quiet = levels.length / (recording.duration_ms / 500)
  const rises: number[] = []
  let low = 0
  for (let at = 0; at < levels.length; at++) {
    if (!isHigh(levels[at] ?? 0)) low++
    else {
      if (low >= quiet) rises.push(at)
      low = 0
    }
  }
  return rises
}

/** The delay of each beep after its flash; negative if it is earlier. */
function pair(seen: number[], beeps: number[]): number[] {
  return seen.flatMap(flash => {
    const near = beeps.filter(beep => Math.abs(beep - flash) < 400)
    return near.length === 1 ? [Math.round((near[0] as number) - flash)] : []
  })
}
