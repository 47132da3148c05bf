import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { useBrowser, withBlockedStorage } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'

const lectern = useLectern(() => ({
  SVC_CONFERENCES_ALLOW_GUESTS: '0',
  SVC_LIMITS_LOGIN_PER_MINUTE: '8',
}))
const open = useBrowser([], { keepsPagesOpen: true })
const makeFolder = useFolders()
const shoot = screenshotsOf('start')

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

describe('the start page', () => {
  let person: Credentials
  let page: Page
  let round: { tag: string; link: string }
  beforeAll(async () => {
    person = await addUser(lectern, 'anna')
    round = await createConference(lectern, await signInAs(lectern, person), 'Round')
    ;({ page } = await open(`${lectern.url}/some/where`))
  })

  it('is offered at an unknown address, has no accessibility violation and fits every screen', async () => {
    await page.getByRole('button', { name: 'Home' }).click()
    await heading(page, 'Meet face to face').waitFor()
    await checkAppearance(page, 'out', { shoot, sizes: [PHONE] })
  })

  it('opens a meeting by its link or code, and rejects other input', async () => {
    const field = page.getByRole('textbox', { name: 'Meeting link or code' })
    for (const [typed, message] of [
      ['two words', 'not a meeting link or code'],
      ['https://elsewhere.example/conferences/x', 'another server'],
    ] as const) {
      await field.fill(typed)
      await page.keyboard.press('Enter')
      await page.getByText(message).waitFor()
    }
    for (const typed of [round.tag, round.link]) {
      await field.fill(typed)
      await page.keyboard.press('Enter')
      await heading(page, 'Round').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/conferences/${round.tag}`)
      await page.getByText('You need an account to join this meeting.').waitFor()
      expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0)
      await page.goBack()
      await field.waitFor()
    }
  })

  it('lets users create, open, rename and delete their meetings', async () => {
    await page.goto(`${lectern.url}/meetings`)
    await page.getByText('Sign in to open this page.').waitFor()
    await fillSignIn(page, person)
    await heading(page, 'Your meetings').waitFor()
    await page.getByRole('textbox', { name: 'Title of the new meeting' }).fill('Monday round')
    await page.keyboard.press('Enter')
    const item = page.getByRole('listitem').filter({ hasText: 'Monday round' })
    await item.waitFor()

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await item.getByRole('button', { name: 'Copy link' }).click()
    await item.getByText('Copied').waitFor()
    const link = await item.getByRole('link').getAttribute('href')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    const conference = () => fetch(`${link?.replace('/conferences', '/api/v1.0/conferences')}`)
    const entry = async () => (await (await conference()).json()).entry
    const lobby = item.getByRole('checkbox', { name: 'Waiting room: you admit each participant' })
    expect([await lobby.isChecked(), await entry()]).toEqual([false, 'open'])
    await lobby.click()
    await expect.poll(entry).toBe('lobby')
    await expect.poll(() => lobby.isChecked()).toBe(true)

    await item.getByRole('button', { name: 'Rename' }).click()
    await page.keyboard.type('Tuesday round')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Tuesday round' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Tuesday round' }).click()
    await heading(page, 'Tuesday round').waitFor()
    await page.getByText('Signed in as anna').waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Delete “Tuesday round”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Tuesday round' }).waitFor({ state: 'detached' })
    expect((await conference()).status).toBe(404)
  })

  it('shows live meetings, links into them and back, and signs out in every tab at once', async () => {
    const elsewhere = await page.context().newPage()
    await page.getByRole('link', { name: 'Round', exact: true }).click()
    const tab = { page, context: page.context(), requests: [], console: [] }
    const visitor = await Visitor.join(tab, { withoutDevices: true })
    await visitor.exitOptions.waitFor()

    await elsewhere.goto(`${lectern.url}/meetings`)
    await elsewhere.getByText('In progress').waitFor()
    await visitor.button('Leave').click()
    await page.getByRole('main').getByRole('button', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Meetings', exact: true }).click()
    await heading(page, 'Your meetings').waitFor()
    expect(await page.locator('video').count()).toBe(0)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    for (const each of [page, elsewhere]) await heading(each, 'Meet face to face').waitFor()
    await elsewhere.close()
  })

  it('keeps users signed in between pages where storage is blocked', async () => {
    await withBlockedStorage(makeFolder(), async ({ page: blocked }) => {
      await blocked.goto(`${lectern.url}/meetings`)
      await fillSignIn(blocked, person)
      await blocked.getByRole('link', { name: 'Round', exact: true }).click()
      await blocked.getByText('Signed in as anna.').waitFor()
    })
  })

  it('reports the waiting time after too many attempts', async () => {
    const limited = page.getByRole('alert').getByText('Too many attempts from your network.')
    const refused = page.getByRole('alert').getByText('Incorrect username or password.')
    await expect
      .poll(async () => {
        await fillSignIn(page, { login: 'nobody', password: 'wrong password' })
        await refused.or(limited).waitFor()
        return limited.isVisible()
      })
      .toBe(true)
    await page.getByText(/You can try again in \d+ seconds?\./).waitFor()
  })
})
