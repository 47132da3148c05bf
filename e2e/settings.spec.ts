import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addUser, type Credentials, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_SERVER_LOG_LEVEL: 'trace' }))
const addAccount = (login: string) => addUser(lectern, login)
const open = useBrowser(FAKE_DEVICES)
const shoot = screenshotsOf('settings')
const SIZES = [PHONE, ['iphone', 390, 844], ['laptop', 1280, 800], ['wall', 3840, 2160]] as const
const PASSWORD = 'a new password'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const tokenOf = (link: string) => link.split('/').at(-1) ?? ''
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** A signed-in user at the settings. */
async function openSettings(person: Credentials, options?: BrowserContextOptions) {
  const tab = await open(`${lectern.url}/settings`, options)
  await fillSignIn(tab.page, person)
  await tab.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await tab.page.getByLabel('Your name').waitFor()
  return tab
}

async function invite(login: string, ...options: string[]): Promise<string> {
  const { link = '' } = await lectern.command('user', 'invite', login, ...options)
  return `${lectern.url}/invite/${tokenOf(link)}` // a port of its own, which the command line does not know
}

const accountOf = async (person: Credentials) => {
  const { access_token } = await signInAs(lectern, person)
  const headers = { authorization: `Bearer ${access_token}` }
  return (await fetch(`${lectern.url}/api/v1.0/me`, { headers })).json()
}

