import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { renderRoom } from '../../testing/room.tsx'

const UPRIGHT = [390, 844] as const
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tile = (name: string) =>
  [...document.querySelectorAll<HTMLElement>('[data-tile]')].find(each => each.textContent?.includes(name))
const boxOf = (element: Element | null | undefined) => {
  if (!element) throw new Error('an element was expected')
  return element.getBoundingClientRect()
}
const plateOf = (name: string) => tile(name)?.querySelector('p:has(bdi)')
const overlap = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Drags the middle of an element to a point of the page. */
function drag(element: Element, x: number, y: number): void {
  const box = boxOf(element)
  const fire = (type: string, clientX: number, clientY: number) =>
    element.dispatchEvent(
      new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, clientX, clientY }),
    )
  const { setPointerCapture } = Element.prototype
  Element.prototype.setPointerCapture = () => {} // there is no such pointer
  try {
    fire('pointerdown', box.x + box.width / 2, box.y + box.height / 2)
    fire('pointermove', x, y)
    fire('pointerup', x, y)
  } finally {
    Element.prototype.setPointerCapture = setPointerCapture
  }
}

describe('two people on an upright phone', () => {
  it('have a half each, and a press enlarges the other one', async () => {
    const { devices, offer } = await renderRoom({ size: UPRIGHT })
    await devices.start()
    await offer('mia')
    await expect.poll(() => boxOf(tile('Mia')).height).toBeCloseTo(boxOf(tile('Anna')).height)
    expect(boxOf(tile('Mia')).width).toBeGreaterThan(360)
    await expect
      .poll(() => Number(tile('Mia')?.querySelector('video')?.style.scale.split(' ')[0]))
      .toBeGreaterThan(1.5)
    await checkAppearance('two halves')
    await button('Pin Mia Andersson').click()
    await expect.poll(() => tile('Anna')?.dataset.overlay).toBe('true')
    await expect.poll(() => boxOf(tile('Anna')).height).toBeLessThan(200)
    await checkAppearance('the other one is enlarged')
    await button('Pin Mia Andersson').click({ position: { x: 20, y: 60 } })
    await expect.poll(() => tile('Anna')?.dataset.overlay).toBeUndefined()
  })

  it.each([
    ['from left to right', 'en', false],
    ['from right to left', 'ar', true],
  ] as const)(
    'have a small own view that moves to each corner, and covers no name: %s',
    async (_, language, isMirrored) => {
      const { room } = await renderRoom({ size: UPRIGHT, language })
      room.spotlight.togglePin('person mia')
      await expect.poll(() => tile('Anna')?.dataset.overlay).toBe('true')
      const own = tile('Anna') as HTMLElement
      const stage = boxOf(document.querySelector('main section'))
      for (const [block, y] of [
        ['top', stage.top + 60],
        ['bottom', stage.bottom - 60],
      ] as const)
        for (const side of ['left', 'right'] as const) {
          drag(own, side === 'left' ? stage.left + 60 : stage.right - 60, y)
          const inline = (side === 'left') === isMirrored ? 'end' : 'start'
          expect(room.stage.get().corner).toEqual({ block, inline })
          await expect.poll(() => overlap(boxOf(own), boxOf(plateOf('Mia')))).toBe(false)
          expect(own.style.translate).toBe('')
        }
      own.querySelector('button')?.focus()
      await userEvent.keyboard('{ArrowUp}')
      expect(room.stage.get().corner).toEqual({ block: 'top', inline: isMirrored ? 'start' : 'end' })
    },
  )
})
