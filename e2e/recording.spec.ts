import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pdf } from '@lectern/converter/testing'
import type { WebhookEvent } from '@lectern/partner'
import { describe, expect, it } from 'vitest'
import { drawAt, paper } from './support/board.ts'
import { useRecordedLessons } from './support/recorded-lessons.ts'
import { coloursAt, loudness, probe } from './support/recorded-video.ts'
import { createHostedRoom } from './support/rooms.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const PART_BYTES = 100_000
/** A share of pixels that compression may give a colour that nobody shows. */
const NOISE = 0.02

const GREEN_SLIDE = pdf([{ width: 800, height: 450, content: '0 0.6 0 rg 0 0 800 450 re f\n' }])

const { receiver, openRed, openBlue, makeFolder, partner } = await useRecordedLessons(2, {
  SVC_CONVERTER_EMBEDDED: '1',
})

describe('a lesson of a partner', () => {
  it('is recorded automatically, announced by webhook, and downloaded with all participants, a screen with its sound and the board with its slides visible and audible (rule RECORD-1)', async () => {
    const { links } = await createHostedRoom(partner(), 'recorded', openRed)
    const { tag } = await partner().getRoom('recorded')
    await partner().putSlides('recorded', new Uint8Array(GREEN_SLIDE))
    const isReady = async () => (await partner().getSlides('recorded')).slides?.state === 'ready'
    await waitFor(isReady, 'the slide is converted')
    const teacher = await Visitor.join(await openRed(links.teacher))
    await teacher.page.getByText('REC', { exact: true }).waitFor()
    const student = await Visitor.join(await openBlue(links.student))
    await Promise.all([teacher.waitForVideo('Mia Andersson'), student.waitForVideo('Anna Petrova')])
    const moments = startClock()
    await student.page.keyboard.press('m')
    await sleep(4_000)
    moments.mark('both')
    // From here on, only the sound of the screen is audible: the voice of the fake microphone, as a track of its own.
    await teacher.page.keyboard.press('m')
    await teacher.button('Share screen').click()
    await student.waitForVideo('Anna Petrova’s screen')
    await sleep(4_000)
    moments.mark('screen')
    await teacher.button('Share screen').click()
    await sleep(4_000)
    moments.mark('silent')
    await student.page.keyboard.press('m')
    await teacher.button('Board').click()
    await paper(student.page).waitFor()
    await drawAt(teacher.page, 0.5)
    await sleep(4_000)
    moments.mark('student')
    await Promise.all([teacher.page.close(), student.page.close()])
    const leftAtMs = Date.now()

    const { event, atMs } = await receiver.next(tag)
    console.log(`From the last leave to recording.ready: ${atMs - leftAtMs} ms (2,000 of them are the grace)`)
    const recording = recordingIn(event)
    expect(recording).toMatchObject({
      conference_tag: tag,
      profile: 'consolidated_native',
      status: 'completed',
    })
    expect(recording.files.map(({ path }) => path).sort()).toEqual([
      'attendance.csv',
      'attendance.json',
      'board.json',
      'board.pdf',
      'board/page-01.png',
      'chapters.json',
      'events.jsonl',
      'poster.jpg',
      'recording.mkv',
      'report.json',
      'report.jsonl',
    ])

    const file = recording.files.find(({ path }) => path === 'recording.mkv')
    const recordingFile = join(makeFolder(), 'recording.mkv')
    const bytes = await downloadInParts(String(file?.url), file?.size ?? 0)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256)
    writeFileSync(recordingFile, bytes)

    const { seconds, codecs } = await probe(recordingFile)
    expect(codecs.sort()).toEqual(['h264', 'opus'])
    expect(Math.abs(seconds * 1000 - recording.duration_ms)).toBeLessThan(500)
    const at = (moment: string) => (moments.of(moment) - recording.started_at_ms) / 1000
    expect(at('student')).toBeLessThan(seconds)

    const both = await coloursAt(recordingFile, at('both') - 1.5)
    expect(both.red).toBeCloseTo(both.blue, 1)
    expect(both.green).toBeLessThan(NOISE)
    expect(both.red).toBeGreaterThan(0.2)
    const screen = await coloursAt(recordingFile, at('screen') - 1.5)
    expect(screen.green).toBeGreaterThan(0.3)
    expect(Math.min(screen.red, screen.blue)).toBeGreaterThan(0.01)
    const after = await coloursAt(recordingFile, at('silent') - 1)
    expect(after.green).toBeLessThan(NOISE)
    // The board shows the slide, and takes the space of the cameras.
    const board = await coloursAt(recordingFile, at('student') - 1)
    expect(board.green).toBeGreaterThan(0.4)
    expect(Math.min(board.red, board.blue)).toBeGreaterThan(0.01)

    expect(await loudness(recordingFile, at('both') - 2, at('both'))).toBeGreaterThan(-45)
    expect(await loudness(recordingFile, at('screen') - 2, at('screen'))).toBeGreaterThan(-45)
    expect(await loudness(recordingFile, at('silent') - 2.5, at('silent') - 0.5)).toBeLessThan(-70)
    expect(await loudness(recordingFile, at('student') - 2, at('student'))).toBeGreaterThan(-45)

    const contentOf = async (path: string) => {
      const { url, size } = recording.files.find(each => each.path === path) as (typeof recording.files)[0]
      return downloadInParts(String(url), size)
    }
    const jsonOf = async (path: string) => JSON.parse(String(await contentOf(path)))
    const { people } = await jsonOf('attendance.json')
    expect(people).toMatchObject([
      { name: 'Anna Petrova', external_id: 'teacher-7', role: 'moderator', hand_count: 0 },
      { name: 'Mia Andersson', external_id: null, role: 'participant', hand_count: 0 },
    ])
    for (const { present_ms, talk_ms } of people) {
      expect(present_ms).toBeGreaterThan(10_000)
      expect(talk_ms).toBeGreaterThan(2_000)
      expect(talk_ms).toBeLessThan(present_ms)
    }
    expect(await jsonOf('report.json')).toMatchObject({ attendance: people })
    const { chapters } = await jsonOf('chapters.json')
    expect(chapters).toContainEqual(
      expect.objectContaining({ kind: 'screen', name: 'Anna Petrova', from_ms: expect.any(Number) }),
    )
    const shared = chapters.find(({ kind }: { kind: string }) => kind === 'screen')
    expect(shared.from_ms / 1000).toBeLessThan(at('screen'))
    expect(shared.to_ms / 1000).toBeGreaterThan(at('screen') - 1)
    expect(chapters).toContainEqual(expect.objectContaining({ kind: 'page', page: 1 }))
    expect(await jsonOf('board.json')).toMatchObject({ pages: [{ elements: [{ kind: 'stroke' }] }] })
    const poster = join(makeFolder(), 'poster.jpg')
    writeFileSync(poster, await contentOf('poster.jpg'))
    expect((await probe(poster)).codecs).toEqual(['mjpeg'])
    expect((await coloursAt(poster, 0)).green).toBeGreaterThan(0.3)

    expect(receiver.of(tag)).toHaveLength(1)
    expect(receiver.refused).toEqual([])
  })
})

function startClock() {
  const marks = new Map<string, number>()
  return {
    mark: (name: string) => void marks.set(name, Date.now()),
    of: (name: string) => marks.get(name) ?? Number.NaN,
  }
}

function recordingIn(event: WebhookEvent) {
  if (event.type !== 'recording.ready') throw new Error(`expected recording.ready, got ${event.type}`)
  return event.data.recording
}

/** Downloads in ranges, like a partner that resumes interrupted downloads. */
async function downloadInParts(url: string, size: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let from = 0; from < size; from += PART_BYTES) {
    const response = await partner().downloadBlob(url, { range: `bytes=${from}-${from + PART_BYTES - 1}` })
    expect(response.status).toBe(206)
    parts.push(Buffer.from(await response.arrayBuffer()))
  }
  return Buffer.concat(parts)
}
