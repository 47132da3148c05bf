import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { PHONE, type Size } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'
import { LANGUAGES, type LanguageName } from '../../texts/languages.ts'
import { anIndex, PAGE } from '../board/testing.ts'

const bar = page.getByRole('region', { name: 'Controls' })
const button = (name: string | RegExp) => bar.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const boxOf = (name: string) => button(name).element().getBoundingClientRect()

const PHONES: readonly Size[] = [[390, 664], [360, 640], PHONE, [844, 340], [720, 405]]
const WINDOWS: readonly Size[] = [
  [660, 600],
  [1024, 720],
  [1440, 900],
]
const features = {
  mainNavigation: true,
  chat: true,
  transcription: true,
  recordingControls: true,
  screenSharing: true,
  files: true,
  reactions: true,
}

const shown = () =>
  bar
    .getByRole('button')
    .elements()
    .filter(each => each.checkVisibility())
    .map(each => each.getAttribute('aria-label') ?? each.textContent)
const captionOf = (name: string) => button(name).element().children[1]?.checkVisibility()

describe('the bar', () => {
  it('has what concerns me, the lesson, the people and the way out in this order, with one word each', async () => {
    await renderRoom({ isModerator: true, room: { features, isPartnerRoom: false } })
    const settings = ['Audio settings', 'Video settings', 'Slides and files', 'Exit options']
    expect(shown().filter(each => each && !settings.includes(each))).toEqual([
      'Microphone',
      'Camera',
      'Share screen',
      'Reactions',
      'Captions',
      'Participants (2)',
      'Chat',
      'More',
      'Leave',
    ])
    const words = bar
      .getByRole('button')
      .elements()
      .map(each => each.querySelector('[aria-hidden]:not(svg)'))
    expect(words.filter(each => each && /\s/.test(each.textContent))).toEqual([])
    await checkAppearance('bar', { sizes: [...WINDOWS, ...PHONES] })
  })

  it('has words from 64rem on, and below that tooltips with the key, also for the focus, which Escape hides', async () => {
    await renderRoom({ size: [1024, 720] })
    expect(captionOf('Chat')).toBe(true)
    await page.viewport(800, 600)
    await expect.poll(() => captionOf('Chat')).toBe(false)
    const tip = () => button('Camera').element().querySelector('[data-tip]')
    const isTipShown = () => tip()?.checkVisibility({ visibilityProperty: true })
    expect(isTipShown()).toBe(false)
    await button('Camera').hover()
    await expect.poll(isTipShown).toBe(true)
    expect(tip()?.textContent).toBe('Turn on cameraV')
    await userEvent.keyboard('{Escape}')
    await expect.poll(isTipShown).toBe(false)
    await button('Chat').hover()
    button('Microphone').element().focus()
    await userEvent.keyboard('{Tab}')
    await expect.element(button('Camera')).toHaveFocus()
    await expect.poll(isTipShown).toBe(true)
    await checkKeyboard()
  })

  it.each([
    ['a student', false, ['Microphone', 'Camera', 'Raise hand', 'Chat', 'More', 'Leave']],
    [
      'a teacher',
      true,
      ['Microphone', 'Camera', 'Participants (2)', 'Chat', 'More', 'Leave', 'Exit options'],
    ],
  ])(
    'has five buttons on phones for %s, in landscape orientation in a column',
    async (_, isModerator, names) => {
      await renderRoom({ isModerator, room: { features, isPartnerRoom: false } })
      // The last one is a window of 1280 × 1024 at a zoom of 400 %.
      for (const size of [...PHONES, [568, 320], [320, 256]] as Size[]) {
        await page.viewport(...size)
        await expect.poll(shown, { message: String(size) }).toEqual(names)
        const [width, height] = size
        const [first, last] = [boxOf('Microphone'), boxOf('More')]
        expect(last.bottom, String(size)).toBeLessThanOrEqual(height)
        expect(last.right, String(size)).toBeLessThanOrEqual(width)
        if (width > height) expect(last.x).toBe(first.x)
        else expect(last.y).toBe(first.y)
      }
    },
  )

  it.each([
    ['microphone', 'm', 'Audio'],
    ['camera', 'v', 'Video'],
  ] as const)('explains by key, as by press, why the %s does not work', async (kind, key, tab) => {
    const { devices } = await renderRoom()
    devices[kind].fail('refused')
    await userEvent.keyboard(key)
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
    await expect.element(dialog.getByText(/Access is blocked in your browser/)).toBeVisible()
  })

  it('has the hand of a teacher among the reactions', async () => {
    const { control, update } = await renderRoom({ isModerator: true })
    expect(button('Raise hand').query()).toBeNull()
    await button('Reactions').click()
    await checkAppearance('reactions', { sizes: [...WINDOWS, ...PHONES] })
    await bar.getByRole('region', { name: 'Reactions' }).getByRole('button', { name: 'Raise hand' }).click()
    expect(control.bodies('participant.update')).toMatchObject([{ hand_raised: true }])
    update('me', { hand_raised_at_ms: 5 })
    await expect.element(button('Raise hand')).toHaveAttribute('aria-pressed', 'true')
  })

  it('says to a teacher how many raise a hand or wait', async () => {
    const { update } = await renderRoom({ isModerator: true, others: ['Mia Andersson', 'Sam'] })
    update('mia', { hand_raised_at_ms: 5 })
    update('sam', { hand_raised_at_ms: 6 })
    const people = button('Participants (3)')
    await expect.element(people).toHaveAttribute('aria-description', 'Raised hands: 2')
    await expect.element(people).toHaveTextContent('2')
    update('me', { hand_raised_at_ms: 7 })
    await expect.element(people).toHaveAttribute('aria-description', 'Raised hands: 2')
  })
})

