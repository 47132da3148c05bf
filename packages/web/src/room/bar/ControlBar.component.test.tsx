import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { PHONE } from '../../testing/render.tsx'
import { renderRoom } from '../../testing/room.tsx'

const bar = page.getByRole('region', { name: 'Controls' })
const button = (name: string | RegExp) => bar.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const boxOf = (name: string) => button(name).element().getBoundingClientRect()

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
    await expect.element(dialog.getByText('End the meeting for everyone?')).toBeVisible()
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

  it('has no menu for students', async () => {
    await renderRoom()
    expect(button('Exit options').query()).toBeNull()
  })
})
