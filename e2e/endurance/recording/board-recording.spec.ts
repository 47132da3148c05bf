import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomChoices, seededRandom, testSeed } from '@lectern/common/testing'
import { changeBoard, WatchedPage } from '@lectern/control-client'
import { pdf } from '@lectern/converter/testing'
import {
  type ElementContent,
  type PageState,
  pageElements,
  versionsOfPage,
} from '@lectern/protocol/control/client'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { paper } from '../../support/board.ts'
import { type Member, signInByLink, useMembers } from '../../support/members.ts'
import { button } from '../../support/panels.ts'
import { useRecordedLessons } from '../../support/recorded-lessons.ts'
import { killRecorder, waitForStandby } from '../../support/recorder-kill.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { waitFor } from '../../support/wait.ts'

const seed = testSeed()
const random = seededRandom(seed)
const { below, chance, pick } = randomChoices(random)
const between = (from: number, to: number) => from + below(to - from)

const { lectern, receiver, openRed, makeFolder, partner } = await useRecordedLessons(2, {
  SVC_CONVERTER_EMBEDDED: '1',
})
const enter = useMembers()

const MOMENTS_OF_PAGE = 5
/** The moment of each page before which the recorder is killed: what is drawn next, it does not see. */
const KILLED_BEFORE = 2
/** After a take-over, until the next recorder follows the board. */
const TAKEN_OVER_MS = 8_000
/** Nothing changes for so long before a moment and after it: a recording shows strokes while they are drawn. */
const QUIET_MS = 1_200

/** Upright, so that the recording has bars beside it. */
const DOCUMENT = pdf([{ width: 595, height: 842, content: '0.9 0.6 0.2 rg 50 500 495 292 re f\n' }])

/** The board in a frame of 1280 by 720 (recorder's compose/layout.ts), and what is around a page there. */
const [TILE_WIDTH, TILE_HEIGHT] = [972, 546]
const TILE = `crop=${TILE_WIDTH}:${TILE_HEIGHT}:12:86`
const FITTED = `scale=${TILE_WIDTH}:${TILE_HEIGHT}:force_original_aspect_ratio=decrease:flags=area,pad=${TILE_WIDTH}:${TILE_HEIGHT}:-1:-1:0x23262d`
/** Pictures are compared in cells of this many pixels: compression and smoothing change single ones. */
const CELL = 6
const [COLUMNS, ROWS] = [TILE_WIDTH / CELL, TILE_HEIGHT / CELL]
/** Of 255. */
const NOTICEABLE = 40
/** Of all cells: edges of texts, whose letters browsers place on whole pixels. */
const DIFFERENCE_MAX = 0.01

/** The cells of a picture, red, green and blue. */
const cellsOf = (file: string, seek: string[], filter: string): Buffer =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', ...seek, '-i', file, '-frames:v', '1'],
    ...['-vf', `${filter},scale=${COLUMNS}:${ROWS}:flags=area`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
  ])

/** The share of cells of which somebody would see that they differ. */
function difference(one: Buffer, other: Buffer): number {
  let different = 0
  for (let at = 0; at < one.length; at += 3)
    if ([0, 1, 2].some(c => Math.abs((one[at + c] ?? 0) - (other[at + c] ?? 0)) > NOTICEABLE)) different++
  return different / (COLUMNS * ROWS)
}

