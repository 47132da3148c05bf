import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser, withBlockedStorage } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { CLIENT, useIdentityProvider } from './support/identity-provider.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { waitFor } from './support/wait.ts'

const provider = await useIdentityProvider()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_OIDC_ISSUER: provider.issuer,
  SVC_OIDC_CLIENT_ID: CLIENT.id,
  SVC_OIDC_CLIENT_SECRET: CLIENT.secret,
  SVC_OIDC_NAME: 'School account',
  SVC_OIDC_SIGN_UP: '1',
  SVC_OIDC_ALLOW_INSECURE_ISSUER: '1',
}))
const open = useBrowser(FAKE_DEVICES)
const makeFolder = useFolders()
const shoot = screenshotsOf('sso')
beforeAll(() => {
  provider.redirectUris.push(`${lectern.url}/sign-in/callback`)
})

const ssoButton = (page: Page) => page.getByRole('button', { name: 'Sign in with School account' })

/** Signs in on the pages of the provider: login, then consent. */
async function signInAtProvider(page: Page, login: string) {
  await page.waitForURL(`${provider.issuer}/**`)
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any password')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('single sign-on', () => {
  it('signs up at the provider, and continues on the page where it began', async () => {
    provider.names.set('nina', 'Nina Neumann')
    const { page, console } = await open(`${lectern.url}/meetings`)
    await ssoButton(page).waitFor()
    await checkAppearance(page, 'start', { shoot })
    await ssoButton(page).focus()
    await page.keyboard.press('Enter')
    await signInAtProvider(page, 'nina')
    await page.getByRole('heading', { name: 'Your meetings' }).waitFor()
    expect(new URL(page.url())).toMatchObject({ pathname: '/meetings', search: '' })
    const [user] = (await signedInUsers()).filter(({ login }) => login === 'nina')
    expect(user).toMatchObject({ display_name: 'Nina Neumann', kind: 'ordinary' })
    // The page of the provider names a font that is not on this machine.
    expect(console.filter(line => !line.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])

    // The same person in another browser has the same account; a reload stays signed in.
    const { page: other } = await open(`${lectern.url}/meetings`)
    await ssoButton(other).click()
    await signInAtProvider(other, 'nina')
    await other.getByRole('heading', { name: 'Your meetings' }).waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Your meetings' }).waitFor()
    expect((await signedInUsers()).filter(({ login }) => login.startsWith('nina'))).toHaveLength(1)
  })

  it('returns to a meeting that requires an account, also after a restart of the server', async () => {
    const host = await signInAs(lectern, await addUser(lectern, 'host'))
    const { link } = await createConference(lectern, host, 'Round')
    const { page } = await open(link)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ssoButton(page).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await lectern.stop('SIGKILL')
    await lectern.start()
    await signInAtProvider(page, 'omar')
    await page.getByText('Signed in as omar').waitFor()
    expect(page.url()).toBe(link)
  })

  it('explains a cancelled sign-in, an unavailable provider and a deleted account', async () => {
    const { page } = await open(`${lectern.url}/`)
    const failure = (text: RegExp | string) => page.getByText(text).waitFor()
    await ssoButton(page).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.getByRole('link', { name: /cancel/i }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await failure(/was cancelled/)
    expect(new URL(page.url()).search).toBe('')
    await checkAppearance(page, 'failed', { shoot })

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.locator('input[name=login]').fill('pavel')
    await page.locator('input[name=password]').fill('x')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    provider.failingPath = '/token'
    await page.getByRole('button', { name: 'Continue' }).click()
    await failure(/does not answer as it should/)
    provider.failingPath = null

    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor({ state: 'detached' })
    await waitFor(async () => (await signedInUsers()).some(({ login }) => login === 'pavel'), 'Pavel exists')
    await lectern.command('user', 'remove', 'pavel')
    const { page: again } = await open(`${lectern.url}/`)
    await ssoButton(again).click()
    await signInAtProvider(again, 'pavel')
    await again.getByText('Your account here was deleted.').waitFor()
    await again.getByRole('button', { name: 'Back' }).click()
    await ssoButton(again).waitFor()
  })

  it('refuses the response to a sign-in that another browser started', async () => {
    const { page: victim } = await open(`${lectern.url}/`)
    const { page: attacker } = await open(`${lectern.url}/`)
    await ssoButton(attacker).click()
    let planted = ''
    attacker.on('request', request => {
      if (request.url().includes('/sign-in/callback?')) planted = request.url()
    })
    await attacker.route('**/auth/sso/complete', route => route.abort())
    await signInAtProvider(attacker, 'mallory')
    await waitFor(() => planted !== '', 'the provider has answered')
    await victim.goto(planted)
    await victim.getByText(/started in another tab or browser/).waitFor()
    // Another try says why it did not begin.
    await victim.route('**/auth/sso/start', route => route.abort())
    await victim.getByRole('button', { name: 'Try again' }).click()
    await victim.getByText('The server cannot be reached.').waitFor()
    expect(await victim.evaluate(() => localStorage.getItem('lectern.account'))).toBeNull()
    expect(lectern.log).not.toContain(String(new URL(planted).searchParams.get('code')))
  })

  it('explains before the redirect that it needs the storage of the browser', async () => {
    await withBlockedStorage(makeFolder(), async ({ page }) => {
      await page.goto(lectern.url)
      await ssoButton(page).click()
      await page.getByText(/blocks storage/).waitFor()
      expect(new URL(page.url()).origin).toBe(lectern.url)
    })
  })

  it('is offered beside the password, which still works', async () => {
    const person = await addUser(lectern, 'paula')
    const { page } = await open(`${lectern.url}/meetings`)
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Your meetings' }).waitFor()

    // The settings link the two: afterwards the provider signs in to the same account.
    await page.goto(`${lectern.url}/settings`)
    await page.getByRole('button', { name: 'Link account' }).click()
    await signInAtProvider(page, 'paula.at.school')
    const section = page.getByRole('region', { name: 'School account' })
    await section.getByText('paula.at.school').waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings')
    await checkAppearance(page, 'settings', { shoot })
    const { page: other } = await open(`${lectern.url}/settings`)
    await ssoButton(other).click()
    await signInAtProvider(other, 'paula.at.school')
    await other.getByRole('region', { name: 'School account' }).getByText('paula.at.school').waitFor()
    expect(await other.getByRole('textbox', { name: /name/i }).first().inputValue()).toBe('Paula')
    await section.getByRole('button', { name: 'Unlink account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink account' }).click()
    await section.getByRole('button', { name: 'Link account' }).waitFor()
  })
})

async function signedInUsers(): Promise<{ login: string; display_name: string; kind: string }[]> {
  const { users } = (await lectern.command('user', 'list')) as unknown as {
    users: { login: string; display_name: string; kind: string }[]
  }
  return users
}
