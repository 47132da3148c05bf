import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AccountDevice, useAccountDevices } from './support/account-devices.ts'
import { addUser, type Credentials, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import type { Account } from './support/members.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { areSilent, listen, loudness } from './support/sound.ts'
import { waitFor } from './support/wait.ts'

/** Enough for pages and the server to start again on a busy machine. */
const RING_SECONDS = 45
/** Of calls that nobody answers. */
const SHORT_RING_SECONDS = 10
let ringSeconds = RING_SECONDS
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_RING_SECONDS: String(ringSeconds),
}))
const open = useBrowser(FAKE_DEVICES)
const addAccount = (login: string, name: string) => addUser(lectern, login, { name })
const connect = useAccountDevices()
const shoot = screenshotsOf('calls')
const SIZES = [
  ['phone', 390, 844],
  ['small-phone', 320, 568],
  ['desktop', 1280, 800],
] as const

interface Person extends Credentials {
  account: Account
}

let people = 0

/** An account of its own for each story. */
async function addPerson(name: string): Promise<Person> {
  people += 1
  const added = await addAccount(`${name.toLowerCase()}-${people}`, name)
  return { ...added, account: await signInAs(lectern, added) }
}

const device = ({ account }: Person) => connect(lectern.url, account)

/** Two people who may call each other, and have a call in their history. */
async function pair(): Promise<[Person, Person]> {
  const [anna, ben] = await Promise.all([addPerson('Anna'), addPerson('Ben')])
  const [ofAnna, ofBen] = [device(anna), device(ben)]
  await becomeContacts(ofAnna, ofBen)
  await ofAnna.act('call.cancel', await ofAnna.invite(ofBen))
  return [anna, ben]
}

async function becomeContacts(...[one, other]: [AccountDevice, AccountDevice]): Promise<void> {
  await one.client.command('contact.add', one.self, { user_id: other.userId })
  await other.client.command('contact.add', other.self, { user_id: one.userId })
}

/** The list of calls in a browser of the person. */
async function atCalls(person: Person, options?: BrowserContextOptions) {
  const tab = await open(`${lectern.url}/calls`, options)
  await fillSignIn(tab.page, person)
  await tab.page.getByRole('heading', { name: 'Calls', exact: true }).waitFor()
  await tab.page.getByRole('list', { name: 'Calls' }).or(tab.page.getByText('No calls yet')).waitFor()
  return tab
}

const incoming = (page: Page) => page.getByRole('region', { name: 'Incoming call' })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const callBack = (page: Page, name: string, kind = 'Video') =>
  button(page, `${kind} call with ${name}`).first().click()
const inRoom = (page: Page) => page.getByRole('region', { name: 'Controls' }).waitFor()
const pathOf = (page: Page) => new URL(page.url()).pathname
/** Guards against clicks that were meant for the page below. */
const answerable = (page: Page) => page.waitForTimeout(600)

async function answer(page: Page, how = 'Answer with video'): Promise<void> {
  await incoming(page).waitFor()
  await answerable(page)
  await incoming(page).getByRole('button', { name: how, exact: true }).click()
}