/** The page as a participant sees it. */
async function seen(page: Page): Promise<Buffer> {
  const url = await paper(page)
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

const place = () => ({ x: between(100, 1_000), y: between(100, 700) })
const color = () => pick(['#1c2a2b', '#b3261e', '#1f5fa8', '#1e7a34', '#f2c200'])

function stroke(): ElementContent {
  const { x, y } = place()
  const steps = Array.from({ length: between(20, 120) }, () => [
    between(-60, 90),
    between(-60, 60),
    between(-8, 8),
  ])
  const data = {
    points: [x * 10, y * 10, 128, ...steps.flat()],
    color: color(),
    duration_ms: between(0, 900),
  }
  return chance(0.7)
    ? { kind: 'stroke', data: { ...data, width: between(2, 12) } }
    : { kind: 'marker', data: { ...data, width: between(20, 40) } }
}

function shape(): ElementContent {
  const { x, y } = place()
  const ends = { x1: x, y1: y, x2: x + between(-90, 300), y2: y + between(-90, 200) }
  const fill = chance(0.5) ? { fill: color() } : {}
  return {
    kind: pick(['line', 'arrow', 'rectangle', 'ellipse'] as const),
    data: { ...ends, color: color(), width: between(2, 10), ...fill },
  }
}

function text(): ElementContent {
  const words = pick(['x² + 2x = 8', 'Привет, мир', 'مرحبا بالعالم', 'שלום', '∫ √2 ≤ π', 'Two\nlines'])
  const { x, y } = place()
  return { kind: 'text', data: { x, y, width: 500, text: words, size: between(24, 80), color: color() } }
}

it(`a recording shows the board as a browser does, at ten moments, on blank pages and on those of documents, while recorders are killed (seed ${seed})`, async () => {
  const lesson = await createHostedRoom(partner(), 'board', openRed)
  await partner().putSlides('board', new Uint8Array(DOCUMENT))
  const isReady = async () => (await partner().getSlides('board')).slides?.state === 'ready'
  await waitFor(isReady, 'the document is converted')
  const link = lesson.links.teacher
  const account = await signInByLink(link)
  const teacher = await enter({ url: lectern.url, tag: lesson.tag, account, link }).waitForJoin()
  const { page: student } = await lesson.student({
    withoutDevices: true,
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
  })
  const index = () => teacher.view?.board
  await waitFor(
    () => index()?.pages.some(page => page.background.kind === 'document'),
    'the slides are on the board',
  )
  await command(teacher, 'board.page_add', { page_id: 'squared1', background: { kind: 'squared' } })
  const slide = index()?.pages.find(page => page.background.kind === 'document')

  const folder = makeFolder()
  const moments: { atMs: number; file: string }[] = []
  let elements = 0
  const settle = async () => {
    await sleep(QUIET_MS)
    const file = join(folder, `moment-${moments.length}.png`)
    const atMs = Date.now()
    writeFileSync(file, await seen(student))
    moments.push({ atMs, file })
    await sleep(QUIET_MS)
  }
  for (const page_id of ['squared1', String(slide?.page_id)]) {
    await command(teacher, 'board.page_show', { page_id })
    const onPage: { element_id: string; version: number }[] = []
    for (let moment = 0; moment < MOMENTS_OF_PAGE; moment++) {
      const isKilled = moment === KILLED_BEFORE
      if (isKilled) await waitForStandby(lectern.pid)
      const takeOver = isKilled ? killRecorder(lectern.pid) : null
      for (const make of [stroke, stroke, stroke, shape, text]) {
        const element = { element_id: `element-${++elements}`, version: 1 }
        await command(teacher, 'board.put', { page_id, ...element, ...make() })
        onPage.push(element)
      }
      if (moment === 1) {
        const moved = onPage.slice(0, 4)
        for (const each of moved) each.version++
        await command(teacher, 'board.move', { page_id, dx: 150, dy: 90, elements: moved })
      }
      if (moment === 2) {
        const erased = onPage.slice(-8, -4).map(each => ({ ...each, version: each.version + 1 }))
        await command(teacher, 'board.delete', { page_id, elements: erased })
      }
      if (moment === 3) await bringImage(student)
      if (takeOver) await takeOver.then(() => sleep(TAKEN_OVER_MS))
      await settle()
    }
  }
  const pages = ['squared1', String(slide?.page_id)].map(
    id => [id, new WatchedPage(teacher.client, teacher.session, id)] as const,
  )
  await waitFor(() => pages.every(([, page]) => page.isComplete), 'both pages are there')
  const versions = pages.map(([id, page]) => [id, versionsOfPage(new Map(page.elements))] as const)
  teacher.leave()
  await student.close()

  const { event } = await receiver.next(lesson.tag)
  if (event.type !== 'recording.ready') throw new Error(`got ${event.type}`)
  const { files, started_at_ms } = event.data.recording
  const read = (path: string) => partner().downloadBlob(String(files.find(file => file.path === path)?.url))
  const video = join(folder, 'recording.mkv')
  writeFileSync(video, Buffer.from(await (await read('recording.mkv')).arrayBuffer()))
  const board = (await (await read('board.json')).json()) as { pages: (PageState & { page_id: string })[] }
  expect(
    Object.fromEntries(board.pages.map(page => [page.page_id, versionsOfPage(pageElements(page))])),
    'each element once',
  ).toEqual(Object.fromEntries(versions))

  const wanted = moments.map(({ file }) => cellsOf(file, [], FITTED))
  const recorded = moments.map(({ atMs }) =>
    cellsOf(video, ['-ss', ((atMs - started_at_ms) / 1000).toFixed(3)], TILE),
  )
  const differences = recorded.map((each, at) => difference(each, wanted[at] as Buffer))
  console.log(`Cells that differ: ${differences.map(each => `${(each * 100).toFixed(2)} %`).join(', ')}`)
  expect(Math.max(...differences)).toBeLessThan(DIFFERENCE_MAX)
  const others = wanted.slice(1).map((each, at) => difference(each, wanted[at] as Buffer))
  expect(Math.min(...others), 'the moments differ').toBeGreaterThan(0)
  expect(median(others), 'by more than is permitted').toBeGreaterThan(DIFFERENCE_MAX)
})

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]

const command = (member: Member, name: string, body: object) =>
  changeBoard(member.client, member.session, name as never, body as never)

async function bringImage(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Drawing tools' }).getByRole('button', { name: 'More' }).click()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Image…').click()])
  await chooser.setFiles({ name: 'graph.png', mimeType: 'image/png', buffer: graph() })
  await waitFor(
    async () => (await page.getByRole('button', { name: 'Larger' }).count()) > 0,
    'the image is there',
  )
}

/** A picture with two colours. */
const graph = (): Buffer =>
  execFileSync('ffmpeg', [
    ...[
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'color=0x8a3a86:size=400x300,drawbox=w=200:color=0x3a8a46:t=fill',
    ],
    ...['-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', '-'],
  ])
