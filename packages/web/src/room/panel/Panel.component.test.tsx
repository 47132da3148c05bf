import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aMessage } from '../../call/testing/session.ts'
import { ModuleLoader } from '../../module-loader.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { DESKTOP, PHONE, type Size } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'
import type { RoomParts } from '../parts.ts'

const UPRIGHT: Size = [390, 844]
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tab = (name: RegExp) => page.getByRole('tab', { name })
const field = page.getByRole('textbox', { name: 'Write a message' })
const place = () => document.querySelector('aside')

describe('the panel', () => {
  it('has a tab for each feature of the room, which arrow keys choose, also from right to left', async () => {
    const { control } = await renderRoom({
      room: {
        features: {
          chat: true,
          transcription: true,
          mainNavigation: false,
          recordingControls: false,
          screenSharing: true,
          files: true,
          reactions: true,
        },
      },
    })
    await userEvent.keyboard('p')
    expect(
      page
        .getByRole('tab')
        .elements()
        .map(each => each.textContent),
    ).toEqual(['Participants2', 'Chat'])
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    expect((place()?.getBoundingClientRect().width ?? 0) / rem).toBeCloseTo(372 / 16, 2)
    tab(/^Participants/)
      .element()
      .focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(tab(/^Chat/)).toHaveFocus()
    await expect.element(field).toBeVisible()
    document.documentElement.dir = 'rtl'
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(tab(/^Participants/)).toHaveFocus()
    document.documentElement.dir = 'ltr'
    control.updateSession({ transcription: true })
    await expect.element(tab(/^Transcript/)).toBeVisible()
    await checkKeyboard()
    await checkAppearance('tabs', { selector: 'aside' })
  })

  it('has the files of the chat, the newest first, as soon as there is one', async () => {
    const { control } = await renderRoom()
    await userEvent.keyboard('p')
    expect(tab(/^Files/).query()).toBeNull()
    const file = (name: string) => ({ file_id: name, name, content_type: 'application/pdf', size: 5_000 })
    control.updateSession({
      messages: [
        { ...aMessage('m1', 'Page 42', '90'), display_name: 'Mia Andersson', file: file('first.pdf') },
        aMessage('m2', 'Thank you', '90'),
        { ...aMessage('m3', '', '90'), display_name: 'Mia Andersson', file: file('second.pdf') },
      ],
      has_older_messages: true,
    })
    await expect.element(tab(/^Files/)).toHaveTextContent('Files2')
    await tab(/^Files/).click()
    const names = () =>
      page
        .getByRole('list', { name: 'Files' })
        .getByRole('button')
        .elements()
        .map(each => each.getAttribute('aria-label'))
    expect(names()).toEqual(['Download second.pdf', 'Download first.pdf'])
    await checkKeyboard()
    await checkAppearance('files', { selector: 'aside', sizes: [DESKTOP, PHONE] })
    control.handlers['chat.history'] = () => ({
      messages: [{ ...aMessage('m0', '', '90'), file: file('old.pdf') }],
      has_older: false,
    })
    await button('Search earlier messages').click()
    await expect.poll(names).toEqual(['Download second.pdf', 'Download first.pdf', 'Download old.pdf'])
  })

  it('moves the focus into what a press or a key opens, so that typing can begin', async () => {
    await renderRoom()
    await userEvent.keyboard('p')
    await tab(/^Chat/).click()
    await expect.element(field).toHaveFocus()
    await button(/^Participants/).click()
    await expect.poll(() => place()?.contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('c')
    await expect.element(field).toHaveFocus()
  })

  it('has no tab for the chat where the room has none', async () => {
    await renderRoom({
      room: {
        features: {
          chat: false,
          transcription: false,
          mainNavigation: false,
          recordingControls: false,
          screenSharing: true,
          files: true,
          reactions: true,
        },
      },
    })
    await userEvent.keyboard('p')
    expect(page.getByRole('tab').elements()).toHaveLength(1)
  })
})

describe('what buttons of the room open', () => {
  it('may not load, which the room says', async () => {
    const roomParts = new ModuleLoader<RoomParts>({
      load: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
      isServerReachable: async () => true,
      canReload: () => false,
      reload: () => {},
    })
    await renderRoom({ site: { roomParts } })
    await expect.element(page.getByRole('alert').getByText('Reload the page')).toBeVisible()
  })
})

describe('the panel on a phone', () => {
  const height = () => place()?.getBoundingClientRect().height ?? 0
  const handle = () => button(/^(Enlarge panel|Make panel smaller)$/).element() as HTMLElement

  /** Drags as a finger does; a click follows a drag. */
  function drag(by: number) {
    const { x, y, width } = handle().getBoundingClientRect()
    const at = { pointerId: 1, bubbles: true, isPrimary: true, clientX: x + width / 2 }
    const element = handle()
    element.setPointerCapture = () => {}
    element.dispatchEvent(new PointerEvent('pointerdown', { ...at, clientY: y }))
    element.dispatchEvent(new PointerEvent('pointermove', { ...at, clientY: y + by / 2 }))
    element.dispatchEvent(new PointerEvent('pointermove', { ...at, clientY: y + by }))
    element.dispatchEvent(new PointerEvent('pointerup', { ...at, clientY: y + by }))
    element.click()
  }

  it('is a sheet that is dragged up to the header, and down until it closes', async () => {
    await renderRoom({ size: UPRIGHT })
    await userEvent.keyboard('p')
    await expect.poll(() => Math.round((100 * height()) / innerHeight)).toBeLessThanOrEqual(58)
    const half = height()
    drag(-300)
    await expect.poll(height).toBeGreaterThan(half + 200)
    await checkKeyboard()
    await checkAppearance('full sheet', {
      sizes: [
        [390, 664],
        [360, 640],
        [320, 568],
      ],
    })
    drag(200)
    await expect.poll(height).toBe(half)
    drag(20)
    expect(height()).toBe(half)
    drag(300)
    await expect.poll(place).toBeNull()
  })

  it('is enlarged by key', async () => {
    await renderRoom({ size: UPRIGHT })
    await userEvent.keyboard('p')
    const half = height()
    handle().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(height).toBeGreaterThan(half + 200)
    await userEvent.keyboard('{Enter}')
    await expect.poll(height).toBe(half)
    await userEvent.keyboard('{Escape}')
    await expect.poll(place).toBeNull()
  })

  it.each([
    [360, 330],
    [390, 480],
    [640, 180],
  ] as const)(
    'has all of a window that a keyboard has left %i × %i of, while something is written',
    async (...size) => {
      const messages = Array.from({ length: 9 }, (_, at) => aMessage(`${at}`, `Message ${at}`))
      await renderRoom({ isModerator: true, size, session: { messages } })
      await userEvent.keyboard('c')
      const log = page.getByRole('region', { name: 'Messages' })
      await field.click()
      await expect.poll(height).toBeGreaterThan(innerHeight - 8)
      expect(log.element().clientHeight).toBeGreaterThan(size[1] / 2.2)
      await field.fill('Page 42')
      await button('Send').click()
      await expect.element(log).toHaveTextContent('Page 42')
      await expect.element(field).toHaveFocus()
      field.element().blur()
      await expect.element(button('Microphone')).toBeVisible()
    },
  )

  it('has no button that is smaller than a finger', async () => {
    const { update } = await renderRoom({
      isModerator: true,
      size: UPRIGHT,
      session: { lobby: [{ user_id: '20', display_name: 'Sam', reason: 'approval', waiting_since_ms: 1 }] },
    })
    update('mia', { hand_raised_at_ms: 5 })
    await userEvent.keyboard('p')
    await expect.element(button('Lower Mia Andersson’s hand')).toBeVisible()
    const small = [...(place()?.querySelectorAll('button') ?? [])]
      .filter(each => !each.hasAttribute('data-handle') && each.getBoundingClientRect().height < 43.9)
      .map(each => each.textContent || each.ariaLabel)
    expect(small).toEqual([])
  })
})

describe('after joining', () => {
  it('the focus is on the bar, whose first button follows', async () => {
    await renderRoom()
    await expect.element(page.getByRole('region', { name: 'Controls' })).toHaveFocus()
    await userEvent.keyboard('{Tab}')
    await expect.element(button('Microphone')).toHaveFocus()
  })
})