describe('a call', () => {
  it('is answered, and both see each other, until one hangs up', async () => {
    const [anna, ben] = await pair()
    const [annas, bens] = await Promise.all([atCalls(anna), atCalls(ben)])
    await callBack(annas.page, 'Ben')
    await annas.page.getByText('Calling Ben…').waitFor()
    await incoming(bens.page).getByText('Anna', { exact: true }).waitFor()
    await expect.poll(() => bens.page.title()).toBe('Anna is calling')
    await answer(bens.page)
    await Promise.all([annas, bens].map(({ page }) => inRoom(page)))
    for (const { page } of [annas, bens])
      await waitFor(
        () =>
          page
            .locator('video')
            .evaluateAll(
              videos => videos.filter(each => (each as HTMLVideoElement).videoWidth > 0).length >= 2,
            ),
        'the videos of both',
      )
    await button(annas.page, 'Leave').click()
    for (const { page } of [annas, bens]) await page.getByText(/^(Outgoing|Incoming) call/).waitFor()
    expect(pathOf(bens.page)).toMatch(/^\/calls\/\d+$/)
    expect((await device(anna).waitForCall('ended')).reason).toBe('completed')
    const errors = [...annas.console, ...bens.console].filter(line => !/WebSocket|404/.test(line))
    expect(errors).toEqual([])
  })

  it('plays a sound on both sides until it stops ringing', async () => {
    const [anna, ben] = await pair()
    const [{ page: annas }, { page: bens }] = await Promise.all([atCalls(anna), atCalls(ben)])
    for (const page of [annas, bens]) await page.evaluate(listen)
    expect([await loudness(annas), await loudness(bens)]).toEqual([0, 0])
    await callBack(annas, 'Ben', 'Audio')
    await waitFor(async () => (await loudness(bens)) > 0.02, 'it rings')
    await waitFor(async () => (await loudness(annas)) > 0.005, 'the caller hears it, too')
    await answer(bens, 'Decline')
    for (const page of [annas, bens]) await waitFor(() => page.evaluate(areSilent), 'it is silent')
  })

  it('is declined, also while a dialog is open', async () => {
    const [anna, ben] = await pair()
    const [{ page: annas }, { page: bens }] = await Promise.all([atCalls(anna), atCalls(ben)])
    await button(bens, 'New call').click()
    await callBack(annas, 'Ben', 'Audio')
    await answer(bens, 'Decline')
    await bens.getByRole('dialog', { name: 'New call' }).waitFor()
    await bens.keyboard.press('Escape')
    await annas.getByText('Declined by others').waitFor()
    await incoming(bens).waitFor({ state: 'hidden' })
    await bens.getByText('Declined', { exact: true }).waitFor()
  })

  it('stops ringing at once on other devices when one answers', async () => {
    const [anna, ben] = await pair()
    const [{ page: laptop }, { page: tablet }] = await Promise.all([atCalls(ben), atCalls(ben)])
    await device(anna).invite(device(ben))
    await Promise.all([incoming(laptop).waitFor(), incoming(tablet).waitFor()])
    await answer(tablet, 'Answer')
    await incoming(laptop).waitFor({ state: 'hidden', timeout: (RING_SECONDS - 10) * 1000 })
    await inRoom(tablet)
    expect(pathOf(laptop)).toBe('/calls')
    await laptop.getByText('In progress').waitFor()
  })

  it('merges with a simultaneous call from the other person', async () => {
    const [anna, ben] = await pair()
    const [{ page: annas }, { page: bens }] = await Promise.all([atCalls(anna), atCalls(ben)])
    // Not with the mouse: the other call may arrive first and lie above the button.
    const press = (page: Page) =>
      button(page, /^Video call with/)
        .first()
        .evaluate((element: HTMLElement) => element.click())
    await Promise.all([press(annas), press(bens)])
    await Promise.all([inRoom(annas), inRoom(bens)])
    expect(pathOf(annas)).toBe(pathOf(bens))
  })

  it('continues to ring after a reload of either page, and after a kill -9 of the server', async () => {
    const [anna, ben] = await pair()
    const [{ page: annas }, { page: bens }] = await Promise.all([atCalls(anna), atCalls(ben)])
    await callBack(annas, 'Ben')
    await incoming(bens).waitFor()
    await Promise.all([annas.reload(), bens.reload()])
    await Promise.all([incoming(bens).waitFor(), annas.getByText('Calling Ben…').waitFor()])
    await lectern.stop('SIGKILL')
    await lectern.start()
    await annas.waitForTimeout(1_500)
    await answer(bens)
    await Promise.all([inRoom(annas), inRoom(bens)])
    // A reload during the call comes back into it.
    await bens.reload()
    await inRoom(bens)
    await annas.waitForTimeout(2_000)
    expect(pathOf(annas)).toMatch(/^\/conferences\//)
  })

  it('is cancelled', async () => {
    const [anna, ben] = await pair()
    const [{ page: annas }, { page: bens }] = await Promise.all([atCalls(anna), atCalls(ben)])
    await callBack(annas, 'Ben')
    await incoming(bens).waitFor()
    await button(annas, 'Cancel call').click()
    await incoming(bens).waitFor({ state: 'hidden' })
    await annas.getByText('Cancelled').waitFor()
    await bens.getByText('Missed call').first().waitFor()
  })

  it('is announced during another one, and answered instead of it', async () => {
    const [anna, ben] = await pair()
    const cara = await addPerson('Cara')
    const [ofBen, ofCara] = [device(ben), device(cara)]
    await becomeContacts(ofBen, ofCara)
    const { page } = await atCalls(ben)
    const first = await device(anna).invite(ofBen)
    await answer(page, 'Answer')
    await inRoom(page)
    const declined = await ofCara.invite(ofBen)
    await incoming(page).getByText('Answering ends your present call.').waitFor()
    await answer(page, 'Decline')
    expect((await ofCara.waitForCall('ended')).people[0]?.state).toBe('busy')
    await inRoom(page)
    const second = await ofCara.invite(ofBen)
    await answer(page, 'Answer')
    await waitFor(() => pathOf(page) === `/conferences/${second.conference_tag}`, 'the second conference')
    await inRoom(page)
    await device(anna).waitForCall('completed')
    expect([first, declined, second].map(({ state }) => state)).toEqual(Array(3).fill('ringing'))
  })

  it('is possible between contacts only, and stops ringing for a contact who is blocked meanwhile', async () => {
    const [anna, ben] = await pair()
    const [{ page: annas }, { page: bens }] = await Promise.all([atCalls(anna), atCalls(ben)])
    const ofBen = device(ben)
    await callBack(annas, 'Ben')
    await incoming(bens).waitFor()
    await ofBen.client.command('contact.remove', ofBen.self, {
      user_id: String(anna.account.user_id),
      blocked: true,
    })
    await incoming(bens).waitFor({ state: 'hidden' })
    await annas.getByText('Declined by others').waitFor()
    await button(annas, 'Call again').click()
    await annas.getByText('You can call only your contacts.').waitFor()
    expect(await incoming(bens).count()).toBe(0)
  })

  it('is answered by keyboard, never by accident', async () => {
    const [anna, ben] = await pair()
    const { page } = await atCalls(ben)
    await page.getByRole('link', { name: 'Meetings' }).click()
    const field = page.getByRole('textbox').first()
    await field.focus()
    await page.keyboard.type('some')
    await device(anna).invite(device(ben))
    await incoming(page).waitFor()
    await page.keyboard.type('thing ')
    expect(await field.inputValue()).toBe('something ')
    await device(anna).act('call.cancel', await device(anna).waitForCall('ringing'))
    await incoming(page).waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'Calls' }).focus()
    await device(anna).invite(device(ben))
    await incoming(page).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Answer')
    await page.keyboard.press('Escape')
    await answerable(page)
    expect(await incoming(page).count()).toBe(1)
    await page.keyboard.press('Enter')
    await inRoom(page)
  })
})

