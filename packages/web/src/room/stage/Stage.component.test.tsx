import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aMessage } from '../../call/testing/session.ts'
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
    await expect.poll(() => boxOf(tile('Mia')).height - boxOf(tile('Anna')).height).toBeCloseTo(0)
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

it('the own view on a lying phone covers neither the name nor the mute button of the other one', async () => {
  const { room, devices, offer } = await renderRoom({ size: [932, 430], isModerator: true })
  await devices.start()
  for (const what of ['camera', 'microphone'] as const) await offer('mia', what)
  await expect.poll(() => tile('Anna')?.dataset.overlay).toBe('true')
  for (const block of ['top', 'bottom'] as const)
    for (const inline of ['start', 'end'] as const) {
      room.stage.moveOwnView({ block, inline })
      const own = () => boxOf(tile('Anna'))
      await expect.poll(() => overlap(own(), boxOf(plateOf('Mia')))).toBe(false)
      await expect.poll(() => overlap(own(), boxOf(button('Mute Mia Andersson').element()))).toBe(false)
    }
})

describe('people on the stage', () => {
  it('have numbers on their raised hands, and say when their connection is lost', async () => {
    const { offer, update } = await renderRoom({ others: ['Mia Andersson', 'Sam', 'Lea'] })
    await offer('mia')
    update('sam', { hand_raised_at_ms: 9 })
    await expect.element(page.getByRole('img', { name: 'Sam raised a hand' })).toBeVisible()
    update('lea', { hand_raised_at_ms: 5 })
    await expect.element(page.getByRole('img', { name: 'Sam raised a hand, number 2' })).toBeVisible()
    await expect.element(page.getByRole('img', { name: 'Lea raised a hand, number 1' })).toBeVisible()
    update('mia', { presence: 'away' })
    await expect.poll(() => tile('Mia')?.textContent).toContain('Reconnecting…')
    update('sam', { presence: 'away' })
    await expect.poll(() => tile('Sam')?.textContent).toContain('Reconnecting…')
    const initials = tile('Sam')?.querySelector('[aria-hidden] > span')
    expect(initials?.checkVisibility({ visibilityProperty: true })).toBe(false)
    expect(getComputedStyle(tile('Mia')?.querySelector('video') as Element).opacity).toBe('0.35')
    await checkAppearance('lost', { sizes: [UPRIGHT, [844, 340]] })
  })

  it('are large while they speak or are pinned, from three on, and no video is another element then', async () => {
    const { control, offer } = await renderRoom({ others: ['Mia Andersson', 'Sam'] })
    for (const id of ['mia', 'sam']) await offer(id)
    await offer('mia', 'microphone')
    const videos = () => [...document.querySelectorAll<HTMLVideoElement>('[data-tile] video')]
    const areaOf = (name: string) => {
      const { width, height } = boxOf(tile(name))
      return width * height
    }
    const expectLarge = (large: string, small: string) =>
      expect.poll(() => areaOf(large) > 4 * areaOf(small)).toBe(true)
    const speak = (participant_id: string) =>
      control.emitSignal('speaker.active', participant_id, { participant_id })
    await expect.poll(() => videos().filter(({ paused }) => !paused).length).toBe(2)
    const before = videos()
    speak('sam')
    await expectLarge('Sam', 'Mia')
    speak('mia')
    await expect.poll(() => tile('Mia')?.hasAttribute('data-speaking')).toBe(true)
    await expectLarge('Mia', 'Sam')
    const pin = button('Pin Sam')
    pin.element().focus()
    await userEvent.keyboard('{Enter}')
    await expectLarge('Sam', 'Mia')
    await expect.element(pin).toHaveAttribute('aria-pressed', 'true')
    expect(videos().every((video, at) => video === before[at] && !video.paused)).toBe(true)
    await userEvent.keyboard('{Enter}')
    await expectLarge('Mia', 'Sam')
  })

  it('keep their size while a banner lies over them', async () => {
    const { control } = await renderRoom()
    const stage = () => boxOf(document.querySelector('main section'))
    const before = stage()
    control.disconnect()
    await expect.element(page.getByText('Connection lost')).toBeVisible()
    expect(stage()).toEqual(before)
    expect(overlap(boxOf(page.getByText('Connection lost').element()), stage())).toBe(true)
  })
})

describe('a new message', () => {
  const message = {
    ...aMessage('1', 'Page 12, please\nand then page 13', '90'),
    display_name: 'Mia Andersson',
  }

  it('lies over the stage while the chat is closed, and opens it', async () => {
    const { control, room } = await renderRoom()
    control.updateSession({ messages: [{ ...message, sent_at_ms: Date.now() + 1_000 }] })
    const bubble = () => document.querySelector<HTMLElement>('main button[aria-hidden]')
    let text: string | null | undefined
    let isOverStage = false
    // At once, as it is there for five seconds only.
    const press = () => {
      text = bubble()?.textContent ?? text
      if (bubble()) isOverStage = overlap(boxOf(bubble()), boxOf(document.querySelector('main section')))
      bubble()?.click()
      return room.panels.get()
    }
    await expect.poll(press).toBe('chat')
    expect([text, isOverStage]).toEqual(['Mia AnderssonPage 12, please', true])
    await expect.poll(bubble).toBeNull()
  })

  it('is named like its file where it has no words', async () => {
    const { control } = await renderRoom()
    const file = { file_id: '1', name: 'homework.pdf', size: 5, content_type: 'application/pdf' }
    const sent_at_ms = Date.now() + 1_000
    control.updateSession({ messages: [{ ...message, text: '', file, sent_at_ms }] })
    await expect
      .poll(() => document.querySelector('main button[aria-hidden]')?.textContent)
      .toBe('Mia Anderssonhomework.pdf')
  })
})

