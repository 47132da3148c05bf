import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Shoot } from './shots.ts'

type Size = readonly [name: string, width: number, height: number]

/** Looks for what a machine can see, at each size; pictures are for people. */
export async function look(page: Page, shoot: Shoot, name: string, sizes: readonly Size[]): Promise<void> {
  const before = page.viewportSize()
  await page.waitForTimeout(400)
  await shoot(page, name)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect({ name, violations: violations.map(({ id, nodes }) => [id, nodes[0]?.html]) }).toEqual({
    name,
    violations: [],
  })
  for (const [size, width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(200)
    await shoot(page, `${name}-${size}`, { fullPage: true })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect({ name, size, overflow }).toEqual({ name, size, overflow: 0 })
  }
  if (before) await page.setViewportSize(before)
}
