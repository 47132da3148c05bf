import { pdf, textAt } from '@lectern/converter/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawAt, paper } from './support/board.ts'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { button } from './support/panels.ts'
import { createHostedRoom } from './support/rooms.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { waitFor } from './support/wait.ts'

// A lesson with a document of three pages and an image, without devices: what the teacher brings reaches the student.

const ORANGE = [255, 153, 51]
const GREEN = [51, 204, 102]
const BLUE = [102, 128, 255]
const PURPLE = [138, 58, 134]
/** A page with a coloured upper half, on which its number is written. */
const document = pdf(
  [ORANGE, GREEN, BLUE].map((color, at) => ({
    content: `${color.map(each => (each / 255).toFixed(2)).join(' ')} rg 0 300 842 295 re f 0 g ${textAt(`Fractions, part ${at + 1}`, 72, 450)}`,
  })),
)

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONVERTER_EMBEDDED: '1' }))
const takeScreenshot = screenshotsOf('board-slides')
const open = useBrowser([], { keepsPagesOpen: true })

/** The colours within a few pixels of the middle of the page's width, at this share of its height. */
const colorsAt = (page: Page, y: number): Promise<number[][]> =>
  paper(page)
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement, y) => {
      const at = [Math.round(canvas.width / 2) - 4, Math.round(canvas.height * y) - 4] as const
      const data = [...(canvas.getContext('2d')?.getImageData(...at, 8, 8).data ?? [])]
      return Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 3))
    }, y)

/** Pictures of pages may be JPEG. */
const isNear = (color: number[], wanted: readonly number[]) =>
  wanted.every((value, i) => Math.abs(value - (color[i] ?? 0)) < 24)
const seesColor = (page: Page, wanted: readonly number[], y = 0.1) =>
  waitFor(
    async () => (await colorsAt(page, y)).some(each => isNear(each, wanted)),
    `the colour ${wanted} at ${y} of the page`,
  )
/** On white and on orange, which are as red as possible; lines are thin. */
const seesLine = (page: Page, y: number) =>
  waitFor(
    async () => (await colorsAt(page, y)).some(([red = 255]) => red < 200),
    `a line at ${y} of the page`,
  )

describe('slides in a lesson', () => {
  let teacher: Page
  let student: Page
  beforeAll(async () => {
    const partner = lectern.client(await lectern.addAccount())
    const lesson = await createHostedRoom(partner, 'slides', open)
    const join = { withoutDevices: true, reducedMotion: 'reduce' } as const
    ;({ page: teacher } = await lesson.teacher(join))
    ;({ page: student } = await lesson.student(join))
    await button(teacher, 'Board').click()
    await paper(student).waitFor()
  })
  const choose = async (name: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    await teacher.getByRole('region', { name: 'Drawing tools' }).getByRole('button', { name: 'More' }).click()
    const [chooser] = await Promise.all([teacher.waitForEvent('filechooser'), button(teacher, name).click()])
    await chooser.setFiles(file)
  }

  it('are a document whose pages both see, and on which both draw', async () => {
    await choose('Slides…', { name: 'Fractions.pdf', mimeType: 'application/pdf', buffer: document })
    for (const page of [teacher, student]) await seesColor(page, ORANGE)
    await teacher.getByText('2 / 4').waitFor()
    await student.getByText('Fractions, part 1').waitFor({ state: 'attached' })
    await drawAt(teacher, 0.2)
    await seesLine(student, 0.2)
    await drawAt(student, 0.7)
    await seesLine(teacher, 0.7)
    await takeScreenshot(teacher, 'slides-teacher')
    await takeScreenshot(student, 'slides-student')
  })

  it('are turned by the teacher, and by a student alone, who comes back', async () => {
    await teacher.keyboard.press('PageDown')
    for (const page of [teacher, student]) await seesColor(page, GREEN)
    await button(student, 'Next page').click()
    await seesColor(student, BLUE)
    await seesColor(teacher, GREEN)
    await button(student, 'Back to the teacher').click()
    await seesColor(student, GREEN)
  })

  it('get an image, which the student sees in its place', async () => {
    const image = await teacher.evaluate(async () => {
      const canvas = new OffscreenCanvas(400, 200)
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = '#8a3a86'
      context.fillRect(0, 0, 400, 200)
      return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())]
    })
    await choose('Image…', { name: 'graph.png', mimeType: 'image/png', buffer: Buffer.from(image) })
    for (const page of [teacher, student]) await seesColor(page, PURPLE, 0.5)
    await takeScreenshot(teacher, 'slides-image')
    expect(await teacher.getByText(/could not be/).count()).toBe(0)
  })
})
