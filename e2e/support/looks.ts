import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Shoot } from './shots.ts'

type Size = readonly [name: string, width: number, height: number]

export const PHONE = ['phone', 320, 640] as const
const WALL = ['wall', 3840, 2160] as const

interface Ways {
  shoot: Shoot
  sizes?: readonly Size[]
  /** Where axe looks, if not everywhere. */
  part?: string
  /** What else is to be so at each size. */
  also?: (width: number) => Promise<void>
}

/** Colours that change on the way from light to dark, or to another size, have arrived. */
const SETTLED_MS = 300

/**
 * What a machine can see of a page: it has no accessibility violation, in dark and in light, and fits each size.
 * Pictures are for people.
 */
export async function look(
  page: Page,
  name: string,
  { shoot, sizes = [PHONE, WALL], part, also }: Ways,
): Promise<void> {
  const before = page.viewportSize()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(SETTLED_MS)
    await shoot(page, `${name}-${colorScheme}`)
    const axe = new AxeBuilder({ page }).setLegacyMode() // our pages have no frames, for which it would open another page
    if (part) axe.include(part)
    if (colorScheme === 'light') axe.withRules('color-contrast') // nothing else is another one than in the dark
    const found = async () => (await axe.analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])
    // A button that is being enabled has another colour a moment later.
    await expect
      .poll(found, { message: `${name}, ${colorScheme}`, timeout: 5_000, interval: SETTLED_MS })
      .toEqual([])
  }
  for (const [size, width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(SETTLED_MS)
    await shoot(page, `${name}-${size}`, { fullPage: width < WALL[1] })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect({ name, size, overflow }).toEqual({ name, size, overflow: 0 })
    await also?.(width)
  }
  if (before) await page.setViewportSize(before)
}
