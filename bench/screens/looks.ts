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

/** Phones whose window a keyboard on the screen has made lower. */
export const WITH_KEYBOARD: readonly Size[] = [
  [390, 480],
  [360, 330],
]

/** A phone has a touch screen, and neither keys nor a pointer that rests on something. */
const isPhone = ([width, height]: Size): boolean => Math.min(width, height) <= 390

export interface Look {
  locale: string
  colorScheme: 'light' | 'dark'
  sizes: readonly Size[]
}

const ALL = ['en-light', 'en-dark', 'de-light', 'de-dark', 'ar-light', 'ar-dark'] as const

/** The values that a variable of the environment lists, or all of them. */
const chosen = <T>(name: string, all: readonly T[], nameOf: (each: T) => string): readonly T[] => {
  const wanted = process.env[name]?.split(',')
  return wanted ? all.filter(each => wanted.includes(nameOf(each))) : all
}

/** How each screen is taken. `LOOKS` and `SIZES` select some. */
export const LOOKS: readonly Look[] = isSmoke
  ? [{ locale: 'en', colorScheme: 'light', sizes: [[390, 844]] }]
  : chosen('LOOKS', ALL, each => each).map(each => ({
      locale: each.slice(0, 2),
      colorScheme: each.endsWith('dark') ? 'dark' : 'light',
      sizes: chosen('SIZES', SIZES, size => size.join('x')),
    }))

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
    const screen = await page.context().newCDPSession(page)
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await screen.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone([width, height]) })
      await open()
      await page.waitForTimeout(SETTLE_MS)
      const look = [locale, colorScheme, `${width}x${height}`].join('-')
      mkdirSync(join(this.#folder, name), { recursive: true })
      await page.screenshot({ path: join(this.#folder, name, `${look}.png`) })
      this.count += 1
    }
    await screen.detach() // which ends the emulation
  }
}
