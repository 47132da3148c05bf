import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance, checkFit } from '../../testing/appearance.ts'
import { ok } from '../../testing/fake-api.ts'
import { focus, renderHome } from '../../testing/home.tsx'
import { checkKeyboard, checkKeyboardEverywhere } from '../../testing/keyboard.ts'

const ME = { user_id: 7, login: 'anna', display_name: 'Anna', has_password: true }
const aSignIn = (id: string, parts: object = {}) => ({
  id,
  browser: 'Chrome',
  platform: 'Linux',
  created_at_ms: 1,
  used_at_ms: 1,
  is_current: false,
  ...parts,
})
const SIGN_INS = [
  aSignIn('own', { is_current: true }),
  aSignIn('other'),
  aSignIn('program', { browser: null, platform: null }),
]

const openSettings = (options: Parameters<typeof renderHome>[1] = {}) =>
  renderHome('/settings', {
    ...options,
    routes: {
      'GET /api/v1.0/me': () => ok(ME),
      'PATCH /api/v1.0/me': ({ body }) => ok({ ...ME, ...body }),
      'GET /api/v1.0/me/calendar': () => ok({ created_at_ms: null }),
      'GET /api/v1.0/me/sign-ins': () => ok({ sign_ins: SIGN_INS, total: 3 }),
      'DELETE /api/v1.0/me/sign-ins/other': () => ok({ result: 200 }),
      'DELETE /api/v1.0/me/sign-ins': () => ok({ result: 200, ended: 1 }),
      ...options.routes,
    },
  })

const devices = page.getByRole('region', { name: 'Where you are signed in' })

describe('the settings', () => {
  it('refuse a name without letters, and store another', async () => {
    await openSettings()
    const name = page.getByLabelText('Your name')
    await name.fill('  ')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Enter your name.')).toBeVisible()
    await name.fill('Anna P.')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Saved.')).toBeVisible()
  })

  it('send missed calls by mail, and are not changed where that was not stored', async () => {
    const mail = { email: 'anna@school.example', missed_call_mails: false }
    let isAnswered = true
    await openSettings({
      routes: {
        'GET /api/v1.0/me': () => ok({ ...ME, ...mail }),
        'PATCH /api/v1.0/me': ({ body }) =>
          isAnswered ? ok({ ...ME, ...mail, ...body }) : { is: 'unreachable' },
      },
    })
    const choice = page.getByLabelText('Also send me missed calls by mail')
    await expect.element(page.getByText('anna@school.example')).toBeVisible()
    await choice.click()
    await expect.element(choice).toBeChecked()
    isAnswered = false
    await choice.click()
    await expect.element(page.getByText('Not saved. Check your connection, and try again.')).toBeVisible()
    await expect.element(choice).toBeChecked()
    await checkAppearance('mail')
  })

  it('make a calendar link, show it once, and revoke it', async () => {
    const url = 'https://meet.example/api/v1.0/calendars/secret/meetings.ics'
    await openSettings({
      routes: {
        'POST /api/v1.0/me/calendar': () => ok({ url, created_at_ms: Date.now() }),
        'DELETE /api/v1.0/me/calendar': () => ok({ result: 200 }),
      },
    })
    const calendar = page.getByRole('region', { name: 'Calendar' })
    await calendar.getByRole('button', { name: 'Create link' }).click()
    await expect.element(calendar.getByLabelText('Address for your calendar program')).toHaveValue(url)
    await checkAppearance('calendar')
    await calendar.getByRole('button', { name: 'Revoke link' }).click()
    await expect.element(calendar.getByRole('button', { name: 'Create link' })).toBeVisible()
    await expect.element(calendar.getByLabelText('Address for your calendar program')).not.toBeInTheDocument()
  })

  it('keep the focus in the list while sign-ins end, one or all others', async () => {
    await openSettings()
    await expect.element(devices.getByText('This device')).toBeVisible()
    const rows = () => devices.getByRole('listitem').elements()
    const hasFocus = (elements: Element[]) => elements.some(each => each === document.activeElement)
    await focus(devices.getByRole('button', { name: /^Sign out Chrome on Linux/ }))
    await userEvent.keyboard('{Enter}')
    await expect.element(devices.getByText('Signed out.')).toBeVisible()
    expect(rows()).toHaveLength(2)
    expect(hasFocus(rows()), 'the focus is on another row').toBe(true)
    await focus(devices.getByRole('button', { name: 'Sign out all other devices' }))
    await userEvent.keyboard('{Enter}')
    await expect.poll(rows).toHaveLength(1)
    // The button is gone.
    await expect.poll(() => hasFocus(page.getByRole('main').elements())).toBe(true)
    expect(devices.getByRole('button').elements()).toEqual([])
  })

  it('are in groups, to which a list leads by keyboard', async () => {
    await openSettings()
    await focus(page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Security' }))
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('group', { name: 'Security' })).toHaveFocus()
    await userEvent.keyboard('{Tab}')
    await expect.element(page.getByLabelText('Current password')).toHaveFocus()
  })

  it.each(['en', 'ru'] as const)(
    'are reached by keyboard, accessible and fit every screen, in %s',
    async language => {
      const check = language === 'en' ? checkAppearance : checkFit // axe reads no words
      await openSettings({ language })
      await expect.element(page.getByText(language === 'en' ? 'This device' : 'Это устройство')).toBeVisible()
      await page
        .getByRole('button', { name: language === 'en' ? 'Change password' : 'Сменить пароль' })
        .click()
      await (language === 'en' ? checkKeyboardEverywhere() : checkKeyboard())
      await check('settings')
    },
  )
})
