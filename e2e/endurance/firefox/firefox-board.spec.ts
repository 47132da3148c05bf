import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { drawAt, paper } from '../../support/board.ts'
import { useBrowser } from '../../support/browser.ts'
import { useFirefox } from '../../support/firefox.ts'
import { useLectern } from '../../support/lectern.ts'
import { button } from '../../support/panels.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONVERTER_EMBEDDED: '1' }))
const open = useFirefox()
const openChromium = useBrowser()

/** In shares of the page. */
interface Part {
  x: number
  y: number
}

/** The colours of a narrow column of the page, from a little above to a little below a point. */
const colorsAt = (page: Page, { x, y }: Part): Promise<number[][]> =>
  paper(page)
    .locator('canvas')
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, [x, y]) => {
        const area = [Math.round(canvas.width * x), Math.round(canvas.height * y) - 15, 1, 30] as const
        const data = [...(canvas.getContext('2d')?.getImageData(...area).data ?? [])]
        return Array.from({ length: area[3] }, (_, at) => data.slice(4 * at, 4 * at + 3))
      },
      [x, y] as const,
    )

/** The height of what is drawn around a point of the page, in pixels: those at an edge count by how dark they are. */
const thicknessAt = async (page: Page, part: Part): Promise<number> =>
  (await colorsAt(page, part)).reduce((height, color) => height + 1 - Math.max(...color) / 255, 0)

const seesLine = (page: Page, y: number) =>
  waitFor(() => thicknessAt(page, { x: 0.5, y }), `a line at ${y} of the page`)

/** Draws a line with a pen that is pressed more and more; BiDi has a pen, and Playwright has none. */
const drawWithPen = (page: Page, y: number): Promise<void> =>
  paper(page).evaluate((element, y) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const fire = (type: string, part: number) =>
      element.dispatchEvent(
        new PointerEvent(type, {
          ...{ pointerId: 20, pointerType: 'pen', isPrimary: true, bubbles: true, cancelable: true },
          button: type === 'pointermove' ? -1 : 0,
          pressure: type === 'pointerup' ? 0 : 0.1 + 0.9 * part,
          ...{ clientX: left + width * (0.2 + 0.6 * part), clientY: top + height * y },
        }),
      )
    fire('pointerdown', 0)
    for (let at = 1; at <= 40; at++) fire('pointermove', at / 40)
    fire('pointerup', 1)
  }, y)

async function pasteGreenImage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(200, 150)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = '#007700'
    context.fillRect(0, 0, 200, 150)
    const image = await canvas.convertToBlob({ type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
  })
  await page.keyboard.press('Control+v')
}

it('the board in Firefox draws with mouse and pen, undoes, writes and pastes, and Chromium shows the same', async () => {
  const { links } = await createHostedRoom(lectern.client(await lectern.addAccount()), 'board', open)
  const tab = await open(links.teacher)
  const { page: teacher } = await Visitor.join(tab)
  const { page: student } = await Visitor.join(await openChromium(links.student), { withoutDevices: true })
  await button(teacher, 'Board').click()
  await paper(student).waitFor()

  await drawAt(teacher, 0.1)
  await seesLine(student, 0.1)
  await drawAt(student, 0.2)
  await seesLine(teacher, 0.2)
  await teacher.keyboard.press('Control+z')
  await waitFor(async () => (await thicknessAt(student, { x: 0.5, y: 0.1 })) === 0, 'the line is undone')
  await seesLine(teacher, 0.2)

  await drawWithPen(teacher, 0.3)
  await seesLine(student, 0.3)
  const [light, firm] = [0.25, 0.75].map(x => thicknessAt(student, { x, y: 0.3 }))
  expect(await firm).toBeGreaterThan((await light) as number)

  await button(teacher, 'Text').click()
  const box = await paper(teacher).boundingBox()
  if (!box) throw new Error('no page is shown')
  await teacher.mouse.click(box.x + box.width * 0.2, box.y + box.height * 0.7)
  await teacher.keyboard.type('MMMMMMMM')
  await teacher.keyboard.press('Escape')
  await student.getByText('MMMMMMMM').waitFor({ state: 'attached' }) // for screen readers
  const isWritten = async () => (await thicknessAt(student, { x: 0.205, y: 0.7 })) > 0
  await waitFor(isWritten, 'the text is drawn')

  await pasteGreenImage(teacher)
  await waitFor(
    async () =>
      (await colorsAt(student, { x: 0.5, y: 0.5 })).some(([red = 255, green = 0]) => red < 60 && green > 80),
    'the image is in the middle of the page',
  )
  expect(tab.console).toEqual([])
})