/** Anna with two contacts. */
async function trio(): Promise<[Person, Person, Person]> {
  const [anna, ben] = await pair()
  const cara = await addPerson('Cara')
  await becomeContacts(device(anna), device(cara))
  return [anna, ben, cara]
}

/** Checks that a control is visible without scrolling in a window of this size, and that the page as a whole does not scroll. */
async function expectInView(page: Page, control: Locator, size: { width: number; height: number }) {
  await page.setViewportSize(size)
  const bottom = await control.evaluate(each => each.getBoundingClientRect().bottom)
  expect(bottom).toBeLessThanOrEqual(size.height)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(size.height)
}

const choice = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('checkbox', { name: new RegExp(`^${name}`) })

describe('several people', () => {
  it('are called together, and those who answer meet', async () => {
    const [anna, ben, cara] = await trio()
    const [ofBen, ofCara] = [device(ben), device(cara)]
    const { page } = await atCalls(anna, { reducedMotion: 'reduce' })
    await button(page, 'New call').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Video call' }).click()
    await page.getByText('Choose whom to call.').waitFor()
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('CAR')
    await choice(page, 'Cara').check()
    expect(await choice(page, 'Ben').count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('')
    await choice(page, 'Ben').focus()
    await page.keyboard.press('Space')
    await page.getByText('Chosen (2 of at most 20): Cara and Ben').waitFor()
    await checkAppearance(page, 'choose', { shoot, sizes: SIZES })
    await page.getByRole('dialog').getByRole('button', { name: 'Audio call' }).click()
    await page.getByText('Calling').first().waitFor()
    await expectInView(page, button(page, 'Cancel call'), { width: 844, height: 390 })
    const call = await ofBen.waitForCall('ringing')
    expect(call.people.map(each => each.display_name).sort()).toEqual(['Ben', 'Cara'])
    await ofCara.act('call.accept', call)
    await inRoom(page)
    expect(pathOf(page)).toBe(`/conferences/${call.conference_tag}`)
  })

  it('are called into a running meeting, where one answers and one declines', async () => {
    const [anna, ben, cara] = await trio()
    const { tag } = await createConference(lectern, anna.account, 'Monday round')
    const { page } = await atCalls(anna, { reducedMotion: 'reduce' })
    const caras = await atCalls(cara)
    await page.goto(`${lectern.url}/conferences/${tag}`)
    await button(page, 'Join').click()
    await inRoom(page)
    await button(page, /^Participants/).click()
    await button(page, 'Call people into the meeting').click()
    await choice(page, 'Ben').check()
    await choice(page, 'Cara').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Call', exact: true }).click()
    const called = page.getByRole('list', { name: 'People who were called' }).getByRole('listitem')
    await called.filter({ hasText: 'Ben' }).getByText('Ringing').waitFor()
    const ofBen = device(ben)
    await ofBen.act('call.decline', await ofBen.waitForCall('ringing'))
    await called.filter({ hasText: 'Ben' }).getByText('Declined').waitFor()
    await answer(caras.page, 'Answer')
    await inRoom(caras.page)
    expect(pathOf(caras.page)).toBe(`/conferences/${tag}`)
    await called.filter({ hasText: 'Cara' }).waitFor({ state: 'detached' })
    await checkAppearance(page, 'invited', { shoot, sizes: SIZES, selector: 'aside' })
    // Whoever is inside is offered no more.
    await button(page, 'Call people into the meeting').click()
    await choice(page, 'Ben').waitFor()
    expect(await choice(page, 'Cara').count()).toBe(0)
  })
})

/** The page loads again in Russian. */
async function inRussian(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('lectern.language', 'ru'))
  await page.reload()
}

