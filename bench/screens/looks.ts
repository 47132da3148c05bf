import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { isSmoke } from '../support/size.ts'

type Size = readonly [width: number, height: number]

/** Windows, and phones in both orientations, with and without the bars of their browsers. */
const SIZES: readonly Size[] = [
  [1440, 900],
  [1024, 700],
  [390, 844],
  [390, 664],
  [360, 640],
  [844, 340],
  [720, 405],
]
const FEW: readonly Size[] = [
  [1440, 900],
  [390, 844],
]

export interface Look {
  locale: string
  colorScheme: 'light' | 'dark'
  sizes: readonly Size[]
}

/** How each screen is taken. */
export const LOOKS: readonly Look[] = isSmoke
  ? [{ locale: 'en', colorScheme: 'light', sizes: [[390, 844]] }]
  : [
      { locale: 'en', colorScheme: 'light', sizes: SIZES },
      { locale: 'en', colorScheme: 'dark', sizes: FEW },
      { locale: 'de', colorScheme: 'light', sizes: FEW },
      { locale: 'ar', colorScheme: 'light', sizes: FEW },
    ]

export const optionsOf = ({ locale, colorScheme }: Look): BrowserContextOptions => ({
  locale,
  colorScheme,
  reducedMotion: 'reduce',
  viewport: { width: 1440, height: 900 },
})

/** Layout and videos have settled. */
const SETTLE_MS = 500

/** Takes pictures, and counts them. */
export class Camera {
  readonly #folder: string
  count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A picture of each size. `open` opens the screen once more for each of them. */
  async take(
    page: Page,
    name: string,
    { locale, colorScheme, sizes }: Look,
    open: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await open()
      await page.waitForTimeout(SETTLE_MS)
      const look = [locale, colorScheme, `${width}x${height}`].join('-')
      mkdirSync(join(this.#folder, name), { recursive: true })
      await page.screenshot({ path: join(this.#folder, name, `${look}.png`) })
      this.count += 1
    }
  }
}
