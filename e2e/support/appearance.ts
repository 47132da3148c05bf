import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TakeScreenshot } from './screenshots.ts'

type Size = readonly [name: string, width: number, height: number]

export const PHONE = ['phone', 320, 640] as const
const WALL = ['wall', 3840, 2160] as const

interface AppearanceOptions {
  shoot: TakeScreenshot
  sizes?: readonly Size[]
  /** Limits the accessibility check to an element. */
  selector?: string
  /** An additional check at every size. */
  checkSize?: (width: number) => Promise<void>
}

/** The duration of colour and size transitions. */
const SETTLED_MS = 300

/**
 * Checks that a page has no accessibility violation in dark and light mode and no horizontal overflow at any size.
 * Takes screenshots if they are enabled.
 */
export async function checkAppearance(
  page: Page,
  name: string,
  { shoot, sizes = [PHONE, WALL], selector, checkSize }: AppearanceOptions,
): Promise<void> {
  const originalSize = page.viewportSize()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(SETTLED_MS)
    await shoot(page, `${name}-${colorScheme}`)
    const axe = new AxeBuilder({ page }).setLegacyMode() // no iframes to analyse, which would need another page
    if (selector) axe.include(selector)
    if (colorScheme === 'light') axe.withRules('color-contrast') // only colours differ from dark mode
    const violations = async () =>
      (await axe.analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])
    // The colour of a button changes while it becomes enabled.
    await expect
      .poll(violations, { message: `${name}, ${colorScheme}`, timeout: 5_000, interval: SETTLED_MS })
      .toEqual([])
  }
  for (const [size, width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(SETTLED_MS)
    await shoot(page, `${name}-${size}`, { fullPage: width < WALL[1] })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect({ name, size, overflow }).toEqual({ name, size, overflow: 0 })
    await checkSize?.(width)
  }
  if (originalSize) await page.setViewportSize(originalSize)
}
