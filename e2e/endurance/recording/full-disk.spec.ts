import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { LESSON } from '../../support/links.ts'
import { standbyOf, workerOf } from '../../support/processes.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { coloursOverTime, missingMs, probe } from '../../support/recorded-video.ts'
import type { Report } from '../../support/report.ts'
import { useSmallDisks } from '../../support/small-disk.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const QUIET_PERIOD_MS = 5_000
const FULL_MS = 5_000
/** Of the recorder's disk; capture leaves the reserve alone. */
const [RECORDER_MIB, RESERVE_MIB] = [160, 32]
/** The server takes no file that would leave less than 500 MB. */
const SERVER_MIB = 640

/** Of sound: 20 ms. Eight thousand of them are more than two MiB. */
const [SAMPLES, PACKET] = [960, Buffer.alloc(300, 0xfc)]

/** The recorder is not a package of these tests. */
const inRecorder = (path: string) => pathToFileURL(repositoryPath(`packages/recorder/src/${path}`)).href

const dataFolder = useFolders()()
const makeDisk = useSmallDisks()
const serverDisk = await makeDisk(dataFolder, SERVER_MIB)
const recorderDisk = await makeDisk(join(dataFolder, 'recorder'), RECORDER_MIB)
const { lectern, receiver, openRed, openBlue, makeFolder, partner } = await useRecordedLessons(2, {
  SVC_SERVER_DATA_DIR: dataFolder,
  SVC_WORKER_RESERVE_MIB: String(RESERVE_MIB),
})

beforeAll(async () => {
  await lectern.command('user', 'set', 'school-backend', '--capability', 'recordings.access')
})

describe('a lesson whose recorder runs out of disk space', () => {
  it('is recorded except for the outage, also if the recorder is killed meanwhile or the lesson ends before space is available', async () => {
    const { tag, people, leave, recordingIsShown } = await beginLesson('recorder-full')
    const [recorder, standby] = [
      workerOf(lectern.pid, 'recorder'),
      await waitFor(() => standbyOf(lectern.pid, 'recorder'), 'there is a standby recorder'),
    ]
    await sleep(QUIET_PERIOD_MS)
    const full = Date.now()
    recorderDisk.fillExcept(RESERVE_MIB / 2)
    await recordingIsShown(false)
    await sleep(FULL_MS)
    recorderDisk.clear()
    const clearedAt = Date.now()
    await recordingIsShown(true)
    const recorded = Date.now()
    await sleep(QUIET_PERIOD_MS)
    const fullSoon = Date.now()
    recorderDisk.fill()
    await recordingIsShown(false)
    const killed = Date.now()
    expect.soft(workerOf(lectern.pid, 'recorder'), 'the recorder has not restarted').toBe(recorder)
    process.kill(Number(recorder), 'SIGKILL')
    await waitFor(() => workerOf(lectern.pid, 'recorder') === standby, 'the next recorder is active')
    await sleep(FULL_MS)
    recorderDisk.clear()
    const clearedAgainAt = Date.now()
    await recordingIsShown(true)
    const recordedAgain = Date.now()
    await sleep(QUIET_PERIOD_MS)
    const fullAgain = Date.now()
    recorderDisk.fill()
    await recordingIsShown(false)
    await sleep(FULL_MS)
    await seeEachOther(people)
    const left = await leave()
    await sleep(FULL_MS)
    expect(recorderDisk.freeBytes).toBe(0)
    expect(receiver.of(tag)).toEqual([])
    recorderDisk.clear()

    const { recording, videoFile, report, deliveredAt } = await delivered(tag)
    const colours = await coloursOverTime(videoFile)
    const missing = (from: number, to: number) =>
      missingMs(colours, from - recording.started_at_ms, to - recording.started_at_ms)
    // The last frame is shown for three more seconds when media is missing.
    expect.soft(missing(full - 4_000, full), 'before').toBe(0)
    expect.soft(missing(full + 4_000, clearedAt), 'while the disk is full').toBeGreaterThan(0)
    expect.soft(missing(recorded + 1_500, killed - 2_000), 'when there is space again').toBe(0)
    expect.soft(missing(recordedAgain + 2_500, fullAgain), 'when the next recorder has space').toBe(0)
    expect.soft(missing(fullAgain + 4_500, left), 'at the end').toBeGreaterThan(0)
    const endedAt = recording.started_at_ms + recording.duration_ms
    expect.soft(endedAt, 'the recording lasts as long as the lesson').toBeGreaterThan(fullAgain + FULL_MS)
    expect.soft(endedAt).toBeLessThan(deliveredAt)
    const said = report.troubles.filter(({ name }) => name.startsWith('disk_'))
    // The next recorder repeats events that the first one possibly could not write.
    const transitions = said.filter(({ name }, index) => name !== said[index - 1]?.name).slice(0, 5)
    const [gone, back] = ['disk_full', 'disk_has_room']
    expect.soft(transitions.map(({ name }) => name)).toEqual([gone, back, gone, back, gone])
    const periods = [
      [full, clearedAt],
      [clearedAt, recorded],
      [fullSoon, killed],
      [clearedAgainAt, recordedAgain],
      [fullAgain, left],
    ] as const
    for (const [index, [from, to]] of periods.entries()) {
      const at = transitions[index]?.at_ms ?? 0
      expect.soft(at, `the report of transition ${index}`).toBeGreaterThanOrEqual(from)
      expect.soft(at, `the report of transition ${index}`).toBeLessThanOrEqual(to)
    }
    // A journal counts missing packets when space is available again; a killed process cannot write the count.
    for (const track of report.tracks.filter(({ journal }) => journal.startsWith('0001'))) {
      expect.soft(track.not_written, track.source).toBeGreaterThan(0)
      expect.soft(track.gap_count, track.source).toBeGreaterThan(0)
    }
    expect.soft(report.attempts, 'the recorder runs until it is killed').toHaveLength(2)
    expect.soft(workerOf(lectern.pid, 'recorder')).toBe(standby)
    await expectOneDelivery(tag)
  })
})

