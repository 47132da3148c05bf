import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { refuse } from '../call/testing/fake-control.ts'
import { aParticipant } from '../call/testing/session.ts'
import { USUAL_LOOK } from '../link/testing.ts'
import { checkAppearance } from '../testing/appearance.ts'
import { checkKeyboard } from '../testing/keyboard.ts'
import { DESKTOP, PHONE, type Size } from '../testing/render.tsx'
import { pressInMore, renderRoom } from '../testing/room.tsx'

const SIZES: readonly Size[] = [[360, 740], PHONE, [740, 360], DESKTOP, [3840, 2160]]
const LYING: Size = [740, 360]
/** Phones with the bars of their browsers. */
const SMALL: readonly Size[] = [
  [390, 664],
  [360, 640],
]

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const boxOf = (element: Element | null) => {
  if (!element) throw new Error('an element was expected')
  return element.getBoundingClientRect()
}

describe('the room', () => {
  it('alone has no accessibility violation, fits, and is reached by the Tab key', async () => {
    await renderRoom({ others: [], isModerator: true })
    await expect.element(page.getByText('You are the only one here')).toBeVisible()
    await checkKeyboard()
    await checkAppearance('alone', { sizes: SIZES })
    for (const [width, height] of SIZES) {
      await page.viewport(width, height)
      await expect.poll(() => boxOf(button('Leave').element()).right).toBeLessThanOrEqual(width)
    }
  })

  it('alone offers its link to be copied, where it has one that may be shared', async () => {
    await renderRoom({ others: [], room: { invitationUrl: 'https://meet.example/k7mq' } })
    await expect.element(page.getByText('meet.example/k7mq')).toBeVisible()
    await button('Copy invitation link').click()
    await expect.element(page.getByText('Copied.')).toBeInTheDocument()
    expect(await navigator.clipboard.readText()).toBe('https://meet.example/k7mq')
    for (const [width, height] of SMALL) {
      await page.viewport(width, height)
      await expect.element(button('Copy invitation link')).toBeVisible()
      await expect
        .poll(() => {
          const [copy, note] = [button('Copy invitation link').element(), page.getByText('meet.example/k7mq')]
          const frame = boxOf(note.element().closest('[style]'))
          return boxOf(copy).bottom <= frame.bottom && boxOf(note.element()).top >= frame.top
        })
        .toBe(true)
    }
    await checkAppearance('alone with a link', { sizes: SIZES })
    await page.viewport(...DESKTOP)
    await checkKeyboard()
  })

  it('has no accessibility violation and fits with others, a raised hand, a shared screen and the chat', async () => {
    const { devices, offer, update } = await renderRoom({ isModerator: true })
    await devices.start()
    await offer('mia')
    await offer('mia', 'screen')
    update('mia', { hand_raised_at_ms: 5 })
    await expect.element(page.getByLabelText('Mia Andersson’s screen', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('img', { name: 'Mia Andersson raised a hand' })).toBeVisible()
    await userEvent.keyboard('c')
    await checkAppearance('screen and chat', { sizes: SIZES })
  })

  it('has a sheet with the other buttons on a phone, also by keyboard', async () => {
    const { devices } = await renderRoom({ size: [360, 740] })
    await devices.start()
    const isOpen = () => button('Share screen').query() !== null
    expect(isOpen()).toBe(false)
    button('More').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Thumbs up')).toHaveFocus()
    await checkAppearance('sheet', { sizes: [PHONE, LYING] })
    await userEvent.keyboard('{Escape}')
    await expect.element(button('More')).toHaveFocus()
    expect(isOpen()).toBe(false)
    await button('More').click()
    await userEvent.click(document.querySelector('main') as Element, { position: { x: 20, y: 20 } })
    await expect.poll(isOpen).toBe(false)
    await pressInMore('Settings')
    await expect.element(page.getByRole('combobox', { name: 'Microphone' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(button('More')).toHaveFocus()
  })

  it('requests the click that a browser requires before it plays sound', async () => {
    const { play } = HTMLMediaElement.prototype
    HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'))
    try {
      const { offer } = await renderRoom()
      await offer('mia', 'microphone')
      await expect.element(button('Turn on sound')).toBeVisible()
    } finally {
      HTMLMediaElement.prototype.play = play
    }
    await button('Turn on sound').click()
    await expect.element(button('Turn on sound')).not.toBeInTheDocument()
    await expect.poll(() => document.querySelector('audio')?.paused).toBe(false)
  })

  it('is mirrored in Arabic, but not the text of a message in another language', async () => {
    const { devices, offer } = await renderRoom({ language: 'ar' })
    await devices.start()
    await offer('mia')
    const own = () => document.querySelector('[data-overlay] video')
    await expect.poll(own).not.toBeNull()
    const [overlay, stage] = ['[data-overlay]', '[data-beside-overlay]'].map(selector =>
      boxOf(document.querySelector(selector)),
    )
    expect(overlay?.x).toBeLessThan((stage?.x ?? 0) + (stage?.width ?? 0) / 2)
    expect(own()?.getAttribute('data-mirrored')).toBe('true') // a mirror in every language
    await userEvent.keyboard('c')
    await page.getByRole('textbox', { name: 'كتابة رسالة' }).fill('Hello')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.querySelector('[data-text]')?.textContent).toBe('Hello')
    expect(getComputedStyle(document.querySelector('[data-text]') as Element).direction).toBe('ltr')
    expect(boxOf(page.getByRole('region', { name: 'الدردشة' }).element()).x).toBeLessThan(200)
    await checkAppearance('arabic', { sizes: SIZES })
  })

  it('is available in Russian', async () => {
    await renderRoom({ language: 'ru', others: [] })
    await expect.element(page.getByText('Пока здесь только вы')).toBeVisible()
  })

  it.each([
    ['the screen', false],
    ['the window, if the browser denies full screen', true],
  ])('takes %s without a stop of the videos, and with the open chat', async (_, isRefused) => {
    const { requestFullscreen } = Element.prototype
    Element.prototype.requestFullscreen = async () => {
      throw new TypeError('not allowed')
    }
    if (!isRefused) Element.prototype.requestFullscreen = requestFullscreen
    try {
      const { room, offer } = await renderRoom()
      await offer('mia')
      await userEvent.keyboard('c')
      await page.getByRole('textbox').fill('Half a sente')
      await expect.poll(() => document.querySelectorAll('video').length).toBe(1)
      const before = [...document.querySelectorAll('video')]
      await button('Full screen').click()
      await expect.poll(room.fullscreen.get).toBe(true)
      expect(document.fullscreenElement !== null).toBe(!isRefused)
      expect([...document.querySelectorAll('video')]).toEqual(before)
      expect(before.every(video => !video.paused)).toBe(true)
      await expect.element(page.getByRole('textbox')).toHaveValue('Half a sente')
      await button('Full screen').click()
      await expect.poll(room.fullscreen.get).toBe(false)
    } finally {
      Element.prototype.requestFullscreen = requestFullscreen
    }
  })

  it('keeps the focus of a pressed button that disappears', async () => {
    await renderRoom()
    await button('Share screen').click()
    await expect.element(button('Stop')).toBeVisible()
    button('Stop').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.activeElement?.localName).toBe('main')
  })

  it('is not left for a file that is dropped where nothing takes it, and lets texts be dragged', async () => {
    await renderRoom()
    const isTaken = (brought: DataTransfer) => {
      const init = { dataTransfer: brought, bubbles: true, cancelable: true }
      return !page.getByRole('main').element().dispatchEvent(new DragEvent('dragover', init))
    }
    const [files, text] = [new DataTransfer(), new DataTransfer()]
    files.items.add(new File(['words'], 'notes.txt'))
    text.items.add('words', 'text/plain')
    expect([isTaken(files), isTaken(text)]).toEqual([true, false])
  })

  it('says that the connection is lost, as long as it is', async () => {
    const { control } = await renderRoom()
    control.disconnect()
    await expect.element(page.getByText('Connection lost')).toBeVisible()
    await checkAppearance('disconnected')
    control.reconnect()
    await expect.element(page.getByText('Connection lost')).not.toBeInTheDocument()
    control.disconnect('temporarily_unavailable')
    await expect.element(page.getByText('The server is unavailable for a moment')).toBeVisible()
    expect(page.getByText('Connection lost').query()).toBeNull()
  })

  it('offers layouts by keyboard, and remembers the choice', async () => {
    const { room, storage, offer } = await renderRoom({ others: ['Mia Andersson', 'Sam', 'Lea'] })
    await offer('mia')
    button('View').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await userEvent.keyboard('{ArrowDown}{Escape}')
    expect(room.layout.get()).toBe('grid')
    expect(storage.getItem('partner-layout')).toBe('grid')
    await expect.element(button('View')).toHaveFocus()
    await userEvent.keyboard('g')
    expect(room.layout.get()).not.toBe('grid')
    await button('View').click()
    await checkAppearance('layouts')
    await page.getByRole('checkbox', { name: 'Show my own video to me' }).click()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.querySelectorAll('[data-tile]').length).toBe(3)
  })

  it('shows long names of any direction on a small phone', async () => {
    const { offer } = await renderRoom({
      others: [
        'Wolfeschlegelsteinhausenbergerdorff the Younger of Hamburg',
        'عبد الرحمن بن محمد الأندلسي',
        'Zoë',
      ],
      size: PHONE,
    })
    await offer('wolfeschlegelsteinhausenbergerdorff')
    await expect.poll(() => document.querySelectorAll('[data-tile]').length).toBeGreaterThan(2)
    await checkAppearance('names', { sizes: SIZES })
  })
})

describe('the lobby', () => {
  it('shows the title, why one waits, and the own view, and keeps its heading in view on a lying phone', async () => {
    const { devices } = await renderRoom({
      prepare: ({ harness: { control } }) => {
        control.handlers['conference.join'] = () => refuse('permission_denied', 'approval')
        control.handlers['lobby.enter'] = () => ({ status: 'waiting', reason: 'approval' })
      },
    })
    await devices.start()
    const heading = page.getByRole('heading', { level: 1, name: 'The teacher will let you in soon' })
    await expect.element(heading).toBeVisible()
    await expect.poll(() => document.querySelector('video')?.currentTime).toBeGreaterThan(0)
    for (const name of ['Turn off microphone', 'Turn off camera', 'Settings'])
      await expect.element(button(name)).toBeVisible()
    await checkKeyboard()
    await checkAppearance('waiting', { sizes: SIZES })
    await page.viewport(...LYING)
    await expect.poll(() => boxOf(heading.element()).bottom).toBeLessThan(360)
  })

  it('is in the language of the page, and says when the connection is lost', async () => {
    const { control } = await renderRoom({
      language: 'ru',
      prepare: ({ harness: { control } }) => {
        control.handlers['conference.join'] = () => refuse('permission_denied', 'approval')
        control.handlers['lobby.enter'] = () => ({ status: 'waiting', reason: 'not_started' })
      },
    })
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await checkAppearance('waiting in Russian')
    control.disconnect()
    await expect.element(page.getByText('Соединение потеряно. Переподключаемся…').first()).toBeVisible()
  })
})

describe('the end of a call', () => {
  const STARTED_MS = 1_900_000_000_000
  const ended = async (isModerator: boolean, session: object = {}, room: object = {}) => {
    const rendered = await renderRoom({
      isModerator,
      others: ['Mia Andersson', 'Ben Adams'],
      session: { started_at_ms: STARTED_MS, ...session },
      room,
      prepare: ({ harness: { control } }) => {
        const join = control.handlers['conference.join']
        // The lesson began 47 minutes ago.
        control.handlers['conference.join'] = (...args) => {
          const joined = join?.(...args)
          const participants = control.view.get()?.participants ?? []
          const joined_at_ms = STARTED_MS + 47 * 60_000
          control.updateSession({ participants: participants.map(each => ({ ...each, joined_at_ms })) })
          return joined
        }
      },
    })
    rendered.control.emitEvent('session.ended', { reason: 'ended' })
    return rendered
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const expectInViewOnLyingPhone = async (name: string) => {
    await page.viewport(844, 340)
    await expect.poll(() => boxOf(button(name).element()).bottom).toBeLessThanOrEqual(340)
    await page.viewport(...DESKTOP)
  }

  it('tells the teacher how long the lesson was, who attended, and that there is a recording', async () => {
    const { rejoins } = await ended(true, { recording: true })
    await expect.element(heading('Lesson finished')).toBeVisible()
    await expect.poll(() => document.activeElement?.textContent).toContain('Lesson finished')
    await expect.element(page.getByText(/47 mins? · 2 students/)).toBeVisible()
    await expect.element(page.getByText('The recording is being prepared.')).toBeVisible()
    await checkKeyboard()
    await checkAppearance('lesson finished', { sizes: SIZES })
    await expectInViewOnLyingPhone('Start again')
    await page.getByText('Who was here').click()
    await expect.element(page.getByRole('listitem').getByText('Mia Andersson')).toBeVisible()
    await checkAppearance('attendance', { sizes: SIZES })
    await button('Start again').click()
    expect(rejoins).toHaveLength(1)
  })

  it('leads back to the platform where its partner has said so', async () => {
    const returnUrl = 'https://school.example/lessons'
    await ended(false, {}, { look: { ...USUAL_LOOK, brand: 'Northern School', returnUrl } })
    const back = page.getByRole('link', { name: 'Back to Northern School' })
    await expect.element(back).toHaveAttribute('href', returnUrl)
    await expect.element(page.getByRole('banner').getByText('Northern School')).toBeVisible()
    await checkAppearance('ended, with a way back')
  })

  it('tells a student who has ended the lesson, and leads back to the page of the link', async () => {
    const { backs, rejoins } = await ended(false, {
      participants: [
        aParticipant('me', { display_name: 'Ben' }),
        aParticipant('t', { user_id: '8', display_name: 'Anna Petrova', role: 'moderator' }),
      ],
    })
    await expect
      .poll(() => document.querySelector('h1')?.textContent)
      .toMatch(/Anna Petrova.* ended the lesson/)
    await expect.element(page.getByText('47 min')).toBeVisible()
    await expect.element(button('Rejoin')).not.toBeInTheDocument()
    await checkKeyboard()
    await checkAppearance('ended by the teacher')
    await expectInViewOnLyingPhone('Back to the lesson page')
    await button('Back to the lesson page').click()
    expect([backs.length, rejoins.length]).toEqual([1, 0])
  })

  it('of a call between users neither names anybody nor offers to start it again', async () => {
    await ended(true, {}, { isCall: true })
    await expect.element(heading('The meeting has ended')).toBeVisible()
    await expect.element(button('Start again')).not.toBeInTheDocument()
  })

  it('after leaving offers to rejoin', async () => {
    const { rejoins, room } = await renderRoom()
    room.leave()
    await button('Rejoin').click()
    expect(rejoins).toHaveLength(1)
  })

  it('after a removal takes the focus, and offers to ask', async () => {
    const { control, rejoins } = await renderRoom()
    control.emitEvent('participant.left', { participant_id: 'me', reason: 'removed' })
    await expect.element(heading('You were removed from the lesson')).toBeVisible()
    await expect.poll(() => document.activeElement?.textContent).toContain('You were removed')
    await checkKeyboard()
    await checkAppearance('removed')
    await expectInViewOnLyingPhone('Ask to join again')
    await button('Ask to join again').click()
    expect(rejoins).toHaveLength(1)
  })

  it('after a denied request says so', async () => {
    const { control } = await renderRoom({
      prepare: ({ harness: { control } }) => {
        control.handlers['conference.join'] = () => refuse('permission_denied', 'approval')
        control.handlers['lobby.enter'] = () => ({ status: 'waiting', reason: 'approval' })
      },
    })
    control.emitAccountEvent('lobby.status', { conference_tag: 'k7mq', status: 'denied' })
    await expect.element(page.getByRole('heading', { name: 'Your request to join was denied' })).toBeVisible()
    await checkAppearance('denied')
  })
})
