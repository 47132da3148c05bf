import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, openPeople, panelButton, useLessonPages } from './support/panels.ts'
import { waitFor } from './support/wait.ts'

const { open, begin, checkPanel } = useLessonPages('room-people')

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

describe('the participants', () => {
  it('are listed, and can rename themselves and raise a hand', async () => {
    const { teacher, student } = await begin()
    await openPeople(student)
    await openPeople(teacher)
    expect(await button(student, /^(Remove|Mute) /).count()).toBe(0)
    await button(student, 'Change name').click()
    await student.keyboard.type('Mia A.')
    await student.keyboard.press('Enter')
    await teacher.getByText('Mia A.', { exact: true }).first().waitFor()
    await expect
      .poll(() => button(student, 'Change name').evaluate(it => it === document.activeElement))
      .toBe(true)
    await panelButton(student, 'Raise hand').click()
    await button(teacher, 'Lower Mia A.’s hand').click()
    await student.getByText('Your hand was lowered').first().waitFor()
    await panelButton(student, 'Raise hand').waitFor()
    // The pressed button is gone, but the focus stays near it.
    await expect.poll(() => teacher.locator('aside').locator(':focus').count()).toBe(1)
    await button(teacher, 'Mute Mia A.').click()
    await button(teacher, 'Mute Mia A.').waitFor({ state: 'detached' })
  })

  it('can be removed by a moderator with a notice, and readmitted', async () => {
    const { teacher, student } = await begin()
    await openPeople(teacher)
    await button(teacher, 'Remove Mia Andersson').click()
    await checkPanel(teacher, 'confirm')
    await teacher.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await heading(student, 'You were removed from the meeting').waitFor()
    await checkPanel(student, 'removed')
    const rejoin = async () => {
      await button(student, 'Rejoin').click()
      await button(student, 'Join').click()
    }
    await rejoin()
    await heading(student, 'You were removed from the meeting').waitFor()
    await button(teacher, 'Let Mia Andersson back in').click()
    await rejoin()
    await button(teacher, 'Remove Mia Andersson').waitFor()
  })

  it('are joined by nobody without approval while a moderator locks the room', async () => {
    const { room, teacher } = await begin()
    await openPeople(teacher)
    const lock = teacher.getByRole('checkbox', { name: 'Lock meeting' })
    await lock.click()
    await waitFor(() => lock.isChecked(), 'the room is locked')
    const { page } = await open(room.student_join_url)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Sam')
    await button(page, 'Join').click()
    await heading(page, 'The teacher will let you in soon').waitFor()
    await page.setViewportSize({ width: 740, height: 360 })
    const title = await heading(page, 'The teacher will let you in soon').boundingBox()
    expect((title?.y ?? 360) + (title?.height ?? 0)).toBeLessThan(360)
    await button(teacher, 'Admit Sam').waitFor()
    await lock.click()
    await waitFor(async () => !(await lock.isChecked()), 'it is open again')
    await button(teacher, 'Remove Sam').waitFor()
  })

  it('can do what a moderator permits, together or one by one', async () => {
    const { teacher, student } = await begin()
    await openPeople(teacher)
    const control = (name: string) =>
      student.getByRole('region', { name: 'Controls' }).getByRole('button', { name, exact: true })
    const isForbidden = (name: string) => control(name).getAttribute('aria-disabled')
    const camera = teacher.getByRole('checkbox', { name: 'Turn on camera', exact: true })
    await expect.poll(() => control('Camera').getAttribute('aria-pressed')).toBe('true')
    await camera.click()
    await student.getByText('The teacher has turned off your camera').first().waitFor()
    await expect.poll(() => isForbidden('Camera')).toBe('true')
    expect(await control('Camera').getAttribute('aria-pressed')).toBe('false')
    await student.keyboard.press('v')

    await button(teacher, 'Options for Mia Andersson').click()
    const options = teacher.getByRole('region', { name: 'Options for Mia Andersson' })
    await options.getByRole('checkbox', { name: 'Can turn on camera' }).click()
    await student.getByText('You can turn on your camera now').waitFor()
    await control('Camera').click()
    await options.getByRole('button', { name: 'Turn off camera' }).waitFor()
    expect(await camera.isChecked()).toBe(false)

    await options.getByRole('checkbox', { name: 'Can write in chat' }).click()
    await student.getByText('You cannot write in the chat right now').first().waitFor()
    await button(student, /^Chat/).click()
    await student.locator('aside').getByText('You cannot write in the chat right now').waitFor()
    await options.getByRole('button', { name: 'Turn off camera' }).click()
    await options.getByRole('button', { name: 'Turn off camera' }).waitFor({ state: 'detached' })
    const notified = student.getByText('You are in the spotlight now').first().waitFor()
    await options.getByRole('button', { name: 'Spotlight for everyone' }).click()
    await options.getByRole('button', { name: 'End spotlight' }).waitFor()
    await notified
    await teacher.getByText('In the spotlight').waitFor({ state: 'attached' })
    await checkPanel(teacher, 'people-options')
  })

  it('leave when a moderator ends the session for everybody', async () => {
    const { teacher, student } = await begin()
    await button(teacher, 'End for all').click()
    await teacher.getByRole('dialog').getByRole('button', { name: 'End for all' }).click()
    await heading(student, 'The meeting has ended').waitFor()
    await button(student, 'Rejoin').click()
    await button(student, 'Join').waitFor()
  })

  it('have no accessibility violation and fit every screen', async () => {
    const { teacher, student } = await begin()
    await openPeople(teacher)
    await openPeople(student)
    await panelButton(student, 'Raise hand').click()
    await button(teacher, 'Lower Mia Andersson’s hand').waitFor()
    await checkPanel(teacher, 'people-teacher')
    await button(student, 'Change name').click()
    await checkPanel(student, 'people-student')
  })
})
