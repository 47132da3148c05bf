import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A control of a page, as the messages of a failed check name it. */
type Control = string

interface Step {
  control: Control
  /** What a user without a pointer misses at this control. */
  defects: string[]
}

declare global {
  interface Window {
    controlsOfPage: () => Control[]
    stepOfKeyboard: () => Step | null
  }
}

/** More presses than any page of the stories has controls. */
const PRESSES = 400

/**
 * Checks that Tab alone reaches every control of a page, and that each of them is then in view and marked
 * (WCAG 2.1.1, 2.4.7, 2.4.11). Of a group of radio buttons it reaches one: the arrow keys choose among them.
 */
export async function checkKeyboard(page: Page, name: string): Promise<void> {
  await page.evaluate(defineSteps)
  const controls = await page.evaluate(() => window.controlsOfPage())
  const reached = new Set<Control>()
  const defects: string[] = []
  let first: Control | undefined
  for (let i = 0; i < PRESSES; i++) {
    await page.keyboard.press('Tab')
    const step = await page.evaluate(() => window.stepOfKeyboard())
    if (!step) continue // between the last control and the first
    if (step.control === first) break
    first ??= step.control
    reached.add(step.control)
    defects.push(...step.defects.map(defect => `${step.control}: ${defect}`))
  }
  // Buttons get other names when devices open meanwhile.
  const remaining = new Set(await page.evaluate(() => window.controlsOfPage()))
  const missed = controls.filter(control => remaining.has(control) && !reached.has(control))
  expect({ name, missed, defects }).toEqual({ name, missed: [], defects: [] })
}

/** Runs in the page. */
function defineSteps() {
  const FOCUSABLE =
    'a[href], button, input, select, textarea, summary, audio[controls], video[controls], [tabindex]'
  const numbers = new Map<Element, number>()
  const describe = (element: Element) => {
    const number = numbers.get(element) ?? numbers.size
    numbers.set(element, number)
    const text = element.getAttribute('aria-label') ?? element.textContent ?? ''
    return `${number} ${element.localName} "${text.trim().slice(0, 40)}"`
  }
  const isChoice = (element: Element): element is HTMLInputElement =>
    element instanceof HTMLInputElement && element.type === 'radio'
  /** Of a group, the chosen one or the first. */
  const represents = (element: HTMLInputElement) => {
    const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
      each => each.name === element.name,
    )
    return element === (group.find(each => each.checked) ?? group[0])
  }
  window.controlsOfPage = () =>
    [...document.querySelectorAll<HTMLElement>(FOCUSABLE)]
      .filter(each => each.tabIndex >= 0 && !each.matches(':disabled') && !each.closest('[inert]'))
      .filter(each => each.checkVisibility({ visibilityProperty: true }))
      .filter(each => !isChoice(each) || represents(each))
      .map(describe)

  /** What is seen of a control: its label where it has no size of its own. */
  const shownPart = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width * height > 4 ? element : (element.closest('label') ?? element.parentElement ?? element)
  }
  const isInView = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [0.5, 0.1, 0.9].some(part => {
      const found = document.elementFromPoint(left + width * part, top + height * part)
      return found !== null && (element.contains(found) || found.contains(element))
    })
  }
  const isMarked = (element: Element) => {
    const around = [element, element.nextElementSibling, element.parentElement, element.closest('label')]
    return around.some(each => each && getComputedStyle(each).outlineStyle !== 'none')
  }
  window.stepOfKeyboard = () => {
    const element = document.activeElement
    // A page that is shown gets the focus itself, wherever the keyboard is in between.
    if (!(element instanceof HTMLElement) || element === document.body || element.tabIndex < 0) return null
    const defects: string[] = []
    if (!isInView(shownPart(element))) defects.push('is not in view')
    if (!isMarked(element)) defects.push('is not marked')
    return { control: describe(element), defects }
  }
}
