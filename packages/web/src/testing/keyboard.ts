import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DESKTOP, PHONE } from './render.tsx'

const FOCUSABLE =
  'a[href], button, input, select, textarea, summary, audio[controls], video[controls], [tabindex]'

/** More presses than any page of the tests has controls. */
const PRESSES = 150

/** At once: each call takes longer than a press. */
const TABS = '{Tab}'.repeat(10)

/**
 * Checks that Tab alone reaches every control of a page, and that each of them is then in view and marked
 * (WCAG 2.1.1, 2.4.7, 2.4.11). Of a group of radio buttons it reaches one: the arrow keys choose among them.
 */
export async function checkKeyboard(): Promise<void> {
  const reached = new Set<Element>()
  const defects: string[] = []
  let first: HTMLElement | undefined
  let isRound = false
  /** Checks what has the focus after a press, before the next one. */
  const check = () => {
    const element = document.activeElement
    // Between the last control and the first.
    if (!document.hasFocus() || !(element instanceof HTMLElement) || element.tabIndex < 0) return
    if (isRound || element === document.body) return
    isRound = element === first
    if (isRound) return
    first ??= element
    reached.add(element)
    if (!isInView(shownPart(element))) defects.push(`${describe(element)} is not in view`)
    if (!isMarked(element)) defects.push(`${describe(element)} is not marked`)
  }
  await userEvent.keyboard('{Tab}')
  addEventListener('keydown', check, { capture: true })
  try {
    for (let presses = 0; presses < PRESSES && !isRound; presses += 10) await userEvent.keyboard(TABS)
    check()
  } finally {
    removeEventListener('keydown', check, { capture: true })
  }
  first?.focus()
  const missed = controlsOfPage().filter(control => !reached.has(control))
  expect({ missed: missed.map(describe), defects }).toEqual({ missed: [], defects: [] })
}

/** `checkKeyboard` in a window and on a phone. */
export async function checkKeyboardEverywhere(): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.viewport(...size)
    await checkKeyboard()
  }
}

const describe = (element: Element) => {
  const text = element.getAttribute('aria-label') ?? element.textContent ?? ''
  return `${element.localName} "${text.trim().slice(0, 40)}"`
}

const controlsOfPage = () =>
  [...document.querySelectorAll<HTMLElement>(FOCUSABLE)]
    .filter(each => each.tabIndex >= 0 && !each.matches(':disabled') && !each.closest('[inert]'))
    .filter(each => each.checkVisibility({ visibilityProperty: true }))
    .filter(each => !isChoice(each) || represents(each))

const isChoice = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type === 'radio'

/** Whether the element represents its group: the chosen one or the first. */
const represents = (element: HTMLInputElement) => {
  const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
    each => each.name === element.name,
  )
  return element === (group.find(each => each.checked) ?? group[0])
}

/** The visible part of a control: its label where it has no size of its own. */
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