describe('the pages of calls', () => {
  it('have no accessibility violation and fit every screen', async () => {
    const [anna, ben] = await pair()
    const { page } = await atCalls(ben, { reducedMotion: 'reduce' })
    await checkAppearance(page, 'list', { shoot, sizes: SIZES })
    const call = await device(anna).invite(device(ben))
    await incoming(page).waitFor()
    await checkAppearance(page, 'incoming', { shoot, sizes: SIZES })
    await device(anna)
      .act('call.cancel', call)
      .catch(() => {})
    await incoming(page).waitFor({ state: 'hidden' })
    await callBack(page, 'Anna')
    await page.getByText('Calling Anna…').waitFor()
    await checkAppearance(page, 'outgoing', { shoot, sizes: SIZES })
    await page.getByText('No answer').waitFor()
    await checkAppearance(page, 'ended', { shoot, sizes: SIZES })
  })

  it('are complete in Russian, and a second call fits into a room', async () => {
    const [anna, ben] = await pair()
    const { page } = await atCalls(ben, { reducedMotion: 'reduce' })
    await inRussian(page)
    await page.getByRole('heading', { name: 'Звонки' }).waitFor()
    const [ofAnna, ofBen] = [device(anna), device(ben)]
    const first = await ofAnna.invite(ofBen)
    const ringing = page.getByRole('region', { name: 'Входящий звонок' })
    await ringing.waitFor()
    await checkAppearance(page, 'incoming-ru', { shoot, sizes: SIZES })
    await ofAnna.act('call.cancel', first).catch(() => {})
    await ringing.waitFor({ state: 'hidden' })
    await checkAppearance(page, 'list-ru', { shoot, sizes: SIZES })
    await ofAnna.invite(ofBen)
    await ringing.waitFor()
    await answerable(page)
    await ringing.getByRole('button', { name: 'Ответить', exact: true }).click()
    await page.locator('[data-tile=person]').first().waitFor()
    await ofAnna.invite(ofBen)
    await ringing.waitFor()
    await checkAppearance(page, 'room-ru', { shoot, sizes: SIZES, selector: 'section' })
  })
})

describe('a call that nobody answers', () => {
  beforeAll(async () => {
    ringSeconds = SHORT_RING_SECONDS
    await lectern.stop()
    await lectern.start()
  })

  it('is missed, and counted on every page until the list is viewed', async () => {
    const [anna, ben] = await pair()
    const { page } = await atCalls(ben)
    await page.getByRole('link', { name: 'Meetings' }).click()
    await device(anna).invite(device(ben))
    await incoming(page).waitFor()
    await incoming(page).waitFor({ state: 'hidden' })
    const link = page.getByRole('link', { name: 'Calls, unread: 1' })
    await link.waitFor()
    await link.click()
    await page.getByText('Missed call').first().waitFor()
    await page.getByRole('link', { name: 'Calls', exact: true }).waitFor()
  })
})
