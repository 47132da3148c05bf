import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aMessage } from '../../call/testing/session.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { DESKTOP, PHONE } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'
import { anIndex } from '../board/testing.ts'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const checkbox = (name: string) => page.getByRole('checkbox', { name, exact: true })
const aside = () => document.querySelector('aside')

async function withPeople(options: Parameters<typeof renderRoom>[0] = {}) {
  const all = await renderRoom(options)
  await userEvent.keyboard('p')
  await expect.poll(() => document.querySelector('[role=tabpanel]')).not.toBeNull()
  return all
}

const item = (name: string) =>
  page.getByRole('region', { name: /^Options for/ }).getByRole('button', { name })
const openMenu = (name: string) => button(`Options for ${name}`).click()

describe('the participants panel', () => {
  it('lets participants rename themselves, and offers them nothing else', async () => {
    const { control } = await withPeople()
    await openMenu('Mia Andersson')
    expect(item('Mute').query()).toBeNull()
    expect(item('Remove…').query()).toBeNull()
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Options for Mia Andersson')).toHaveFocus()
    await openMenu('Anna Petrova')
    await item('Change name').click()
    await userEvent.keyboard('Anna P.{Enter}')
    await expect.element(button('Options for Anna Petrova')).toHaveFocus()
    expect(control.bodies('participant.update')).toMatchObject([{ display_name: 'Anna P.' }])
    await openMenu('Anna Petrova')
    await item('Change name').click()
    await checkKeyboard()
    await checkAppearance('participant', { selector: 'aside' })
  })

  it('shows hands in order with the time that they wait, and keeps the focus near a button that disappears', async () => {
    const { control, update } = await withPeople({
      isModerator: true,
      others: ['Mia Andersson', 'Ben Müller'],
    })
    const hands = page.getByRole('region', { name: 'Hands, in order' })
    expect(hands.query()).toBeNull()
    update('mia', { hand_raised_at_ms: Date.now() - 40_500 })
    update('ben', { hand_raised_at_ms: Date.now() - 125_000 })
    const lines = () =>
      hands
        .getByRole('listitem')
        .elements()
        .map(each => each.textContent)
    await expect
      .poll(lines)
      .toEqual([
        expect.stringContaining('1 · Ben Müller2 min'),
        expect.stringMatching(/2 · Mia Andersson4\d sec/),
      ])
    control.handlers['participant.update'] = () => update('mia', { hand_raised_at_ms: null })
    await checkAppearance('hands', { selector: 'aside' })
    button('Lower Mia Andersson’s hand').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Lower Mia Andersson’s hand')).not.toBeInTheDocument()
    await expect.poll(() => aside()?.querySelector(':focus')).not.toBeNull()
  })

  it('lets a student lower the own hand only', async () => {
    const { control, update } = await withPeople()
    update('mia', { hand_raised_at_ms: 5 })
    update('me', { hand_raised_at_ms: 6 })
    await button('Lower Anna Petrova’s hand').click()
    expect(control.bodies('participant.update')).toMatchObject([{ hand_raised: false }])
    expect(button('Lower Mia Andersson’s hand').query()).toBeNull()
    expect(button('Lower all hands').query()).toBeNull()
  })

  it('has its actions in words, the removal last, which asks, and offers to let them back in', async () => {
    const { control, offer } = await withPeople({ isModerator: true })
    await offer('mia')
    await offer('mia', 'microphone')
    await openMenu('Mia Andersson')
    const menu = page.getByRole('region', { name: 'Options for Mia Andersson' })
    const words = menu
      .getByRole('button')
      .elements()
      .map(each => each.textContent)
    expect(words).toEqual(['Mute', 'Turn off camera', 'Spotlight for everyone', 'Remove…'])
    await checkAppearance('menu', { selector: 'aside' })
    await item('Remove…').click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await checkAppearance('confirm')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    expect(control.bodies('participant.remove')).toEqual([{ participant_id: 'mia' }])
    control.updateSession({
      participants: (control.view.get()?.participants ?? []).filter(each => each.participant_id === 'me'),
      removed: [{ user_id: '90', display_name: 'Mia Andersson' }],
    })
    await button('Let back in: Mia Andersson').click()
    expect(control.bodies('participant.readmit')).toEqual([{ user_id: '90' }])
  })

  it.each([
    ['in a window', DESKTOP],
    ['on a phone', PHONE],
  ])('says whom this user has removed, and undoes it by key, %s', async (_, size) => {
    const { control, call } = await renderRoom({ isModerator: true, size })
    await call.actions.remove('mia')
    const removed = [{ user_id: '90', display_name: 'Mia Andersson' }]
    control.updateSession({ removed })
    const others = control.view.get()?.participants.filter(each => each.participant_id === 'me') ?? []
    control.updateSession({ participants: others })
    const notices = page.getByRole('banner').getByRole('status').first()
    await expect.element(notices).toHaveTextContent(/^You removed Mia AnderssonUndo$/)
    await checkAppearance('removal', { sizes: [size] })
    button('Undo').element().focus()
    await userEvent.keyboard('{Enter}')
    expect(control.bodies('participant.readmit')).toEqual([{ user_id: '90' }])
    await expect.element(notices).toHaveTextContent('')
    expect(document.activeElement).not.toBe(document.body)
  })

  it.each(['en', 'de'] as const)(
    'covers no words of the stage with a notice on a phone: %s',
    async language => {
      const { control, call } = await renderRoom({ isModerator: true, size: [360, 640], language })
      await userEvent.keyboard('p')
      await call.actions.remove('mia')
      control.updateSession({ removed: [{ user_id: '90', display_name: 'Mia Andersson' }] })
      const others = control.view.get()?.participants.filter(each => each.participant_id === 'me') ?? []
      control.updateSession({ participants: others })
      const notice = page.getByRole('banner').getByRole('status').first().getByRole('paragraph')
      await expect.element(notice).toHaveTextContent(/Mia Andersson/)
      const words = () =>
        [...document.querySelectorAll('[class*=_alone_] p')].filter(each => each.checkVisibility())
      await expect.poll(() => words().length).toBeGreaterThan(0)
      const { bottom } = notice.element().getBoundingClientRect()
      for (const each of words()) expect(each.getBoundingClientRect().top).toBeGreaterThanOrEqual(bottom)
    },
  )

  it.each([
    ['in a window', DESKTOP],
    ['on a phone', [390, 664] as const],
    ['on a low phone', [844, 340] as const],
  ])('has menus that are in view for the last of many people %s', async (_, size) => {
    const others = Array.from({ length: 20 }, (_, at) => `P${at} Smith`)
    await withPeople({ isModerator: true, others, size, language: 'ar' })
    await page.getByRole('button', { name: /P19 Smith/ }).click()
    const menu = page.getByRole('region', { name: /P19 Smith/ }).element()
    const { left, right, top, bottom } = menu.getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(innerWidth)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThanOrEqual(innerHeight)
    await expect.poll(() => menu.contains(document.activeElement)).toBe(true)
  })

  it('says what everybody and each person may do, as the session says it', async () => {
    const { control, offer } = await withPeople({ isModerator: true })
    await offer('mia')
    await button('Manage class').click()
    await checkbox('Turn on camera').click()
    expect(control.bodies('conference.set_permissions')).toEqual([{ camera: false }])
    expect(checkbox('Draw on the board').query()).toBeNull()
    control.updateSession({ board: anIndex({ shown_page_id: null }) })
    await checkbox('Draw on the board').click()
    expect(control.bodies('board.set_rights')).toEqual([{ mode: 'moderators', look_around: true }])
    await checkbox('Write in chat').click()
    expect(control.bodies('chat.set_mode')).toEqual([{ mode: 'read_only' }])
    await checkbox('Lock lesson').click()
    expect(control.bodies('conference.set_lock')).toEqual([{ locked: true }])
    control.updateSession({
      permissions: { microphone: true, camera: false, screen: true },
      person_permissions: [{ user_id: '90', camera: true }],
      spotlight_user_id: '90',
    })
    await expect.element(checkbox('Turn on camera')).not.toBeChecked()
    await checkAppearance('class')
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Manage class')).toHaveFocus()
    await openMenu('Mia Andersson')
    await expect.element(checkbox('Can turn on camera')).toBeChecked()
    await expect.element(item('End spotlight')).toBeVisible()
    await expect.element(item('Turn off camera')).toBeVisible()
    await checkbox('Can write in chat').click()
    expect(control.bodies('participant.set_permissions')).toEqual([{ user_id: '90', chat: false }])
    await expect.element(checkbox('Can draw on the board')).toBeChecked()
    await checkbox('Can draw on the board').click()
    expect(control.bodies('board.set_rights').at(-1)).toEqual({ mode: 'chosen', user_ids: [] })
    await checkAppearance('options', { selector: 'aside' })
  })

  it('shows a participant what was forbidden', async () => {
    const { control } = await renderRoom()
    control.updateSession({ permissions: { microphone: true, camera: false, screen: true } })
    await expect.element(page.getByText('The teacher has turned off your camera').first()).toBeVisible()
    const camera = button('Camera')
    await expect.element(camera).toHaveAttribute('aria-disabled', 'true')
    await expect.element(camera).toHaveAttribute('aria-pressed', 'false')
    control.updateSession({
      person_permissions: [{ user_id: '7', camera: true, chat: false }],
      spotlight_user_id: '7',
    })
    await expect.element(page.getByText('You can turn on your camera now').first()).toBeVisible()
    await expect.element(page.getByText('You cannot write in the chat right now').first()).toBeVisible()
    await expect.element(page.getByText('You are in the spotlight now').first()).toBeVisible()
    await button(/^Chat/).click()
    await expect.poll(() => aside()?.textContent).toContain('You cannot write in the chat right now')
  })

  it('sets the volume of each person, for this viewer', async () => {
    const { offer } = await withPeople()
    await offer('mia', 'microphone')
    await openMenu('Mia Andersson')
    const slider = page.getByRole('slider', { name: 'Volume for me' })
    slider.element().focus()
    await userEvent.keyboard('{ArrowLeft>10/}')
    await expect.element(slider).toHaveValue('50')
    expect([...document.querySelectorAll('audio')].map(each => each.volume)).toEqual([0.5])
    await checkAppearance('volume', { selector: 'aside' })
  })
})

