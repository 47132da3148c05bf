import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser, withBlockedStorage } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONFERENCES_ALLOW_GUESTS: '0' }))
const addAccount = (login: string) => addUser(lectern, login)
const open = useBrowser(FAKE_DEVICES)
const makeFolder = useFolders()
const shoot = screenshotsOf('start')
const SIZES = [
  ['phone', 360, 740],
  ['small-phone', 320, 568],
  ['wall', 3840, 2160],
] as const
const people: Credentials[] = []

/** Creates an account without conferences. */
async function addPerson(): Promise<Credentials> {
  const person = await addAccount(`person-${people.length}`)
  people.push(person)
  return person
}

const home = (options?: BrowserContextOptions) => open(`${lectern.url}/`, options)
const meetings = (options?: BrowserContextOptions) => open(`${lectern.url}/meetings`, options)
const heading = (page: Page, name: string) => page.getByRole('heading', { name })

/** Signs in on the page of the meetings, which continues there. */
async function signedIn(person: Credentials, options?: BrowserContextOptions) {
  const { page } = await meetings(options)
  await fillSignIn(page, person)
  await heading(page, 'Your meetings').waitFor()
  return page
}

describe('the start page', () => {
  it('opens a meeting by its link or code, and rejects other input', async () => {
    const { tag, link } = await createConference(lectern, await signInAs(lectern, await addPerson()), 'Round')
    const { page } = await home()
    const field = page.getByRole('textbox', { name: 'Meeting link or code' })
    for (const [typed, message] of [
      ['two words', 'not a meeting link or code'],
      ['https://elsewhere.example/conferences/x', 'another server'],
    ] as const) {
      await field.fill(typed)
      await page.keyboard.press('Enter')
      await page.getByText(message).waitFor()
    }
    for (const typed of [tag, link]) {
      await field.fill(typed)
      await page.keyboard.press('Enter')
      await heading(page, 'Round').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/conferences/${tag}`)
      await page.goBack()
      await field.waitFor()
    }
  })

  it('lets users create, open, rename and delete their meetings', async () => {
    const page = await signedIn(await addPerson())
    await page.getByText('No meetings yet.').waitFor()
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).fill('Monday round')
    await page.keyboard.press('Enter')
    const item = page.getByRole('listitem').filter({ hasText: 'Monday round' })
    await item.waitFor()

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await item.getByRole('button', { name: 'Copy link' }).click()
    await item.getByText('Copied').waitFor()
    const link = await item.getByRole('link').getAttribute('href')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

    await item.getByRole('button', { name: 'Rename' }).click()
    await page.keyboard.type('Tuesday round')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Tuesday round' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Tuesday round' }).click()
    await heading(page, 'Tuesday round').waitFor()
    await page.getByText('Signed in as person-').waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Delete “Tuesday round”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No meetings yet.').waitFor()
    expect((await fetch(`${link?.replace('/conferences', '/api/v1.0/conferences')}`)).status).toBe(404)
  })

  it('lets the owner enable the lobby by keyboard only', async () => {
    const page = await signedIn(await addPerson())
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).focus()
    await page.keyboard.type('Interview')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const item = page.getByRole('listitem').filter({ hasText: 'Interview' })
    const lobby = item.getByRole('checkbox', { name: 'Waiting room: you admit each participant' })
    await lobby.waitFor()
    expect(await lobby.isChecked()).toBe(true)
    const link = await item.getByRole('link').getAttribute('href')
    const entry = async () =>
      (await (await fetch(`${link?.replace('/conferences', '/api/v1.0/conferences')}`)).json()).entry
    expect(await entry()).toBe('lobby')
    await lobby.press('Space')
    await waitFor(async () => !(await lobby.isChecked()), 'the lobby is off')
    expect(await entry()).toBe('open')
    await lobby.press('Space')
    await waitFor(() => lobby.isChecked(), 'the lobby is on')
    await page.reload()
    await waitFor(() => lobby.isChecked(), 'the lobby is still on')
  })

  it('shows live meetings, and links into them and back', async () => {
    const person = await addPerson()
    const page = await signedIn(person)
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).fill('Open hour')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Open hour' }).click()
    const tab = { page, context: page.context(), requests: [], console: [] }
    const visitor = await Visitor.join(tab)
    await visitor.button('End for all').waitFor()

    const elsewhere = await signedIn(person)
    await elsewhere.getByText('In progress').waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Meetings' }).click()
    await heading(page, 'Your meetings').waitFor()
    expect(await page.locator('video').count()).toBe(0)
  })

  it('signs out in every tab at once', async () => {
    const page = await signedIn(await addPerson())
    const other = await page.context().newPage()
    await other.goto(`${lectern.url}/meetings`)
    await heading(other, 'Your meetings').waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    for (const each of [page, other]) await heading(each, 'Meet face to face').waitFor()
  })

  it('keeps users signed in between pages where storage is blocked', async () => {
    const person = await addPerson()
    const account = await signInAs(lectern, person)
    await createConference(lectern, account, 'Round')
    await withBlockedStorage(
      makeFolder(),
      async ({ page }) => {
        await page.goto(`${lectern.url}/meetings`)
        await fillSignIn(page, person)
        await page.getByRole('link', { name: 'Round' }).click()
        await page.getByText(`Signed in as ${person.login}.`).waitFor()
      },
      FAKE_DEVICES,
    )
  })

  it('explains who may join where guests are not admitted', async () => {
    const person = await addPerson()
    const { link } = await createConference(lectern, await signInAs(lectern, person), 'Members only')
    const { page } = await open(link)
    await page.getByText('You need an account to join this meeting.').waitFor()
    expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0)
    await shoot(page, 'no-guests')
    await fillSignIn(page, person)
    await page.getByRole('button', { name: 'Join' }).waitFor()
  })

  it('offers the same entry at an unknown address', async () => {
    const { page } = await open(`${lectern.url}/some/where`)
    await page.getByRole('button', { name: 'Home' }).click()
    await heading(page, 'Meet face to face').waitFor()
  })

  it('has no accessibility violation and fits every screen', async () => {
    const person = await addPerson()
    const account = await signInAs(lectern, person)
    const { page } = await open(lectern.url, { reducedMotion: 'reduce' })
    await heading(page, 'Meet face to face').waitFor()
    await checkAppearance(page, 'out', { shoot, sizes: SIZES })
    await page.goto(`${lectern.url}/meetings`)
    await page.getByText('Sign in to open this page.').waitFor()
    expect(await page.getByRole('heading').allTextContents()).toEqual(['Sign in', 'Meet face to face'])
    await checkAppearance(page, 'out-of-meetings', { shoot, sizes: SIZES })
    await fillSignIn(page, person)
    await page.getByText('No meetings yet.').waitFor()
    await checkAppearance(page, 'none', { shoot, sizes: SIZES })
    for (const title of [
      'Monday round',
      'Algebra: quadratic equations and everything that belongs to them',
      'x'.repeat(90),
    ])
      await createConference(lectern, account, title)
    await page.reload()
    const items = page.getByRole('main').getByRole('listitem')
    await waitFor(async () => (await items.count()) === 3, 'the list is there')
    await page.getByRole('button', { name: 'Rename “Monday round”' }).click()
    await page.keyboard.press('End')
    await checkAppearance(page, 'list', { shoot, sizes: SIZES })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Monday round' }).waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await checkAppearance(page, 'menu', { shoot, sizes: SIZES })
  })
})

describe('a server with strict limits', () => {
  const strict = useLectern(() => ({ SVC_LIMITS_LOGIN_PER_MINUTE: '2' }))

  it('reports the waiting time after too many attempts', async () => {
    const { page } = await open(`${strict.url}/`)
    for (let tries = 0; tries < 2; tries++) {
      await fillSignIn(page, { login: 'nobody', password: `wrong password ${tries}` })
      await page.getByRole('alert').getByText('Incorrect username or password.').waitFor()
    }
    await fillSignIn(page, { login: 'nobody', password: 'wrong again' })
    await page.getByRole('alert').getByText('Too many attempts from your network.').waitFor()
    await page.getByText(/You can try again in \d+ seconds?\./).waitFor()
    await shoot(page, 'limited')
  })
})
