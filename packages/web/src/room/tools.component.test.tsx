import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ShareFailure } from '../call/media/share-problem.ts'
import { aMessage, aPublication } from '../call/testing/session.ts'
import { checkAppearance } from '../testing/appearance.ts'
import { PHONE } from '../testing/render.tsx'
import { pressInMore, renderRoom } from '../testing/room.tsx'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const checkDialog = (name: string) => checkAppearance(name, { selector: 'dialog' })

/** On a phone in landscape orientation, a dialog scrolls, and the button that closes it stays. */
async function expectWayOutInView(): Promise<void> {
  await page.viewport(740, 360)
  const element = dialog.element()
  element.scrollTo(0, element.scrollHeight)
  expect(element.scrollTop).toBeGreaterThan(0)
  const way = dialog.getByRole('button', { name: 'Close' }).element().getBoundingClientRect()
  expect(way.y).toBeGreaterThanOrEqual(element.getBoundingClientRect().y)
  await page.viewport(1280, 720)
}

describe('a presenter', () => {
  it('points by keyboard and mouse at the own shared screen, and Escape returns the focus', async () => {
    const { control } = await renderRoom()
    await button('Share screen').click()
    control.addPublication(
      aPublication({ publication_id: 'own-screen', participant_id: 'me', source: 'screen' }),
    )
    const pointed = () => control.signals.map(({ body }) => body.position)
    button('Laser pointer').element().focus()
    await userEvent.keyboard('{Enter}')
    const board = page.getByRole('application', { name: 'Your shared screen, to point at' })
    await expect.element(board).toHaveFocus()
    await expect.element(button('Laser pointer')).toHaveAttribute('aria-pressed', 'true')
    await userEvent.keyboard('{ArrowDown}{Shift>}{ArrowRight}{/Shift}')
    await expect.poll(pointed).toContainEqual({ x: 0.6, y: 0.5 })
    await board.hover()
    await expect.poll(() => document.querySelector('[data-pointer]')).not.toBeNull()
    await checkAppearance('pointer')
    board.element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.element(board).not.toBeInTheDocument()
    await expect.element(button('Laser pointer')).toHaveFocus()
    await expect.poll(() => pointed().at(-1)).toBeNull()
  })

  it('has space for a face on the smallest phone, beside a panel and what is above the stage', async () => {
    const { offer } = await renderRoom({ size: PHONE })
    await offer('mia')
    await button('More').click()
    await button('Share screen').click()
    await userEvent.keyboard('c')
    const boxOf = (name: string) => page.getByRole('region', { name }).element().getBoundingClientRect()
    await expect.poll(() => boxOf('Participant videos').height).toBeGreaterThanOrEqual(80)
    await expect.poll(() => boxOf('Controls').bottom).toBeLessThanOrEqual(PHONE[1])
  })

  it('is informed of the reason where the browser cannot share a screen', async () => {
    await renderRoom({
      captureScreen: async () => {
        throw new ShareFailure('unsupported')
      },
    })
    await button('Share screen').click()
    await expect.element(dialog.getByText('This browser cannot share a screen')).toBeVisible()
    await checkDialog('share problem')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button('Share screen')).toHaveAttribute('aria-pressed', 'false')
  })
})

