import axe, { type RunOptions } from 'axe-core'
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

/** As in the tests of components (packages/web/src/testing/appearance.ts): no selectors of what is right, no reading of all styles again. */
const OPTIONS = { resultTypes: ['violations'], selectors: false, preload: false } satisfies RunOptions

/** Checks the whole page, or an element. Polls: the colour of a button changes while it becomes enabled. */
async function expectNoViolation(
  page: Page,
  message: string,
  { selector, ...options }: RunOptions & { selector?: string | undefined } = {},
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = () =>
    page.evaluate(
      async ([context, options]) => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(context, options)
        return violations.map(({ id, nodes }) => [id, nodes[0]?.html])
      },
      [selector ?? 'html', { ...options, ...OPTIONS } as RunOptions] as const,
    )
  await expect.poll(violations, { message, interval: SETTLED_MS }).toEqual([])
}

/** Checks that a page has no accessibility violation as it is. */
export const checkAccessibility = (page: Page, name: string): Promise<void> => expectNoViolation(page, name)

/** By how many pixels the page, its header or the area below it is wider than its space. Runs in the page. */
function findOverflow(): number {
  const page = document.documentElement
  // Where the whole page scrolls, what scrolls inside of it are code and tables.
  const hasAreas = page.scrollHeight <= window.innerHeight
  const areas = [...document.querySelectorAll('main > *')].filter(each => {
    const { overflowX, overflowY } = getComputedStyle(each)
    return hasAreas && overflowX === 'auto' && overflowY === 'auto'
  })
  const headers = document.querySelectorAll('header')
  const excess = [...areas, ...headers].map(each => each.scrollWidth - each.clientWidth)
  return Math.max(page.scrollWidth - window.innerWidth, ...excess)
}

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
    await expectNoViolation(page, `${name}, ${colorScheme}`, {
      selector,
      ...(colorScheme === 'light' && { runOnly: ['color-contrast'] }), // only colours differ from dark mode
    })
  }
  for (const [size, width, height] of sizes) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(SETTLED_MS)
    await shoot(page, `${name}-${size}`, { fullPage: width < WALL[1] })
    expect({ name, size, overflow: await page.evaluate(findOverflow) }).toEqual({ name, size, overflow: 0 })
    await checkSize?.(width)
  }
  if (originalSize) await page.setViewportSize(originalSize)
}
