import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Colours, coloursOf, probe } from './support/film.ts'
import { useFolders } from './support/folders.ts'
import { LESSON } from './support/links.ts'
import { below } from './support/processes.ts'
import { useRecordings } from './support/recorded.ts'
import { useSmallDisks } from './support/small-disk.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const LOOKS_A_SECOND = 5
const PEACE_MS = 6_000
const FULL_MS = 5_000
/** Of the recorder's disk; capture leaves the reserve alone. */
const [RECORDER_MIB, RESERVE_MIB] = [160, 32]
/** The server takes no file that would leave less than 500 MB. */
const SERVER_MIB = 640

const dataFolder = useFolders()()
const makeDisk = useSmallDisks()
const serverDisk = await makeDisk(dataFolder, SERVER_MIB)
const recorderDisk = await makeDisk(join(dataFolder, 'recorder'), RECORDER_MIB)
const { lectern, receiver, openRed, openBlue, makeFolder, partner } = await useRecordings(2, {
  SVC_SERVER_DATA_DIR: dataFolder,
  SVC_WORKER_RESERVE_MIB: String(RESERVE_MIB),
})

describe('a lesson whose recorder finds its disk full', () => {
  it('is captured but for that time, also when it ends before there is room again', async () => {
    const { tag, people, leave } = await beginLesson('recorder-full')
    const recorder = below(lectern.pid, 'recorder')
    const outages: { from: number; to: number }[] = []

    await sleep(PEACE_MS)
    outages.push({ from: Date.now(), to: Date.now() + FULL_MS })
    recorderDisk.fill(RESERVE_MIB / 2)
    await sleep(FULL_MS)
    recorderDisk.clear()
    await seeEachOther(people)

    await sleep(PEACE_MS)
    const endsAt = Date.now()
    recorderDisk.fill()
    await sleep(FULL_MS)
    await seeEachOther(people)
    const leftAt = await leave()
    await sleep(2 * FULL_MS)
    expect(recorderDisk.freeBytes).toBeLessThan(RESERVE_MIB * 1024 * 1024)
    expect(receiver.of(tag)).toEqual([])
    recorderDisk.clear()

    const { recording, film, report } = await delivered(tag)
    const pictures = await coloursOf(film, LOOKS_A_SECOND)
    const missing = (from: number, to: number) =>
      missingIn(pictures, from - recording.started_at_ms, to - recording.started_at_ms)
    const said = JSON.stringify(report.troubles)
    console.log(`${said}\n${pictures.map(({ red, blue }) => (red < 0.1 || blue < 0.1 ? '.' : '#')).join('')}`)
    for (const { from, to } of outages) {
      expect.soft(missing(from - 4_000, from), 'before').toBe(0)
      expect.soft(missing(from, to), 'while the disk is full').toBeGreaterThan(0)
      expect.soft(missing(to + 2_000, to + PEACE_MS), 'when there is room again').toBe(0)
    }
    expect.soft(missing(endsAt - 3_000, endsAt - 1_000), 'until the disk is full for the second time').toBe(0)
    const endedAt = recording.started_at_ms + recording.duration_ms
    expect.soft(Math.abs(endedAt - leftAt), 'the film lasts as long as the lesson').toBeLessThan(2_000)
    const troubles = report.troubles.map(({ name }) => name)
    expect
      .soft(troubles.filter(name => name.startsWith('disk_')))
      .toEqual([...['disk_full', 'disk_has_room', 'disk_full', 'disk_has_room']])
    for (const track of report.tracks) {
      expect.soft(track.not_written, track.source).toBeGreaterThan(0)
      expect.soft(track.gap_count, track.source).toBeGreaterThan(0)
    }
    expect.soft(report.attempts).toHaveLength(1)
    expect.soft(below(lectern.pid, 'recorder')).toEqual(recorder)
    await isToldOnce(tag)
  }, 180_000)
})

