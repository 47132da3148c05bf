import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

type Size = readonly [name: string, width: number, height: number]

/** Takes pictures for people to look at, and looks for what a machine can see, at each size. */
export async function look(page: Page, folder: string, name: string, sizes: readonly Size[]): Promise<void> {
  const before = page.viewportSize()
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect({ name, violations: violations.map(({ id, nodes }) => [id, nodes[0]?.html]) }).toEqual({
    name,
    violations: [],
  })
  for (const [size, width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(200)
    await page.screenshot({ path: join(folder, `${name}-${size}.png`), fullPage: true })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect({ name, size, overflow }).toEqual({ name, size, overflow: 0 })
  }
  if (before) await page.setViewportSize(before)
}