describe('a shared screen', () => {
  const content = () => document.querySelector<HTMLElement>('[data-zoomable] > div')
  const factor = () => Number(getComputedStyle(content() as Element).getPropertyValue('--zoom') || 1)
  const pressAt = (element: Element, x: number, y: number) => {
    for (const type of ['pointerdown', 'pointerup'])
      element.dispatchEvent(
        new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, clientX: x, clientY: y }),
      )
  }

  async function shared(language: 'en' | 'ar' = 'en') {
    const all = await renderRoom({ language })
    await all.offer('mia', 'screen')
    await expect.poll(() => content()?.querySelector('video')?.videoWidth).toBeGreaterThan(0)
    return all
  }

  it('is enlarged by buttons and keys, and fits again', async () => {
    await shared()
    await checkAppearance('screen')
    await button('Zoom in').click()
    await expect.element(page.getByText('1.5×')).toBeVisible()
    await userEvent.keyboard('+{ArrowRight}')
    expect(factor()).toBeCloseTo(2.25)
    expect(content()?.style.transform).toMatch(/translate\(-\d/)
    await checkAppearance('enlarged screen', { sizes: [UPRIGHT, [844, 340]] })
    await button('Fit').click()
    await expect.element(button('Fit')).not.toBeInTheDocument()
    await expect.element(button('Zoom in')).toHaveFocus()
    expect(content()?.style.transform).toBe('')
  })

  it('is enlarged by a double tap, a pinch and the wheel with Ctrl', async () => {
    await shared()
    const area = content()?.parentElement as HTMLElement
    const { left, top, width, height } = boxOf(area)
    const [x, y] = [left + width / 2, top + height / 2]
    const fire = (type: string, pointerId: number, clientX: number) =>
      area.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId, clientX, clientY: y }))
    for (const _ of [1, 2]) pressAt(area, x, y)
    expect(factor()).toBe(2)
    for (const _ of [1, 2]) pressAt(area, x, y)
    expect(factor()).toBe(1)
    fire('pointerdown', 1, x - 50)
    fire('pointerdown', 2, x + 50)
    fire('pointermove', 2, x + 250)
    expect(factor()).toBeCloseTo(3)
    for (const pointer of [1, 2]) fire('pointerup', pointer, x)
    const wheel = (ctrlKey: boolean, deltaY: number) =>
      area.dispatchEvent(
        new WheelEvent('wheel', { bubbles: true, cancelable: true, ctrlKey, deltaY, clientX: x, clientY: y }),
      )
    wheel(false, -30)
    expect(factor()).toBeCloseTo(3)
    wheel(true, 40)
    expect(factor()).toBeLessThan(2.5)
  })

  it.each(['en', 'ar'] as const)(
    'has the pointer of its presenter where it belongs, also enlarged: %s',
    async language => {
      const { control } = await shared(language)
      const area = content()?.parentElement as HTMLElement
      const position = { x: 0.3, y: 0.6 }
      control.emitSignal('screen.pointer', 'mia', { publication_id: 'screen-mia', position })
      await expect.poll(() => document.querySelector('[data-pointer]')).not.toBeNull()
      const { left, top, width, height } = boxOf(area)
      for (const _ of [1, 2]) pressAt(area, left + width / 3, top + height / 2)
      expect(factor()).toBe(2)
      const video = area.querySelector('video') as HTMLVideoElement
      const shown = boxOf(video)
      const scale = Math.min(shown.width / video.videoWidth, shown.height / video.videoHeight)
      const expected = {
        x: shown.left + shown.width / 2 + (position.x - 0.5) * video.videoWidth * scale,
        y: shown.top + shown.height / 2 + (position.y - 0.5) * video.videoHeight * scale,
      }
      await expect
        .poll(() => {
          const mark = boxOf(document.querySelector('[data-pointer]'))
          const away = [mark.x + mark.width / 2 - expected.x, mark.y + mark.height / 2 - expected.y]
          return Math.hypot(...away)
        })
        .toBeLessThan(3)
      expect(boxOf(document.querySelector('[data-pointer]')).width).toBeCloseTo(16, 0)
    },
  )
})

describe('captions on an upright phone', () => {
  it('have the name above, and three lines of words', async () => {
    const { control, room } = await renderRoom({
      size: UPRIGHT,
      session: { transcription: true },
      room: {
        features: {
          mainNavigation: true,
          chat: true,
          transcription: true,
          recordingControls: true,
          screenSharing: true,
          files: true,
          reactions: true,
        },
      },
    })
    room.captions.show(true)
    const phrase = {
      phrase_id: '1',
      participant_id: 'mia',
      user_id: '90',
      display_name: 'Mia Andersson',
      text: 'Let us begin with the last question of the homework. '.repeat(6),
      at_ms: Date.now(),
    }
    control.updateSession({ phrases: [phrase] })
    const captions = () => document.querySelector<HTMLElement>('main [data-lines]')
    await expect.poll(() => captions()?.textContent).toContain('homework')
    const [name, words] = [...(captions()?.querySelectorAll('p > *') ?? [])].map(boxOf)
    if (!name || !words) throw new Error('a caption was expected')
    expect(name.bottom).toBeLessThanOrEqual(words.top + 1)
    const line = Number.parseFloat(getComputedStyle(captions() as Element).lineHeight)
    expect(Math.round(words.height / line)).toBe(3)
    expect(name.top).toBeGreaterThanOrEqual(boxOf(captions()).top - 1)
    await checkAppearance('captions')
  })
})