describe('a lesson whose server finds its disk full', () => {
  it('goes on, ends, and is stored when there is room; meanwhile whoever writes hears that it cannot be now', async () => {
    const { pid } = lectern
    const hasty = lectern.client(await lectern.addAccount('hasty'), { retryDelaysMs: [] })
    await hasty.createRoom('hers', LESSON)
    const { tag, people, leave } = await beginLesson('server-full')
    await sleep(PEACE_MS)
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

    serverDisk.clear()
    serverDisk.fill(400) // room for the databases, and none for files
    await waitFor(() => brokenOff().length >= 2, 'the recorder tries more than once', 60_000)
    expect(brokenOff()).toEqual(brokenOff().map(() => expect.objectContaining({ status: 507 })))
    await hasty.createRoom('another', LESSON)
    expect(receiver.of(tag)).toEqual([])
    serverDisk.clear()

    const { recording, film } = await delivered(tag)
    const pictures = await coloursOf(film, LOOKS_A_SECOND)
    const until = leftAt - recording.started_at_ms
    expect.soft(missingIn(pictures, until - 10_000, until - 1_000)).toBe(0)
    expect.soft(Math.abs(recording.duration_ms - until)).toBeLessThan(2_000)
    await isToldOnce(tag)
    expect(lectern.pid).toBe(pid)
    expect((await fetch(`${lectern.url}/readyz`)).status).toBe(200)
  }, 180_000)
})

async function beginLesson(id: string) {
  const { teacher_join_url, student_join_url, tag } = await partner().createRoom(id, LESSON)
  const teacher = await Visitor.join(await openRed(teacher_join_url))
  const student = await Visitor.join(await openBlue(student_join_url))
  const people = [teacher, student]
  await seeEachOther(people)
  await teacher.page.getByText('REC', { exact: true }).waitFor()
  const leave = async () => {
    await Promise.all(people.map(({ page }) => page.close()))
    return Date.now()
  }
  return { tag, people, leave }
}

/** Moving pictures, so the call goes on. */
const seeEachOther = ([teacher, student]: Visitor[]) =>
  Promise.all([teacher?.sees('Mia Andersson'), student?.sees('Anna Petrova')])

/** The record that the webhook tells of, and the files of it, whole. */
async function delivered(tag: string) {
  const { event } = await receiver.next(tag, 120_000)
  if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
  const { recording } = event.data
  const read = async (path: string): Promise<Buffer> => {
    const file = recording.files.find(each => each.path === path)
    const response = await partner().downloadBlob(String(file?.url))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256)
    return bytes
  }
  const film = join(makeFolder(), 'recording.mkv')
  writeFileSync(film, await read('recording.mkv'))
  const { seconds, codecs } = await probe(film)
  expect(codecs.sort()).toEqual(['h264', 'opus'])
  expect(Math.abs(seconds * 1000 - recording.duration_ms)).toBeLessThan(500)
  const report: Report = JSON.parse((await read('report.json')).toString())
  return { recording, film, report }
}

interface Report {
  attempts: number[]
  tracks: { source: string; not_written: number; gap_count: number }[]
  troubles: { name: string }[]
}

async function isToldOnce(tag: string): Promise<void> {
  await sleep(3_000)
  expect(receiver.of(tag)).toHaveLength(1)
  expect(receiver.refused).toEqual([])
  const records = await partner().listRecordings()
  expect(records.filter(({ conference_tag }) => conference_tag === tag)).toHaveLength(1)
}

/** What the log says of uploads that did not get through. */
const brokenOff = () =>
  lectern.log
    .split('\n')
    .filter(line => line.includes('an upload was broken off'))
    .map(line => JSON.parse(line) as { status: number | null })

/** For how long not both of them are in the picture. */
function missingIn(film: Colours[], fromMs: number, toMs: number): number {
  const [first, last] = [fromMs, toMs].map(ms => Math.round((ms * LOOKS_A_SECOND) / 1000))
  const missing = film.slice(first, last).filter(({ red, blue }) => red < 0.1 || blue < 0.1)
  return (missing.length * 1000) / LOOKS_A_SECOND
}
