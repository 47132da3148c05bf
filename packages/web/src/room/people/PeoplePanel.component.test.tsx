import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aMessage } from '../../call/testing/session.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { PHONE } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const checkbox = (name: string) => page.getByRole('checkbox', { name, exact: true })
const aside = () => document.querySelector('aside')

async function withPeople(options: Parameters<typeof renderRoom>[0] = {}) {
  const all = await renderRoom(options)
  await userEvent.keyboard('p')
  await expect.element(button('Close participants')).toBeVisible()
  return all
}

describe('the participants panel', () => {
  it('lets participants rename themselves and raise a hand, and offers them nothing else', async () => {
    const { control } = await withPeople()
    expect(page.getByRole('button', { name: /^(Remove|Mute) / }).elements()).toEqual([])
    await button('Change name').click()
    await userEvent.keyboard('Anna P.{Enter}')
    await expect.element(button('Change name')).toHaveFocus()
    await page
      .elementLocator(aside() as Element)
      .getByRole('button', { name: 'Raise hand' })
      .click()
    expect(control.bodies('participant.update')).toMatchObject([
      { display_name: 'Anna P.' },
      { hand_raised: true },
    ])
    await button('Change name').click()
    await checkKeyboard()
    await checkAppearance('participant', { selector: 'aside' })
  })

  it('lets moderators lower a hand, and keeps the focus near the button, which disappears', async () => {
    const { control, update } = await withPeople({ isModerator: true })
    update('mia', { hand_raised_at_ms: 5 })
    control.handlers['participant.update'] = () => update('mia', { hand_raised_at_ms: null })
    await checkAppearance('moderator', { selector: 'aside' })
    button('Lower Mia Andersson’s hand').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Lower Mia Andersson’s hand')).not.toBeInTheDocument()
    await expect.poll(() => aside()?.querySelector(':focus')).not.toBeNull()
  })

  it('asks before somebody is removed, and offers to let them back in', async () => {
    const { control } = await withPeople({ isModerator: true })
    await button('Remove Mia Andersson').click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
    await checkAppearance('confirm')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    expect(control.bodies('participant.remove')).toEqual([{ participant_id: 'mia' }])
    control.updateSession({
      participants: (control.view.get()?.participants ?? []).filter(each => each.participant_id === 'me'),
      removed: [{ user_id: '90', display_name: 'Mia Andersson' }],
    })
    await button('Let Mia Andersson back in').click()
    expect(control.bodies('participant.readmit')).toEqual([{ user_id: '90' }])
  })

  it('shows what everybody and each person may do, as the session says it', async () => {
    const { control, offer } = await withPeople({ isModerator: true })
    await offer('mia')
    await checkbox('Turn on camera').click()
    expect(control.bodies('conference.set_permissions')).toEqual([{ camera: false }])
    control.updateSession({
      permissions: { microphone: true, camera: false, screen: true },
      person_permissions: [{ user_id: '90', camera: true }],
      spotlight_user_id: '90',
    })
    await expect.element(checkbox('Turn on camera')).not.toBeChecked()
    await button('Options for Mia Andersson').click()
    await expect.element(checkbox('Can turn on camera')).toBeChecked()
    await expect.element(button('End spotlight')).toBeVisible()
    await expect.element(button('Turn off camera')).toBeVisible()
    await checkbox('Can write in chat').click()
    expect(control.bodies('participant.set_permissions')).toEqual([{ user_id: '90', chat: false }])
    await checkAppearance('options', { selector: 'aside' })
  })

  it('folds what everybody may do on a phone', async () => {
    await renderRoom({ isModerator: true, size: [390, 844] })
    await userEvent.keyboard('p')
    const isShown = () => checkbox('Share screen').query() !== null
    await expect.element(page.getByText('Participants can')).toBeVisible()
    await expect.poll(isShown).toBe(false)
    await page.getByText('Participants can').click()
    await expect.poll(isShown).toBe(true)
    await checkAppearance('permissions on a phone', { selector: 'aside' })
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
    await button('Options for Mia Andersson').click()
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
      session: { lobby: [waiting], messages: [{ ...aMessage('1', 'Hi', '90'), display_name: copy }] },
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
