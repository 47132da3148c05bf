import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { describe, expect, it } from 'vitest'
import { LESSON } from '../../support/links.ts'
import { descendantsOf } from '../../support/processes.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { coloursOverTime, missingMs, probe } from '../../support/recorded-video.ts'
import { killRecorder, waitForStandby } from '../../support/recorder-kill.ts'
import { missingAround, type Report } from '../../support/report.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const seed = testSeed()
const random = seededRandom(seed)

/** The minimum quiet period before a fault, in which starting processes become ready. */
const QUIET_PERIOD_MS = 8_000

/** After the last fault, a kill of the server. On an overloaded machine, starting a recorder takes half of it. */
const LAST_QUIET_PERIOD_MS = 15_000

/** Two of the moments at which the video is looked at. */
const FRAMES_MS = 400

const { lectern, receiver, openRed, openBlue, makeFolder, partner } = await useRecordedLessons(15)

const quietPeriod = () => sleep(QUIET_PERIOD_MS + random() * 2_000)
const standbyIsReady = () => waitForStandby(lectern.pid)
const killActive = () => killRecorder(lectern.pid)

interface Fault {
  what: string
  /** Resolves when the fault may be injected. */
  waitUntilDue: () => Promise<unknown>
  /** Injects the fault; resolves when media flows again. */
  inject: (people: Visitor[]) => Promise<void>
}

const faults: Fault[] = [
  { what: 'recorder', waitUntilDue: () => quietPeriod().then(standbyIsReady), inject: killActive },
  {
    what: 'the next recorder',
    waitUntilDue: () => standbyIsReady().then(() => sleep(random() * 4_000)),
    inject: killActive,
  },
  {
    what: 'ffmpeg',
    waitUntilDue: quietPeriod,
    inject: async () => {
      // One is composed every 30 s.
      await waitFor(() => killBelow('ffmpeg'), 'a chunk is being composed')
    },
  },
  {
    what: 'media worker',
    waitUntilDue: quietPeriod,
    inject: async people => {
      const seen = await Promise.all(people.map(framesSeen))
      expect(killBelow('mediasoup-worker')).toBe(true)
      await backAgain(people, seen)
    },
  },
  {
    what: 'server',
    waitUntilDue: quietPeriod,
    inject: async people => {
      await lectern.stop('SIGKILL')
      const killed = Date.now()
      await lectern.start()
      console.log(`The server is ready again after ${Date.now() - killed} ms`)
      await backAgain(people, await Promise.all(people.map(framesSeen)))
    },
  },
]

describe('kill -9 while a lesson is recorded', () => {
  it('leaves one record, one webhook, and a video with short gaps at each kill', async () => {
    const { teacher_join_url, student_join_url, tag } = await partner().createRoom('survivor', LESSON)
    const teacher = await Visitor.join(await openRed(teacher_join_url))
    const student = await Visitor.join(await openBlue(student_join_url))
    await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
    await teacher.page.getByText('REC', { exact: true }).waitFor()
    const people = [teacher, student]

    const outages: { what: string; from: number; to: number }[] = []
    for (const { what, waitUntilDue, inject } of faults) {
      await waitUntilDue()
      const from = Date.now()
      await inject(people)
      outages.push({ what, from, to: Date.now() })
    }
    await sleep(LAST_QUIET_PERIOD_MS)
    const leftAt = Date.now()
    await Promise.all(people.map(({ page }) => page.close()))

    const { event } = await receiver.next(tag)
    if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
    const { recording } = event.data
    const read = (path: string) =>
      partner().downloadBlob(String(recording.files.find(file => file.path === path)?.url))
    const report = (await (await read('report.json')).json()) as Report
    const videoFile = join(makeFolder(), 'recording.mkv')
    writeFileSync(videoFile, Buffer.from(await (await read('recording.mkv')).arrayBuffer()))

    const { seconds } = await probe(videoFile)
    expect(Math.abs(seconds * 1000 - recording.duration_ms)).toBeLessThan(500)
    expect(recording.started_at_ms + recording.duration_ms).toBeGreaterThan(leftAt - 2_000)

    const colours = await coloursOverTime(videoFile)
    let recovered = Number.NEGATIVE_INFINITY
    for (const [index, { what, from, to }] of outages.entries()) {
      const start = from - recording.started_at_ms
      const next = (outages[index + 1]?.from ?? leftAt) - recording.started_at_ms
      const isRecorder = what.includes('recorder')
      const missing = isRecorder ? missingAround(report, start) : missingMs(colours, start - 1_500, next)
      console.log(
        `${what}: ${missing} ms are missing, of an outage of ${to - from} ms; the aim is 2000 ms more`,
      )
      // The recovery time depends on the machine, but recovery MUST complete before the next fault.
      if (isRecorder) expect.soft(missing, `after ${what}`).toBeLessThan(next - start)
      const missingIn = (since: number, until: number) =>
        missingMs(colours, Math.max(since, recovered), until)
      expect.soft(missingIn(start - 3_000, start - 1_000), `before ${what}`).toBe(0)
      // The sooner a standby is ready, the sooner the next recorder is killed.
      if (isRecorder) recovered = start + missing + FRAMES_MS
      expect.soft(missingIn(next - 2_000, next - 500), `after ${what}`).toBe(0)
    }
    await sleep(3_000)
    expect(receiver.of(tag)).toHaveLength(1)
    expect(receiver.refused).toEqual([])
  })
})

/** Returns false if no such process was running. */
function killBelow(word: string): boolean {
  return descendantsOf(lectern.pid, word).filter(kill).length > 0
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false // it has exited
  }
}

const framesSeen = async ({ page }: Visitor): Promise<number[]> =>
  page
    .locator('video')
    .evaluateAll(videos =>
      videos.map(video => (video as HTMLVideoElement).getVideoPlaybackQuality().totalVideoFrames),
    )

/** Waits until both receive further frames of each other. */
async function backAgain(people: Visitor[], before: number[][]): Promise<void> {
  await Promise.all(
    people.map((visitor, index) =>
      waitFor(async () => {
        const now = await framesSeen(visitor)
        return now.length >= 2 && now.every((frames, each) => frames !== before[index]?.[each])
      }, 'both see each other again'),
    ),
  )
}
