import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { paper } from '../../support/board.ts'
import { useBrowser } from '../../support/browser.ts'
import { useLectern } from '../../support/lectern.ts'
import { button } from '../../support/panels.ts'
import { useProxies } from '../../support/proxy.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const OFFLINE_MS = 60_000
const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser()
const makeProxy = useProxies()

interface Place {
  x: number
  y: number
}

/** A page whose input comes from the browser, as that of a device does. */
class Drawing {
  readonly page: Page
  readonly #devtools: CDPSession

  private constructor(page: Page, devtools: CDPSession) {
    this.page = page
    this.#devtools = devtools
  }

  static async on({ page }: Visitor): Promise<Drawing> {
    return new Drawing(page, await page.context().newCDPSession(page))
  }

  /** A horizontal line at this share of the height, with more and more pressure. */
  async byPen(share: number): Promise<void> {
    const line = await this.#lineAt(share)
    const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', { x, y }: Place, force: number) =>
      this.#devtools.send('Input.dispatchMouseEvent', {
        ...{ type, x, y, force, pointerType: 'pen', button: 'left', clickCount: 1 },
        buttons: type === 'mouseReleased' ? 0 : 1,
      })
    await send('mousePressed', line[0] as Place, 0.1)
    for (const [at, place] of line.entries()) await send('mouseMoved', place, 0.1 + (0.9 * at) / line.length)
    await send('mouseReleased', line.at(-1) as Place, 0)
  }

  async byFinger(share: number): Promise<void> {
    const line = await this.#lineAt(share)
    await this.touches('touchStart', line[0] as Place)
    for (const place of line) await this.touches('touchMove', place)
    await this.touches('touchEnd')
  }

  async touches(type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Place[]): Promise<void> {
    await this.#devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  }

  async placeAt(x: number, y: number): Promise<Place> {
    const box = await paper(this.page).boundingBox()
    if (!box) throw new Error('no page is shown')
    return { x: box.x + box.width * x, y: box.y + box.height * y }
  }

  async #lineAt(share: number): Promise<Place[]> {
    return Promise.all(Array.from({ length: 25 }, (_, at) => this.placeAt(0.2 + at / 40, share)))
  }

  /** Where the column in the middle of the page is drawn on, as shares of its height in hundredths. */
  lines(): Promise<number[]> {
    return paper(this.page)
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas
        const data = canvas.getContext('2d')?.getImageData(Math.round(width / 2), 0, 1, height).data ?? []
        const rows = Array.from({ length: height }, (_, y) => y).filter(y => (data[4 * y] ?? 255) < 200)
        return [...new Set(rows.map(y => Math.round((100 * y) / height)))]
      })
  }

  /** Everything that is on the page, as it is read to those who do not see it. */
  async listed(): Promise<string[]> {
    const tools = this.page.getByRole('region', { name: 'Drawing tools' })
    await tools.getByRole('button', { name: 'More' }).click()
    await button(this.page, 'What is on the page').click()
    const all = await this.page.getByRole('dialog').getByRole('listitem').allInnerTexts()
    await this.page.keyboard.press('Escape')
    return all.sort()
  }
}

it('a lesson of a pen and a phone: both draw at once, also while one is offline for a minute, and have every stroke once', async () => {
  const partner = lectern.client(await lectern.addAccount())
  const { links } = await createHostedRoom(partner, 'pen-and-phone', open)
  const network = await makeProxy(lectern.url)
  const enter = async (link: string, options = {}) =>
    Visitor.join(await open(link.replace(lectern.url, network.url), options), { withoutDevices: true })
  const teacher = await Visitor.join(await open(links.teacher), { withoutDevices: true })
  const student = await enter(links.student, PHONE)
  await button(teacher.page, 'Board').click()
  await paper(student.page).waitFor()
  const [pen, phone] = [await Drawing.on(teacher), await Drawing.on(student)]
  const shows = (drawing: Drawing, shares: number[]) =>
    waitFor(async () => {
      const lines = await drawing.lines()
      return shares.every(share => lines.some(line => Math.abs(line - 100 * share) <= 1))
    }, `lines at ${shares}`)

  await Promise.all([pen.byPen(0.1), phone.byFinger(0.2)])
  for (const each of [pen, phone]) await shows(each, [0.1, 0.2])

  // The palm on the screen of the pen draws nothing.
  await pen.touches('touchStart', await pen.placeAt(0.5, 0.95))
  await pen.touches('touchMove', await pen.placeAt(0.5, 0.85))
  await pen.touches('touchEnd')

  // Two fingers enlarge the page on the phone, and draw nothing.
  const [left, right] = [await phone.placeAt(0.4, 0.5), await phone.placeAt(0.6, 0.5)]
  await phone.touches('touchStart', left)
  await phone.touches('touchStart', left, right)
  for (const by of [10, 20, 30, 40])
    await phone.touches('touchMove', { ...left, x: left.x - by }, { ...right, x: right.x + by })
  await phone.touches('touchEnd')
  await button(student.page, 'Fit').click()

  network.cut()
  await student.page.getByText(/Connection lost|You are offline|interrupted/).waitFor()
  const since = Date.now()
  for (const share of [0.3, 0.4, 0.5]) await Promise.all([phone.byFinger(share), pen.byPen(share + 0.3)])
  await student.page.getByRole('button', { name: 'Undo' }).click()
  await sleep(OFFLINE_MS - (Date.now() - since))
  const here = await phone.lines()
  expect(here.filter(line => line > 55)).toEqual([])
  network.restore()
  for (const each of [pen, phone]) await shows(each, [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8])
  await phone.byFinger(0.9)
  await shows(pen, [0.9])

  const drawings = [...Array(4).fill(`Drawing by ${ANNA}`), ...Array(4).fill(`Drawing by ${MIA}`)]
  expect(await pen.listed()).toEqual(drawings)
  expect(await phone.listed()).toEqual(drawings)
})