describe('somebody who is named like a moderator', () => {
  it('is marked on the tile, in the list, in the chat and in the lobby', async () => {
    const copy = 'anna Реtrova' // some letters are Cyrillic
    const waiting = { user_id: '200', display_name: copy, reason: 'approval', waiting_since_ms: 1 } as const
    await renderRoom({
      isModerator: true,
      others: [copy],
      session: {
        lobby: [waiting],
        messages: [
          // From the device that she used before.
          { ...aMessage('1', 'Page 42', '91'), display_name: 'Anna Petrova', by_moderator: true },
          { ...aMessage('2', 'Hi', '90'), display_name: copy },
        ],
      },
    })
    const marked = (within: string) =>
      [...document.querySelectorAll(`${within} [title], ${within} p, ${within} span`)].filter(each =>
        /^Not the (moderator|teacher)$/.test(each.getAttribute('title') ?? each.textContent),
      ).length
    await expect.poll(() => marked('[data-tile]')).toBe(1)
    await expect.poll(() => marked('[aria-label="Waiting room"]')).toBe(1)
    await userEvent.keyboard('c')
    await expect.poll(() => marked('aside')).toBe(1)
    await button('Close chat').click()
    await userEvent.keyboard('p')
    await expect.poll(() => marked('aside li')).toBe(2)
    await checkAppearance('namesake')
  })
})

