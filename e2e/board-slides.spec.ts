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

const COLORS = ['1 0.6 0.2', '0.2 0.8 0.4', '0.4 0.5 1']
const RGB = ['255,153,51', '51,204,102', '102,128,255']
/** A page with a coloured upper half, on which its number is written. */
const document = pdf(
  COLORS.map((color, at) => ({
    content: `${color} rg 0 300 842 295 re f 0 g ${textAt(`Fractions, part ${at + 1}`, 72, 450)}`,
  })),
)

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONVERTER_EMBEDDED: '1' }))
const takeScreenshot = screenshotsOf('board-slides')
const open = useBrowser([], { keepsPagesOpen: true })

/** Whether a colour is on the page within a few pixels of the middle of its width, at this share of its height. */
const hasColor = (page: Page, color: string, y: number): Promise<boolean> =>
  paper(page)
    .locator('canvas')
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, [wanted, y]) => {
        const at = [Math.round(canvas.width / 2) - 4, Math.round(canvas.height * y) - 4] as const
        const { data } = canvas.getContext('2d')?.getImageData(...at, 8, 8) ?? { data: [] }
        // Pictures of pages may be JPEG.
        const isNear = (from: number) =>
          wanted.every((value, i) => Math.abs(value - (data[from + i] ?? 0)) < 24)
        return Array.from({ length: 64 }, (_, i) => 4 * i).some(isNear)
      },
      [color.split(',').map(Number), y] as const,
    )

const seesColor = (page: Page, color: string, y = 0.1) =>
  waitFor(() => hasColor(page, color, y), `the colour ${color} at ${y} of the page`)

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
    for (const page of [teacher, student]) await seesColor(page, RGB[0] ?? '')
    await teacher.getByText('2 / 4').waitFor()
    await student.getByText('Fractions, part 1').waitFor({ state: 'attached' })
    await drawAt(teacher, 0.2)
    await seesColor(student, '28,42,43', 0.2)
    await drawAt(student, 0.7)
    await seesColor(teacher, '28,42,43', 0.7)
    await takeScreenshot(teacher, 'slides-teacher')
    await takeScreenshot(student, 'slides-student')
  })

  it('are turned by the teacher, and by a student alone, who comes back', async () => {
    await teacher.keyboard.press('PageDown')
    for (const page of [teacher, student]) await seesColor(page, RGB[1] ?? '')
    await button(student, 'Next page').click()
    await seesColor(student, RGB[2] ?? '')
    await seesColor(teacher, RGB[1] ?? '')
    await button(student, 'Back to the teacher').click()
    await seesColor(student, RGB[1] ?? '')
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
    for (const page of [teacher, student]) await seesColor(page, '138,58,134', 0.5)
    await takeScreenshot(teacher, 'slides-image')
    expect(await teacher.getByText(/could not be/).count()).toBe(0)
  })
})