describe('a lesson whose server runs out of disk space', () => {
  it('continues, ends, and is stored when space is available; writes fail with a temporary error meanwhile', async () => {
    const { pid } = lectern
    const hasty = lectern.client(await lectern.addAccount('hasty'), { retryDelaysMs: [] })
    await hasty.createRoom('hers', LESSON)
    const { tag, people, leave } = await beginLesson('server-full')
    await sleep(QUIET_PERIOD_MS)
    serverDisk.fill()
    await hasty.getRoom('hers')
    await expect(hasty.createRoom('another', LESSON)).rejects.toMatchObject({
      ...{ status: 503, code: 'temporarily_unavailable' },
    })
    expect((await fetch(`${lectern.url}/healthz`)).status).toBe(200)
    await sleep(FULL_MS)
    await seeEachOther(people)
    const leftAt = await leave()
    await sleep(FULL_MS)

    serverDisk.fillExcept(400) // space for the databases, but not for files
    await waitFor(() => interruptedUploads().length >= 2, 'the recorder retries')
    expect(interruptedUploads()).toEqual(
      interruptedUploads().map(() => expect.objectContaining({ status: 507 })),
    )
    expect(Math.max(...interruptedUploads().map(({ wait_ms }) => wait_ms))).toBeLessThanOrEqual(10_000)
    await hasty.createRoom('another', LESSON)
    expect(receiver.of(tag)).toEqual([])
    serverDisk.clear()

    const { recording, videoFile, deliveredAt } = await delivered(tag)
    const colours = await coloursOverTime(videoFile)
    const until = leftAt - recording.started_at_ms
    expect.soft(missingMs(colours, until - 10_000, until - 1_000)).toBe(0)
    expect.soft(recording.duration_ms).toBeGreaterThan(until - 1_000)
    expect.soft(recording.duration_ms).toBeLessThan(deliveredAt - recording.started_at_ms)
    await expectOneDelivery(tag)
    expect(lectern.pid).toBe(pid)
    expect((await fetch(`${lectern.url}/readyz`)).status).toBe(200)
  })
})

describe('a recording file', () => {
  it('causes an error instead of a partial file when the disk fills up during a write', async () => {
    const { OpusFile } = await import(inRecorder('compose/ogg.ts'))
    recorderDisk.fillExcept(1)
    const file = new OpusFile(join(dataFolder, 'recorder', 'half.ogg'))
    const write = async () => {
      await file.open()
      for (let start = 0; start < 8_000 * SAMPLES; start += SAMPLES)
        await file.add({ start, samples: SAMPLES, data: PACKET })
      await file.close()
    }
    await expect(write()).rejects.toMatchObject({ code: 'ENOSPC' })
    recorderDisk.clear()
  })
})

async function beginLesson(id: string) {
  const { teacher_join_url, student_join_url, tag } = await partner().createRoom(id, LESSON)
  const teacher = await Visitor.join(await openRed(teacher_join_url))
  const student = await Visitor.join(await openBlue(student_join_url))
  const people = [teacher, student]
  const recordingIsShown = (isShown: boolean) =>
    teacher.page.getByText('REC', { exact: true }).waitFor({ state: isShown ? 'visible' : 'hidden' })
  const leave = async () => {
    await Promise.all(people.map(({ page }) => page.close()))
    return Date.now()
  }
  await seeEachOther(people)
  await recordingIsShown(true)
  return { tag, people, leave, recordingIsShown }
}

/** Waits for moving video in both directions. */
const seeEachOther = ([teacher, student]: Visitor[]) =>
  Promise.all([teacher?.waitForVideo('Mia Andersson'), student?.waitForVideo('Anna Petrova')])

/** The record of the webhook event, with its verified files. */
async function delivered(tag: string) {
  const { event, atMs: deliveredAt } = await receiver.next(tag)
  if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
  const { recording } = event.data
  const read = async (path: string): Promise<Buffer> => {
    const file = recording.files.find(each => each.path === path)
    const response = await partner().downloadBlob(String(file?.url))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256)
    return bytes
  }
  const videoFile = join(makeFolder(), 'recording.mkv')
  writeFileSync(videoFile, await read('recording.mkv'))
  const { seconds, codecs } = await probe(videoFile)
  expect(codecs.sort()).toEqual(['h264', 'opus'])
  expect(Math.abs(seconds * 1000 - recording.duration_ms)).toBeLessThan(500)
  const report: Report = JSON.parse((await read('report.json')).toString())
  return { recording, videoFile, report, deliveredAt }
}

async function expectOneDelivery(tag: string): Promise<void> {
  await sleep(3_000)
  expect(receiver.of(tag)).toHaveLength(1)
  expect(receiver.refused).toEqual([])
  const records = await partner().listRecordings()
  expect(records.filter(({ conference_tag }) => conference_tag === tag)).toHaveLength(1)
}

/** The log entries of interrupted uploads. */
const interruptedUploads = () =>
  lectern.log
    .split('\n')
    .filter(line => line.includes('an upload was interrupted'))
    .map(line => JSON.parse(line) as { status: number | null; wait_ms: number })