describe('a microphone that is forbidden', () => {
  it('says why when it is pressed, and offers to raise a hand', async () => {
    const { control } = await renderRoom({
      session: { permissions: { microphone: false, camera: true, screen: true } },
    })
    const hands: unknown[] = []
    control.handlers['participant.update'] = ({ hand_raised }) => {
      hands.push(hand_raised)
      return {}
    }
    await expect.element(button('Microphone')).toHaveAttribute('aria-disabled', 'true')
    button('Microphone').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect
      .element(bar.getByRole('status'))
      .toHaveTextContent('The teacher has turned off your microphone')
    await checkAppearance('forbidden', { sizes: PHONES })
    await bar.getByRole('region').getByRole('button', { name: 'Raise hand' }).click()
    await expect.poll(() => hands).toEqual([true])
  })
})

describe('beside *Share*', () => {
  const other = bar.getByRole('button', { name: 'Slides and files' })
  const { click } = HTMLInputElement.prototype
  /** The field whose file dialog was opened last. */
  let field: HTMLInputElement | undefined
  beforeEach(() => {
    HTMLInputElement.prototype.click = function () {
      field = this
    }
  })
  afterEach(() => {
    HTMLInputElement.prototype.click = click
  })
  const choose = (file: File) => {
    const data = new DataTransfer()
    data.items.add(file)
    if (field) field.files = data.files
    field?.dispatchEvent(new Event('change'))
  }

  it('a teacher finds slides, which open the board for everybody, and files for the chat', async () => {
    const { control, room } = await renderRoom({
      isModerator: true,
      session: { board: anIndex({ shown_page_id: null }) },
      room: { features },
    })
    await other.click()
    await checkAppearance('share', { sizes: WINDOWS })
    await bar.getByRole('button', { name: 'Slides…' }).click()
    expect(field?.accept).toContain('application/pdf')
    choose(new File(['%PDF'], 'grammar.pdf', { type: 'application/pdf' }))
    expect(control.bodies('board.page_show')).toEqual([{ page_id: PAGE }])
    expect(room.board.slides.get().map(each => each.name)).toEqual(['grammar.pdf'])
    await other.click()
    await bar.getByRole('button', { name: 'File…' }).click()
    choose(new File(['words'], 'words.txt'))
    await expect.element(page.getByRole('list', { name: 'Attached files' })).toHaveTextContent('words.txt')
  })

  it('a student finds nothing', async () => {
    await renderRoom({ session: { board: anIndex({ shown_page_id: null }) }, room: { features } })
    await expect.element(button('Share screen')).toBeVisible()
    expect(other.query()).toBeNull()
  })
})

describe('a browser that cannot share', () => {
  it('does not offer it', async () => {
    const { getDisplayMedia } = MediaDevices.prototype
    Reflect.deleteProperty(MediaDevices.prototype, 'getDisplayMedia')
    try {
      await renderRoom({ isModerator: true, session: { board: anIndex({ shown_page_id: null }) } })
      expect(button('Share screen').query()).toBeNull()
      await button('Share').click()
      await expect.element(bar.getByRole('button', { name: 'Slides…' })).toBeVisible()
    } finally {
      MediaDevices.prototype.getDisplayMedia = getDisplayMedia
    }
  })
})

describe('the bar of a room', () => {
  it('has nothing that the partner has turned off', async () => {
    const off = { ...features, chat: false, transcription: false, screenSharing: false, reactions: false }
    await renderRoom({ isModerator: true, room: { features: off } })
    for (const name of ['Chat', 'Captions', 'Share screen', 'Share', 'Reactions'])
      expect(button(name).query(), name).toBeNull()
    await expect.element(button('Raise hand')).toBeVisible()
  })
})

describe('the button Leave', () => {
  it('leaves at once', async () => {
    const { call } = await renderRoom({ isModerator: true })
    await button('Leave').click()
    await expect.poll(() => call.get()).toMatchObject({ is: 'ended', reason: 'left' })
  })

  it('has a menu for teachers, by keyboard, which ends the lesson for everybody after a question', async () => {
    const { control } = await renderRoom({ isModerator: true })
    let ends = 0
    control.handlers['conference.end'] = () => {
      ends += 1
      return {}
    }
    button('Exit options').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Leave, the lesson continues')).toHaveFocus()
    await checkAppearance('exit options')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Exit options')).toHaveFocus()
    await userEvent.keyboard('{Enter}{Tab}{Enter}')
    await expect.element(dialog.getByText('End the lesson for everyone?')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(button('Exit options')).toHaveFocus()
    expect(ends).toBe(0)
    await button('Exit options').click()
    await button('End for everyone…').click()
    await dialog.getByRole('button', { name: 'End for everyone' }).click()
    await expect.poll(() => ends).toBe(1)
  })

  it('is alone at the top of a phone, and its menu is in view', async () => {
    await renderRoom({ isModerator: true, size: PHONE })
    expect(boxOf('Leave').bottom).toBeLessThan(64)
    await button('Exit options').click()
    await checkKeyboard()
    await checkAppearance('exit options on a phone')
  })

  it.each(Object.keys(LANGUAGES) as LanguageName[])('has its whole word on phones, in %s', async language => {
    await renderRoom({ isModerator: true, language })
    const word = () => document.querySelector('[class*=_leave_] > span')
    for (const size of PHONES) {
      await page.viewport(...size)
      await expect
        .poll(() => (word()?.scrollWidth ?? 0) - (word()?.clientWidth ?? 0), { message: String(size) })
        .toBeLessThanOrEqual(0)
    }
  })

  it('has no menu for students', async () => {
    await renderRoom()
    expect(button('Exit options').query()).toBeNull()
  })
})
