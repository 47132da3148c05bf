import type { Page } from 'playwright-core'

/** The page of the board that is shown. */
export const paper = (page: Page) => page.locator('[data-tile=board] [role=img]')

/** Draws a horizontal line at this share of the page's height. */
export async function drawAt(page: Page, share: number): Promise<void> {
  const box = await paper(page).boundingBox()
  if (!box) throw new Error('no page is shown')
  const at = (x: number) => [box.x + box.width * x, box.y + box.height * share] as const
  await page.mouse.move(...at(0.2))
  await page.mouse.down()
  await page.mouse.move(...at(0.5), { steps: 10 })
  await page.mouse.move(...at(0.8), { steps: 10 })
  await page.mouse.up()
}
