import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, fillSignIn, signInAs } from './support/accounts.ts'
import { FAKE_DEVICES, type Tab, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_SERVER_LOG_LEVEL: 'trace' }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const PASSWORD = 'a new password'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const tokenOf = (link: string) => link.split('/').at(-1) ?? ''
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

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
  let tab: Tab
  let link: string
  beforeAll(async () => {
    link = await invite('anna', '--name', 'Анна Петрова')
    tab = await open(link)
  })

  it('sets the password by keyboard alone, signs in, and is then used up', async () => {
    const { page, console, requests, context } = tab
    await page.getByText('You have been invited, Анна Петрова.').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('anna')
    await page.getByLabel('New password', { exact: true }).focus()
    await page.keyboard.type('correct horse')
    await page.keyboard.press('Tab')
    await page.keyboard.type('correct house')
    await page.keyboard.press('Enter')
    await page.getByText('The passwords are different.').waitFor()
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

  it('replaces the sign-in of another user after a warning, and keeps what was entered while the server is away', async () => {
    const { page, context } = tab
    await page.goto(await invite('second'))
    await page.getByText('You are signed in as anna in this browser.').waitFor()
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the new password').fill(PASSWORD)
    await context.setOffline(true)
    await button(page, 'Set password and sign in').click()
    await page.getByText('No answer from the server.').waitFor()
    await context.setOffline(false)
    await button(page, 'Set password and sign in').click()
    await page.waitForURL(`${lectern.url}/`)
    await page.goto(`${lectern.url}/settings`)
    await page.getByText('Username: second').waitFor()
    await context.close()
  })
})

describe('the settings', () => {
  let person: Credentials
  let page: Page
  let other: Page
  let console: string[]
  beforeAll(async () => {
    person = await addUser(lectern, 'ben')
    const atSettings = async () => {
      const tab = await open(`${lectern.url}/settings`)
      await fillSignIn(tab.page, person)
      await tab.page.getByLabel('Your name').waitFor()
      return tab
    }
    ;({ page, console } = await atSettings())
    ;({ page: other } = await atSettings())
  })

  it('change the name, here and for others', async () => {
    const name = page.getByLabel('Your name')
    expect(await name.inputValue()).toBe('Ben')
    await name.fill('בן Ben 👋')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    expect(await accountOf(person)).toMatchObject({ display_name: 'בן Ben 👋' })
    await page.reload()
    await name.waitFor()
    expect(await name.inputValue()).toBe('בן Ben 👋')
    expect(console).toEqual([])
  })

  it('carry the chosen language to the other devices of the account, and keep theme and ringtone in the browser', async () => {
    const language = (name: string, of = page) => of.getByRole('combobox', { name })
    await language('Language').selectOption('ru')
    await page.getByRole('heading', { name: 'Настройки' }).waitFor()
    await expect.poll(async () => (await accountOf(person)).language).toBe('ru')
    await other.reload()
    await other.getByRole('heading', { name: 'Настройки' }).waitFor()
    await section(other, 'Язык и тема').getByRole('radio', { name: 'Тёмная' }).click()
    await language('Язык', other).selectOption('en')
    const ring = section(other, 'Notifications').getByRole('checkbox', { name: 'Ring for incoming calls' })
    await ring.uncheck()
    await expect.poll(async () => (await accountOf(person)).language).toBe('en')
    await Promise.all([page.reload(), other.reload()])
    await ring.waitFor()
    expect(await ring.isChecked()).toBe(false)
    expect(await other.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  })

  it('turn devices on only on request, and remember the choice', async () => {
    await page.context().grantPermissions(['camera', 'microphone'])
    const devices = section(page, 'Camera, microphone and speaker')
    expect(await devices.getByRole('combobox').count()).toBe(0)
    await devices.getByRole('button', { name: 'Check devices' }).click()
    await devices.locator('video').waitFor()
    const camera = devices.getByRole('combobox', { name: 'Camera' })
    const last = await camera.locator('option').last().getAttribute('value')
    await camera.selectOption(last)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('lectern.camera'))).toContain(last)
    await devices.getByRole('button', { name: 'Turn devices off' }).click()
    expect(await devices.getByRole('combobox').count()).toBe(0)
  })

  it('list the sign-ins, and end them one by one', async () => {
    const devices = section(page, 'Where you are signed in')
    await devices.getByText('This device').waitFor()
    await devices.getByText('Unknown app').first().waitFor() // the program of this test
    expect(await devices.getByText('Chrome on Linux').count()).toBe(2)
    await devices.getByRole('button', { name: /^Sign out Chrome on Linux/ }).press('Enter')
    await devices.getByText('Signed out.').waitFor()
    await other.getByText('You were signed out.').waitFor()
    await fillSignIn(other, person)
    await other.getByLabel('Your name').waitFor()
  })

  it('change the password by keyboard alone, and sign out the other devices at once', async () => {
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
    await other.getByText('You were signed out.').waitFor()
    await fillSignIn(other, { ...person, password: PASSWORD })
    await other.getByLabel('Your name').waitFor()
  })

  it('sign out', async () => {
    await section(page, 'Sign out').getByRole('button').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('lectern.account'))).toBeNull()
  })
})
