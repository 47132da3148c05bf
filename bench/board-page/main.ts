import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartnerClient } from '@lectern/partner'
import { type Browser, chromium, type Page } from 'playwright-core'
import { delayed } from '../support/delayed.ts'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { size } from '../support/size.ts'
import { median, quantile } from '../support/statistics.ts'
import { replaceStrokes, seedStrokes } from './seed.ts'
import { measureTurns } from './turns.ts'

// A page of many strokes on a slow machine: how long it takes to open, the frames while its teacher draws, when a student
// sees what the teacher draws, or another page, and the frames and the memory after hours in which strokes were drawn and
// erased. Only the teacher's page is slowed down.

const STROKES = size('STROKES', 2_000, 100)
const SLOWDOWN = size('SLOWDOWN', 4, 1)
const DRAWN = size('DRAWN', 20, 3)
/** Of a lesson, simulated: as fast as the server takes its strokes. */
const HOURS = size('HOURS', 3, 0.02)
/** Two people who each draw a stroke every two seconds; as many are erased. */
const STROKES_AN_HOUR = 3_600
/** Of each page to the server and back. */
const ROUND_TRIP_MS = 50
/** Of the student, in each direction. */
const BITS_PER_SECOND = 10_000_000
const TURNS = size('TURNS', 10, 1)
const ARGS = ['--headless=new', '--no-sandbox', '--disable-gpu']

const paper = (page: Page) => page.locator('[data-tile=board] [role=img]')

const atPort = (port: number, url: string) => Object.assign(new URL(url), { port }).href

async function enter(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
  await page.goto(url)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('region', { name: 'Controls' }).waitFor()
  return page
}

/** The times between the frames of the page, until the returned function is called. */
async function watchFrames(page: Page): Promise<() => Promise<number[]>> {
  const frames = await page.evaluateHandle(() => {
    const times: number[] = []
    const next = (at: number) => {
      times.push(at)
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    return times
  })
  return async () => {
    const times = await frames.jsonValue()
    return times.slice(1).map((at, index) => at - (times[index] ?? 0))
  }
}

/** Where a stroke begins: its share of the height of the page. */
const heightOf = (row: number) => 0.05 + (row % 20) * 0.045

/** When the upper canvas, with the strokes that are being drawn, first shows something where a stroke begins. */
const whenInked = (page: Page, row: number): Promise<number> =>
  paper(page)
    .locator('canvas')
    .last()
    .evaluate(
      (canvas: HTMLCanvasElement, height: number) =>
        new Promise<number>(resolve => {
          // Reading all of the canvas would keep the page from drawing.
          const part = [0, Math.floor(height * canvas.height) - 10, Math.ceil(canvas.width / 8), 20] as const
          const look = () => {
            const data = canvas.getContext('2d')?.getImageData(...part).data ?? []
            if (data.some(value => value > 0)) resolve(Date.now())
            else setTimeout(look, 5)
          }
          look()
        }),
      heightOf(row),
    )

/** Draws a stroke and returns when it began. */
async function draw(page: Page, row: number): Promise<number> {
  const box = await paper(page).boundingBox()
  if (!box) throw new Error('no page is shown')
  const y = box.y + box.height * heightOf(row)
  await page.mouse.move(box.x + 20, y)
  await page.mouse.down()
  const begunAt = Date.now()
  for (let step = 1; step <= 40; step++) await page.mouse.move(box.x + 20 + step * 12, y + (step % 5) * 4)
  await page.mouse.up()
  return begunAt
}

/** A second page, with a red stroke at its left edge; the first one is shown again. */
async function addRedPage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a page' }).click()
  await page.getByRole('button', { name: 'Blank' }).click()
  await page.getByRole('img', { name: 'Page 2 of 2' }).waitFor()
  await page.getByRole('button', { name: 'Colour and width' }).click()
  await page.getByRole('button', { name: 'Red', exact: true }).click()
  await page.keyboard.press('Escape')
  await draw(page, 0)
  await page.waitForTimeout(500)
  await page.keyboard.press('PageUp')
  await page.getByRole('img', { name: 'Page 1 of 2' }).waitFor()
}

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
const port = Number(new URL(service.url).port)
const line = await delayed(port, ROUND_TRIP_MS / 2)
const slowLine = await delayed(port, ROUND_TRIP_MS / 2, BITS_PER_SECOND)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS })
try {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const room = await partner.createRoom('board', {
    title: 'Board',
    teacher: { display_name: 'Anna' },
    student: { display_name: 'Ben' },
  })
  const teacher = await enter(browser, atPort(line.port, room.teacher_join_url))
  const student = await enter(browser, atPort(slowLine.port, room.student_join_url))
  const guest = await new Guests(service).register('Drawer')
  await seedStrokes(service.url, room.tag, guest, STROKES)
  const protocol = await teacher.context().newCDPSession(teacher)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })

  const openedAt = Date.now()
  await teacher.getByRole('button', { name: 'Board', exact: true }).click()
  await paper(teacher).waitFor()
  const isDrawn = (canvas: HTMLCanvasElement) =>
    canvas
      .getContext('2d')
      ?.getImageData(0, 0, canvas.width, canvas.height)
      .data.some(value => value < 100)
  while (!(await paper(teacher).locator('canvas').first().evaluate(isDrawn)));
  console.log(`${STROKES} strokes: on the screen after ${Date.now() - openedAt} ms, with the board's code`)

  const measureFrames = async (when: string) => {
    const framesOf = await watchFrames(teacher)
    for (let row = 0; row < DRAWN; row++) await draw(teacher, row)
    const frames = await framesOf()
    console.log(
      `${when}: frames of ${median(frames).toFixed(1)} ms, p95 ${quantile(frames, 0.95).toFixed(1)}, p99 ${quantile(frames, 0.99).toFixed(1)}`,
    )
  }
  const usedMiB = async () => {
    await protocol.send('HeapProfiler.collectGarbage')
    const { usedSize } = await protocol.send('Runtime.getHeapUsage')
    return (usedSize / 2 ** 20).toFixed(1)
  }
  await measureFrames('own ink')

  const delays: number[] = []
  for (let row = 0; row < DRAWN; row++) {
    const inked = whenInked(student, row)
    const begunAt = await draw(teacher, row)
    delays.push((await inked) - begunAt)
    await student.waitForTimeout(500)
  }
  console.log(
    `ink of others: visible after ${median(delays).toFixed(0)} ms, p95 ${quantile(delays, 0.95).toFixed(0)}, with ${ROUND_TRIP_MS} ms from each page to the server and back`,
  )

  await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await addRedPage(teacher)
  await measureTurns({
    ...{ teacher, student, line: slowLine, rounds: TURNS, strokes: STROKES },
    ...{ roundTripMs: ROUND_TRIP_MS, bitsPerSecond: BITS_PER_SECOND },
  })

  const before = await usedMiB()
  const strokes = Math.round(HOURS * STROKES_AN_HOUR)
  await replaceStrokes(service.url, room.tag, guest, { first: STROKES, strokes, kept: STROKES })
  await teacher.waitForTimeout(2_000)
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await measureFrames(`after ${strokes} further strokes, as many of them erased`)
  console.log(`memory of the page: ${before} MiB before them, ${await usedMiB()} MiB after them`)
} finally {
  await browser.close()
  for (const each of [line, slowLine]) each.close()
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}
