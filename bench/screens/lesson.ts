import type { Page } from 'playwright-core'
import type { Camera, Look } from './looks.ts'

export interface EndsParts {
  asTeacher: () => Promise<Page>
  asStudent: () => Promise<Page>
  camera: Camera
  look: Look
}

/** From the prejoin screen into the room. */
export async function join(page: Page): Promise<void> {
  await page.locator('main button[type=submit], main form button').last().waitFor()
  await page.waitForTimeout(1_500) // the preview
  await page.locator('main button[type=submit], main form button').last().click()
  await page.locator('[data-tile]').first().waitFor()
}
