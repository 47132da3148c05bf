import { join } from 'node:path'
import type { Page } from 'playwright-core'

export type Shoot = (page: Page, name: string, options?: { fullPage?: boolean }) => Promise<void>

/**
 * Pictures for people to look at, taken only when they ask for them: `LECTERN_SHOTS=<folder> npm run test:e2e`. A
 * wall of pixels costs these small machines a second.
 */
export function shotsOf(story: string): Shoot {
  const folder = process.env.LECTERN_SHOTS
  return async (page, name, options) => {
    if (folder) await page.screenshot({ ...options, path: join(folder, story, `${name}.png`) })
  }
}