describe('participants', () => {
  it('react, as long as they may write in the chat', async () => {
    const { control } = await renderRoom()
    await userEvent.keyboard('r')
    await expect.element(button('Thumbs up')).toHaveFocus()
    await checkAppearance('reactions')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Reactions')).toHaveFocus()
    await button('Reactions').click()
    await button('Applause').click()
    await expect.element(button('Applause')).not.toBeInTheDocument()
    await expect.poll(() => control.signals.length).toBeGreaterThan(0)
    control.updateSession({ chat_mode: 'read_only' })
    await expect.element(button('Reactions')).toHaveAttribute('aria-disabled', 'true')
    await userEvent.keyboard('r')
    expect(button('Applause').query()).toBeNull()
  })

  it('see the reactions of others, and screen readers announce them', async () => {
    const { control } = await renderRoom()
    control.emitSignal('reaction.shown', 'mia', { reaction: 'clap' })
    await expect.poll(() => document.querySelector('[data-reaction=clap]')).not.toBeNull()
    await expect.element(page.getByText('Mia Andersson: Applause')).toBeInTheDocument()
  })

  it('find all settings in the tabs of one dialog, by keyboard, also in a partner room', async () => {
    const { devices } = await renderRoom()
    await devices.start()
    const tab = (name: string) => dialog.getByRole('tab', { name })
    await userEvent.keyboard('{?}')
    await expect.element(dialog.getByText('Show this list')).toBeVisible()
    await checkDialog('keys')
    await expectWayOutInView()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await userEvent.keyboard(',')
    await expect.element(tab('Audio')).toHaveFocus()
    await expect.element(dialog.getByRole('combobox', { name: 'Microphone' })).toBeVisible()
    expect(dialog.getByRole('combobox', { name: 'Camera' }).query()).toBeNull()
    await checkDialog('audio')
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(tab('Video')).toHaveFocus()
    await expect.element(dialog.getByRole('combobox', { name: 'Camera' })).toBeVisible()
    await checkDialog('video')
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(dialog.getByRole('checkbox', { name: 'someone joins' })).toBeVisible()
    await checkDialog('notices')
    await userEvent.keyboard('{ArrowRight}')
    await dialog.getByRole('radio', { name: 'Dark' }).click({ force: true })
    expect(document.documentElement.dataset.theme).toBe('dark')
    await tab('Language and look').click()
    await userEvent.keyboard('{End}')
    await expect.element(dialog.getByText('Mia Andersson')).toBeVisible()
    await checkDialog('statistics')
    await userEvent.keyboard('{Home}{ArrowLeft}')
    await expect.element(tab('Statistics')).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Escape}')
    await pressInMore('Settings')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('More')).toHaveFocus()
  })

  it('turn the shortcut keys off, which is remembered, and are not shown them then', async () => {
    const { room, storage } = await renderRoom()
    await userEvent.keyboard('{?}')
    await dialog.getByRole('checkbox', { name: 'Shortcut keys' }).click()
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Chat')).not.toHaveAttribute('aria-keyshortcuts')
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('c')
    expect(room.panels.get()).toBeNull()
    expect(storage.getItem('shortcut-keys')).toBe('off')
  })

  it('talk while they hold the space bar', async () => {
    const { devices, room } = await renderRoom()
    await devices.start()
    await userEvent.keyboard('m')
    await expect.element(button('Microphone')).toHaveAttribute('aria-pressed', 'false')
    room.dialogs.show('keys')
    await dialog.getByRole('checkbox', { name: 'Hold the space bar to talk while muted' }).click()
    await userEvent.keyboard('{Escape}')
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('{ >}')
    await expect.poll(() => devices.microphone.get().is).toBe('on')
    await userEvent.keyboard('{/ }')
    await expect.poll(() => devices.microphone.get().is).toBe('off')
  })

  it('are notified in the title of a hidden tab', async () => {
    const { control, update } = await renderRoom()
    const title = document.title
    const setVisible = (state: DocumentVisibilityState) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    setVisible('hidden')
    try {
      update('mia', { hand_raised_at_ms: 5 })
      await expect.poll(() => document.title).toBe(`Mia Andersson raised a hand · ${title}`)
      control.updateSession({
        messages: [
          { ...aMessage('1', 'hello', '90'), display_name: 'Mia Andersson', sent_at_ms: Date.now() },
        ],
      })
      await expect.poll(() => document.title).toBe(`Message from Mia Andersson · ${title}`)
    } finally {
      setVisible('visible')
      Reflect.deleteProperty(document, 'visibilityState')
    }
    await expect.poll(() => document.title).toBe(title)
  })
})

/** A notice says the same for some seconds, without the word. */
const recording = page.getByTitle('This meeting is being recorded.').filter({ hasText: /REC/ })

it('says to newcomers that the lesson is recorded', async () => {
  await renderRoom({ session: { recording: true } })
  await expect.element(page.getByRole('status').getByText('This lesson is being recorded.')).toBeVisible()
})