it('a removed person who asks to come back is there once, among those who wait', async () => {
  const sam = (user_id: string) => ({ user_id, display_name: `Sam ${user_id}` })
  const lobby = [{ ...sam('20'), reason: 'approval', waiting_since_ms: 1 } as const]
  await renderRoom({ isModerator: true, session: { removed: [sam('20'), sam('21')], lobby } })
  await userEvent.keyboard('p')
  await expect.element(page.getByRole('button', { name: 'Let back in: Sam 21' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Admit Sam 20' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Let back in: Sam 20' })).not.toBeInTheDocument()
})

describe('the lobby', () => {
  const LONG = `${'Wolfeschlegelsteinhausen'.repeat(3)} of Bergerdorff`
  const lobby = ['Sam', LONG, 'עדה לאבלייס'].map((display_name, at) => ({
    user_id: `20${at}`,
    display_name,
    reason: 'approval' as const,
    waiting_since_ms: at,
  }))

  it('is seen by moderators, whatever the names, who admit without scrolling on the smallest phone', async () => {
    const { control } = await renderRoom({ isModerator: true, session: { lobby } })
    await expect.poll(() => page.getByRole('button', { name: /^Admit / }).elements().length).toBe(4)
    await checkAppearance('notice')
    await page.viewport(...PHONE)
    const isInView = () => {
      const admit = button('Admit Sam').element()
      const list = admit.closest('section')?.parentElement?.getBoundingClientRect()
      return admit.getBoundingClientRect().bottom <= (list?.bottom ?? 0)
    }
    await expect.poll(isInView).toBe(true)
    await userEvent.keyboard('c')
    await expect.poll(isInView).toBe(true)
    await button('Close chat').click()
    await page.viewport(1280, 720)
    await userEvent.keyboard('p')
    await checkAppearance('lobby in the panel', { selector: 'aside' })
    button('Admit Sam').element().focus()
    await userEvent.keyboard('{Enter}')
    await button(`Deny ${LONG}`).click()
    await button('Admit all').click()
    expect(control.bodies('lobby.admit')).toEqual([{ user_id: '200' }, {}])
    expect(control.bodies('lobby.deny')).toEqual([{ user_id: '201' }])
  })
})