describe('an invitation link', () => {
  it('sets the password by keyboard alone, signs in, and is then used up', async () => {
    const link = await invite('anna', '--name', 'Анна Петрова')
    const { page, console, requests, context } = await open(link)
    await page.getByText('You have been invited, Анна Петрова.').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('anna')
    await page.getByLabel('New password', { exact: true }).focus()
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await page.getByText('Too short').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('correct horse')
    await page.keyboard.press('Tab')
    await page.keyboard.type('correct house')
    await page.keyboard.press('Enter')
    await page.getByText('The passwords are different.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space') // show them
    expect(await page.getByLabel('New password', { exact: true }).getAttribute('type')).toBe('text')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('correct horse')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${lectern.url}/`)
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()

    // The token was in the URL only: of the page, and of the two requests.
    const token = tokenOf(link)
    const carriers = requests.map(({ url }) => url).filter(url => url.includes(token))
    expect(new Set(carriers)).toEqual(new Set([link, `${lectern.url}/api/v1.0/invitations/${token}`]))
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(stored).not.toContain(token)
    expect(stored).not.toContain('correct horse')
    expect(await context.cookies()).toEqual([])
    expect(lectern.log).toContain('/api/v1.0/invitations/:token')
    expect(lectern.log).not.toContain(token)
    expect(lectern.log).not.toContain('correct horse')
    expect(console).toEqual([])

    await page.goto(link)
    await page.getByRole('heading', { name: 'This invitation link is not valid' }).waitFor()
    await button(page, 'Go to sign-in').click()
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
  })

  it('replaces the sign-in of another user in this browser after a warning', async () => {
    const { page } = await openSettings(await addAccount('first'))
    await page.goto(await invite('second'))
    await page.getByText('You are signed in as first in this browser.').waitFor()
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the new password').fill(PASSWORD)
    await button(page, 'Set password and sign in').click()
    await page.waitForURL(`${lectern.url}/`)
    await page.goto(`${lectern.url}/settings`)
    await page.getByText('Username: second').waitFor()
  })

  it('keeps the entered text while the server cannot be reached', async () => {
    const link = await invite('patient')
    const { page, context } = await open(link)
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the new password').fill(PASSWORD)
    await context.setOffline(true)
    await button(page, 'Set password and sign in').click()
    await page.getByText('No answer from the server.').waitFor()
    await context.setOffline(false)
    await button(page, 'Set password and sign in').click()
    await page.waitForURL(`${lectern.url}/`)
  })

  it('is accessible and fits every screen, in every state', async () => {
    const link = await invite('looks', '--name', 'Александра Константинопольская-Преображенская')
    const { page } = await open(link)
    await page.getByLabel('New password', { exact: true }).waitFor()
    await button(page, 'Set password and sign in').click()
    await checkAppearance(page, 'invite', { shoot, sizes: SIZES })
    const { page: russian } = await open(link, { locale: 'ru-RU' })
    await russian.getByText('вас пригласили').waitFor()
    await checkAppearance(russian, 'invite-ru', { shoot, sizes: SIZES })
    await page.goto(`${lectern.url}/invite/nothing`)
    await page.getByRole('heading', { name: 'not valid' }).waitFor()
    await checkAppearance(page, 'invite-invalid', { shoot, sizes: [PHONE] })
  })
})

describe('the settings', () => {
  it('change the name, here and for others', async () => {
    const person = await addAccount('ben')
    const { page, console } = await openSettings(person)
    const name = page.getByLabel('Your name')
    expect(await name.inputValue()).toBe('Ben')
    await name.fill('  ')
    await page.keyboard.press('Enter')
    await page.getByText('Enter your name.').waitFor()
    await name.fill('בן Ben 👋')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    expect(await accountOf(person)).toMatchObject({ display_name: 'בן Ben 👋' })
    await page.reload()
    await page.getByLabel('Your name').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('בן Ben 👋')
    expect(console).toEqual([])
  })

  it('carry the chosen language to the other devices of the account', async () => {
    const person = await addAccount('carla')
    const { page } = await openSettings(person)
    const { page: other } = await openSettings(person)
    await section(page, 'Language and theme').getByRole('combobox', { name: 'Language' }).selectOption('ru')
    await page.getByRole('heading', { name: 'Настройки' }).waitFor()
    await expect.poll(async () => (await accountOf(person)).language).toBe('ru')
    await other.reload()
    await other.getByRole('heading', { name: 'Настройки' }).waitFor()
    await section(other, 'Язык и тема').getByRole('radio', { name: 'Тёмная' }).click()
    expect(await other.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  })

  it('change the password by keyboard alone, and sign out the other devices at once', async () => {
    const person = await addAccount('dora')
    const { page } = await openSettings(person)
    const { page: other } = await openSettings(person)
    const change = async (current: string) => {
      await page.getByLabel('Current password').focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(current)
      for (const _ of [1, 2]) {
        await page.keyboard.press('Tab')
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(PASSWORD)
      }
      await page.keyboard.press('Enter')
    }
    await change('wrong one')
    await page.getByText('Incorrect current password.').waitFor()
    await change(person.password)
    await page.getByText('Password changed.').waitFor()
    expect(await page.getByLabel('Current password').inputValue()).toBe('')
    await other.getByText('You were signed out.').waitFor()
    await fillSignIn(other, { ...person, password: PASSWORD })
    await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.reload()
    await page.getByLabel('Your name').waitFor()
  })

  it('list the sign-ins and end them, one or all others', async () => {
    const person = await addAccount('emil')
    const { page } = await openSettings(person)
    const { page: second } = await openSettings(person)
    await signInAs(lectern, person) // a program
    await page.reload()
    const devices = section(page, 'Where you are signed in')
    await devices.getByText('This device').waitFor()
    expect(await devices.getByRole('listitem').count()).toBe(3)
    await devices.getByText('Unknown app').waitFor()
    expect(await devices.getByText('Chrome on Linux').count()).toBe(2)
    await devices.getByRole('button', { name: /^Sign out Chrome on Linux/ }).press('Enter')
    await devices.getByText('Signed out.').waitFor()
    await second.getByText('You were signed out.').waitFor()
    const focused = page.locator(':focus')
    expect(await devices.getByRole('listitem').and(focused).count(), 'the focus is on another row').toBe(1)
    await devices.getByRole('button', { name: 'Sign out all other devices' }).press('Enter')
    await expect.poll(() => devices.getByRole('listitem').count()).toBe(1)
    expect(await page.getByRole('main').and(focused).count(), 'the button is gone').toBe(1)
    expect(await devices.getByRole('button').count()).toBe(0)
  })

  it('turn devices on only on request, and remember the choice', async () => {
    const { page } = await openSettings(await addAccount('fred'))
    await page.context().grantPermissions(['camera', 'microphone'])
    const devices = section(page, 'Camera, microphone and speaker')
    expect(await devices.getByRole('combobox').count()).toBe(0)
    await devices.getByRole('button', { name: 'Check devices' }).click()
    await devices.getByLabel('Camera', { exact: true }).waitFor()
    await devices.locator('video').waitFor()
    const camera = devices.getByRole('combobox', { name: 'Camera' })
    const last = await camera.locator('option').last().getAttribute('value')
    await camera.selectOption(last)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('lectern.camera'))).toContain(last)
    await devices.getByRole('button', { name: 'Turn devices off' }).click()
    expect(await devices.getByRole('combobox').count()).toBe(0)
  })

  it('mute the ringtone of calls in this browser', async () => {
    const { page } = await openSettings(await addAccount('fay'))
    const ring = section(page, 'Notifications').getByRole('checkbox', { name: 'Ring for incoming calls' })
    expect(await ring.isChecked()).toBe(true)
    await ring.uncheck()
    await page.reload()
    await ring.waitFor()
    expect(await ring.isChecked()).toBe(false)
  })

  it('sign out', async () => {
    const { page } = await openSettings(await addAccount('gina'))
    await section(page, 'Sign out').getByRole('button').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('lectern.account'))).toBeNull()
  })

  it('are accessible and fit every screen, in every language', async () => {
    const person = await addAccount('hana')
    for (let i = 0; i < 3; i++) await signInAs(lectern, person)
    const { page } = await openSettings(person)
    await section(page, 'Where you are signed in').getByText('This device').waitFor()
    await button(page, 'Change password').click()
    await checkAppearance(page, 'settings', { shoot, sizes: SIZES })
    await section(page, 'Language and theme').getByRole('combobox', { name: 'Language' }).selectOption('ru')
    await page.getByRole('heading', { name: 'Настройки' }).waitFor()
    await checkAppearance(page, 'settings-ru', { shoot, sizes: SIZES })
  })
})
