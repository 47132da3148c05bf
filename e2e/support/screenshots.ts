import { join } from 'node:path'
import type { Page } from 'playwright-core'

export type TakeScreenshot = (page: Page, name: string, options?: { fullPage?: boolean }) => Promise<void>

/**
 * Takes screenshots for review, only if requested: `LECTERN_SHOTS=<folder> npm run test:e2e`. A large screenshot takes
 * a second on a small machine.
 */
export function screenshotsOf(story: string): TakeScreenshot {
  const folder = process.env.LECTERN_SHOTS
  return async (page, name, options) => {
    if (folder) await page.screenshot({ ...options, path: join(folder, story, `${name}.png`) })
  }
}