describe('an ordinary room', () => {
  const features = {
    mainNavigation: true,
    chat: true,
    transcription: true,
    recordingControls: true,
    screenSharing: true,
    files: true,
    reactions: true,
  }

  it('has an invitation link to copy', async () => {
    await renderRoom({ room: { features, isPartnerRoom: false, invitationUrl: 'https://meet.example/k7mq' } })
    await button('More').click()
    await checkAppearance('more')
    await button('Copy invitation link').click()
    await expect.element(page.getByText('Copied.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('https://meet.example/k7mq')
  })

  it('shows who records and transcribes, and a notice below that on the smallest phone', async () => {
    const { control, room } = await renderRoom({
      isModerator: true,
      session: { recording: true, transcription: true },
      room: { features, isPartnerRoom: false, transcriptionLanguages: ['de', 'en-US'] },
    })
    await expect.element(recording).toBeVisible()
    await expect.element(page.getByTitle('Live transcript is on.')).toBeVisible()
    control.updateSession({ transcription: false })
    await pressInMore('Transcript')
    const language = page.getByRole('combobox', { name: 'Language' })
    const options = () => [...language.element().querySelectorAll('option')].map(each => each.textContent)
    expect(options()).toEqual(['German', 'American English'])
    await checkAppearance('transcript')
    room.panels.close()
    control.updateSession({ transcription: true })
    await page.viewport(...PHONE)
    const name = 'Wolfeschlegelsteinhausenbergerdorff'
    const { participants = [] } = control.view.get() ?? {}
    const [someone] = participants
    if (someone)
      control.updateSession({
        participants: [
          ...participants,
          { ...someone, participant_id: 'late', user_id: '99', display_name: name },
        ],
      })
    await expect.element(page.getByText(`${name} joined`).first()).toBeVisible()
    const notice = [...document.querySelectorAll('header p')].find(each => each.textContent?.includes(name))
    const rec = recording.element().getBoundingClientRect()
    expect(notice?.getBoundingClientRect().top).toBeGreaterThanOrEqual(rec.bottom)
    await checkAppearance('recording')
  })

  it('shows captions of two lines at most, below all videos', async () => {
    const { control, room } = await renderRoom({
      session: { transcription: true },
      room: { features, isPartnerRoom: false },
    })
    room.captions.show(true)
    const phrase = (phrase_id: string, text: string) => ({
      phrase_id,
      participant_id: 'mia',
      user_id: '90',
      display_name: 'Mia Andersson',
      text,
      at_ms: Date.now(),
    })
    control.updateSession({
      phrases: [
        phrase('1', 'Good morning, everybody.'),
        phrase('2', 'Let us begin with the last question of the homework.'),
      ],
    })
    await expect.poll(() => document.querySelector('main [data-lines]')?.textContent).toContain('homework')
    const captions = document.querySelector('main [data-lines]') as HTMLElement
    const stage = document.querySelector('main section') as HTMLElement
    const height = [...captions.children].reduce((sum, each) => sum + each.getBoundingClientRect().height, 0)
    expect(captions.getBoundingClientRect().top).toBeGreaterThanOrEqual(stage.getBoundingClientRect().bottom)
    expect(Math.round(height / Number.parseFloat(getComputedStyle(captions).lineHeight))).toBeLessThanOrEqual(
      2,
    )
    const long = 'Let us begin with the last question of the homework, which was difficult for most of you. '
    control.updateSession({ phrases: [phrase('3', 'Good morning, everybody.'), phrase('4', long.repeat(4))] })
    await expect.poll(() => captions.textContent).toContain('difficult')
    const [before, newest] = [...captions.children].map(each => each.getBoundingClientRect())
    const area = captions.getBoundingClientRect()
    expect(Math.round(area.bottom - (newest?.top ?? 0))).toBeGreaterThan(
      1.5 * Number.parseFloat(getComputedStyle(captions).lineHeight),
    )
    expect(newest?.top).toBeGreaterThanOrEqual(area.top)
    expect(before?.bottom).toBeLessThan(area.top + area.height / 3)
  })

  it('asks before a recording stops, and can cancel one that waits for a recorder', async () => {
    const { control, room } = await renderRoom({
      isModerator: true,
      room: { features, isPartnerRoom: false },
    })
    await pressInMore('Record')
    await expect.element(page.getByText('Waiting for the recorder…')).toBeVisible()
    await checkAppearance('waiting for the recorder')
    await pressInMore('Cancel recording')
    control.updateSession({ recording: true })
    await pressInMore('Stop recording')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button('More')).toHaveFocus()
    expect(room.recording.get().is).toBe('on')
  })
})
