import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { PHONE, type Size } from './render.tsx'

interface AppearanceOptions {
  /** Limits the accessibility check to an element. */
  selector?: string
  sizes?: readonly Size[]
}

/**
 * Checks that the page has no accessibility violation in light and dark mode, and no horizontal overflow at any size,
 * by default at 320 px, also from right to left. Colours change at once, so that nothing waits for a transition.
 */
export async function checkAppearance(
  name: string,
  { selector = 'html', sizes = [PHONE] }: AppearanceOptions = {},
): Promise<void> {
  const { documentElement: html } = document
  const before = { theme: html.dataset.theme }
  await finishTransitions()
  for (const theme of ['dark', 'light'] as const) {
    html.dataset.theme = theme
    await finishTransitions()
    await expectNoViolation(`${name}, ${theme}`, selector, theme === 'light') // only colours differ from dark mode
  }
  html.dataset.theme = before.theme
  await checkFit(name, { sizes })
}

/** Checks that the page has no horizontal overflow at any size, by default at 320 px, also from right to left. */
export async function checkFit(
  name: string,
  { sizes = [PHONE] }: { sizes?: readonly Size[] } = {},
): Promise<void> {
  const { documentElement: html } = document
  const before = { dir: html.dir, size: [innerWidth, innerHeight] as const }
  for (const size of sizes) {
    await page.viewport(...size)
    for (const dir of ['ltr', 'rtl'] as const) {
      html.dir = dir
      await expect
        .poll(findOverflow, { message: `${name} overflows at ${size.join(' × ')}, ${dir}` })
        .toEqual(0)
    }
  }
  html.dir = before.dir
  await page.viewport(...before.size)
}

/** The states to which all transitions and finite animations lead. */
async function finishTransitions(): Promise<void> {
  await new Promise(requestAnimationFrame)
  for (const each of document.getAnimations())
    if (each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) each.finish()
}

/**
 * No selectors of what is right, and no reading of all styles again for the only rule that wants it: that nothing is turned
 * where a phone is held otherwise (ui/styles.test.ts). Both took more than half of the time.
 */
const OPTIONS = { resultTypes: ['violations'], selectors: false, preload: false } satisfies RunOptions

async function expectNoViolation(message: string, selector: string, onlyColours: boolean): Promise<void> {
  const { violations } = await axe.run(selector, {
    ...OPTIONS,
    ...(onlyColours && { runOnly: ['color-contrast'] }),
  })
  expect(
    violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
    message,
  ).toEqual([])
}

/** By how many pixels the page, its header, its dialog or the area below it is wider than its space. */
function findOverflow(): number {
  const { documentElement: html } = document
  // Where the whole page scrolls, what scrolls inside of it are code and tables.
  const hasAreas = html.scrollHeight <= innerHeight
  const areas = [...document.querySelectorAll('main > *')].filter(each => {
    const { overflowX, overflowY } = getComputedStyle(each)
    return hasAreas && overflowX === 'auto' && overflowY === 'auto'
  })
  const excess = [...areas, ...document.querySelectorAll('header, aside, dialog')].map(
    each => each.scrollWidth - each.clientWidth,
  )
  return Math.max(html.scrollWidth - innerWidth, ...excess)
}
