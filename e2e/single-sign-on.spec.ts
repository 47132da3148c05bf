import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { useBrowser } from './support/browser.ts'
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
const open = useBrowser([], { keepsPagesOpen: true })
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
  let page: Page
  let messages: string[]
  beforeAll(async () => {
    const tab = await open(`${lectern.url}/meetings`)
    page = tab.page
    messages = tab.console
  })

  it('signs up at the provider, continues on the page where it began', async () => {
    provider.names.set('nina', 'Nina Neumann')
    await ssoButton(page).waitFor()
    await checkAppearance(page, 'start', { shoot, sizes: [PHONE] })
    await ssoButton(page).focus()
    await page.keyboard.press('Enter')
    await signInAtProvider(page, 'nina')
    await page.getByRole('heading', { name: 'Your meetings' }).waitFor()
    expect(new URL(page.url())).toMatchObject({ pathname: '/meetings', search: '' })
    const [user] = (await signedInUsers()).filter(({ login }) => login === 'nina')
    expect(user).toMatchObject({ display_name: 'Nina Neumann', kind: 'ordinary' })
    await page.reload()
    await page.getByRole('heading', { name: 'Your meetings' }).waitFor()
    // The page of the provider names a font that is not on this machine.
    expect(messages.filter(line => !line.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([])
  })

  it('is linked to an account with a password, and unlinked', async () => {
    const person = await addUser(lectern, 'paula')
    const { page: paulas } = await open(`${lectern.url}/settings`)
    await fillSignIn(paulas, person)
    const section = paulas.getByRole('region', { name: 'School account' })
    await section.getByRole('button', { name: 'Link account' }).click()
    await signInAtProvider(paulas, 'paula.at.school')
    await section.getByText('paula.at.school').waitFor()
    expect(new URL(paulas.url()).pathname).toBe('/settings')
    await section.getByRole('button', { name: 'Unlink account' }).click()
    await paulas.getByRole('dialog').getByRole('button', { name: 'Unlink account' }).click()
    await section.getByRole('button', { name: 'Link account' }).waitFor()
    await paulas.context().close()
  })

  it('returns to a meeting that requires an account, also after a restart of the server', async () => {
    const host = await signInAs(lectern, await addUser(lectern, 'host'))
    const { link } = await createConference(lectern, host, 'Round')
    const { page: omars } = await open(link)
    await omars.getByRole('button', { name: 'Sign in', exact: true }).click()
    await ssoButton(omars).click()
    await omars.waitForURL(`${provider.issuer}/**`)
    await lectern.stop('SIGKILL')
    await lectern.start()
    await signInAtProvider(omars, 'omar')
    await omars.getByText('Signed in as omar').waitFor()
    expect(omars.url()).toBe(link)
    await omars.context().close()
  })

  it('explains a cancelled sign-in, and refuses the response to one that another browser started', async () => {
    const { page: victim } = await open(`${lectern.url}/`)
    await ssoButton(victim).click()
    await victim.waitForURL(`${provider.issuer}/**`)
    await victim.getByRole('link', { name: /cancel/i }).click()
    await victim.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await victim.getByText(/was cancelled/).waitFor()
    expect(new URL(victim.url()).search).toBe('')
    await checkAppearance(victim, 'failed', { shoot, sizes: [PHONE] })

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
})

async function signedInUsers(): Promise<{ login: string; display_name: string; kind: string }[]> {
  const { users } = (await lectern.command('user', 'list')) as unknown as {
    users: { login: string; display_name: string; kind: string }[]
  }
  return users
}
