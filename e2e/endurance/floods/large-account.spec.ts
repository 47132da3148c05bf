import { join } from 'node:path'
import { directChat } from '@lectern/protocol/control/client'
import { AccountFiller } from '@lectern/server/testing'
import Database from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, signInAs } from '../../support/accounts.ts'
import { checkAppearance } from '../../support/appearance.ts'
import { useBrowser } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { Home, useCommands } from '../../support/home.ts'
import { useLectern } from '../../support/lectern.ts'
import { screenshotsOf } from '../../support/screenshots.ts'
import { waitFor } from '../../support/wait.ts'

const MEETINGS = 1_000
const CONTACTS = 890
const MESSAGES = 10_000
/** For a list of any length. */
const ROWS_IN_DOCUMENT = 60
const WINDOW_MESSAGES = 300
const HOUR_MS = 3_600_000
const DESKTOP = { width: 1280, height: 720 }

const dataFolder = useFolders()()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_SERVER_DATA_DIR: dataFolder }))
const open = useBrowser([], { keepsPagesOpen: true })
const connect = useCommands(lectern)
const shoot = screenshotsOf('large-account')
let anna: Credentials
let ben: Credentials
let ids: { anna: number; ben: number }
let home: Home
let page: Page

beforeAll(async () => {
  anna = await addUser(lectern, 'anna', { name: 'Anna Petrova' })
  ben = await addUser(lectern, 'ben')
  ids = { anna: (await signInAs(lectern, anna)).user_id, ben: (await signInAs(lectern, ben)).user_id }
  const database = new Database(join(dataFolder, 'lectern.db'))
  const filler = new AccountFiller(database)
  const now = Date.now()
  filler.inOneTransaction(() => {
    const text = (number: number) => `Message ${number}.`
    const chatId = directChat(ids.anna, ids.ben)
    filler.addMember(chatId, ids.anna, ids.ben)
    filler.addMember(chatId, ids.ben, ids.anna)
    const sentAtMs = now - 20_000 * HOUR_MS
    filler.addConversation(null, { chatId, senderId: ids.ben, count: MESSAGES, text, sentAtMs })
    const senderId = filler.addUser('sender', 'Sender')
    for (let i = 1; i <= MEETINGS; i++) {
      const message = { senderId, count: 1, text, sentAtMs: now - (MEETINGS - i + 1) * HOUR_MS }
      filler.addMeeting(`round-${i}`, numbered('Meeting', i), ids.anna, message)
    }
    filler.addContacts(ids.anna, ids.ben)
    for (let i = 1; i <= CONTACTS; i++)
      filler.addContacts(ids.anna, filler.addUser(`person-of-anna-${i}`, numbered('Person', i)))
  })
  database.close()
  home = await Home.open(open, lectern.url, anna, { viewport: DESKTOP })
  page = home.page
})

const numbered = (name: string, number: number) => `${name} ${String(number).padStart(4, '0')}`

const listOf = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
const rowsOf = (list: Locator) => list.getByRole('listitem')
const row = (list: Locator, name: string) => rowsOf(list).filter({ hasText: name })

/** Scrolls the area around a list by a part of its height, or to its end. */
const scroll = (list: Locator, to: number | 'end') =>
  list.evaluate((element, target) => {
    let area = element.parentElement as HTMLElement
    while (!/auto|scroll/.test(getComputedStyle(area).overflowY)) area = area.parentElement as HTMLElement
    area.scrollTop = target === 'end' ? area.scrollHeight : target
  }, to)

const topOf = async (each: Locator) => (await each.boundingBox())?.y ?? Number.NaN

async function expectFewRows(list: Locator) {
  const count = await rowsOf(list).count()
  expect(count).toBeGreaterThan(4)
  expect(count).toBeLessThanOrEqual(ROWS_IN_DOCUMENT)
}

describe('an account with 1,000 conversations', () => {
  it('scrolls through all of them, and has few of them in the document', async () => {
    const chats = listOf(page, 'Chats')
    await row(chats, numbered('Meeting', MEETINGS)).waitFor()
    await expectFewRows(chats)
    expect(await row(chats, numbered('Meeting', MEETINGS)).getAttribute('aria-posinset')).toBe('1')
    // The oldest one is the chat with Ben.
    await waitFor(async () => {
      await scroll(chats, 'end')
      await expectFewRows(chats)
      return (await row(chats, 'Ben').count()) > 0
    }, 'the oldest conversation')
    const last = row(chats, 'Message 10000.')
    expect(await last.getAttribute('aria-posinset')).toBe(String(MEETINGS + 1))
    expect(await last.getAttribute('aria-setsize')).toBe(String(MEETINGS + 1))
    await last.getByText('999 unread messages').waitFor()

    // What has the focus stays in the document, and the keyboard goes on from there.
    await last.getByRole('link').focus()
    await scroll(chats, 0)
    await row(chats, numbered('Meeting', MEETINGS)).waitFor()
    expect(await last.count()).toBe(1)
    await page.keyboard.press('Shift+Tab')
    await waitFor(
      () => page.evaluate(() => document.activeElement?.textContent?.includes('Meeting') ?? false),
      'the row before has the focus',
    )
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Write a message' }).waitFor()
  })

  it('finds conversations by their names, and no others', async () => {
    const chats = listOf(page, 'Chats')
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('meeting 0042')
    await row(chats, numbered('Meeting', 42)).waitFor()
    await expect.poll(() => rowsOf(chats).count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('BEN')
    await row(chats, 'Ben').waitFor()
    await expect.poll(() => rowsOf(chats).count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('meeting 00')
    await expect.poll(() => rowsOf(chats).last().getAttribute('aria-setsize')).toBe('99')
    await expectFewRows(chats)
  })

  it('keeps its scroll position while another conversation becomes the newest, and when the user returns', async () => {
    const bens = await connect(ben)
    await page.goto(lectern.url)
    await page.setViewportSize({ width: 390, height: 844 })
    const chats = listOf(page, 'Chats')
    const seen = row(chats, numbered('Meeting', 960))
    await waitFor(async () => {
      await scroll(chats, 2_600)
      return (await seen.count()) > 0
    }, 'a conversation in the middle')
    const before = await topOf(seen)
    const sent = await bens.client.command(
      'message.send',
      { kind: 'chat', id: directChat(ids.anna, ids.ben) },
      { text: 'Are you there?' },
    )
    expect(sent).toBeTruthy()
    await waitFor(
      async () => (await seen.getAttribute('aria-posinset')) === String(MEETINGS - 960 + 2),
      'it is one row further down',
    )
    expect(Math.abs((await topOf(seen)) - before)).toBeLessThan(2)

    await seen.getByRole('link').click()
    await page.getByText('Message 1.').first().waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await seen.waitFor()
    await expect.poll(async () => Math.abs((await topOf(seen)) - before)).toBeLessThan(2)
    await checkAppearance(page, 'list', { shoot, sizes: [['phone', 320, 568]] })
  })

  it('reads 10,000 messages in both directions, and the counters follow', async () => {
    await page.setViewportSize(DESKTOP)
    await page.goto(`${lectern.url}/conversations/${directChat(ids.anna, ids.ben)}`)
    await home.message('Message 1.').waitFor()
    const log = page.getByRole('region', { name: 'Messages' })
    const count = () => page.locator('[data-message]').count()
    const scrollTo = (end: boolean) =>
      log.evaluate((element, isEnd) => element.scrollTo({ top: isEnd ? element.scrollHeight : 0 }), end)
    // Down: older messages make room for newer ones.
    await waitFor(async () => {
      await scrollTo(true)
      return (await home.message('Message 500.').count()) > 0
    }, 'message 500')
    expect(await count()).toBeLessThanOrEqual(WINDOW_MESSAGES)
    expect(await home.message('Message 1.').count()).toBe(0)

    await page.getByRole('button', { name: /new messages?$/ }).click()
    await home.message(`Message ${MESSAGES}.`).waitFor()
    await row(listOf(page, 'Chats'), 'Ben').getByText('Unread').waitFor({ state: 'detached' })
    await waitFor(async () => {
      await scrollTo(false)
      return (await home.message(`Message ${MESSAGES - 400}.`).count()) > 0
    }, 'older messages')
    expect(await count()).toBeLessThanOrEqual(WINDOW_MESSAGES)
  })
})

describe('the contacts', () => {
  it('of an account with hundreds can be searched, scrolled and used by keyboard', async () => {
    await home.goTo('Contacts')
    const contacts = page.getByRole('region', { name: `Contacts: ${CONTACTS + 1}` }).getByRole('list')
    await row(contacts, 'Ben').waitFor()
    await expectFewRows(contacts)
    await waitFor(async () => {
      await scroll(contacts, 'end')
      return (await row(contacts, numbered('Person', CONTACTS)).count()) > 0
    }, 'the last contact')
    await expectFewRows(contacts)
    // The menu of the last row is complete.
    await page.getByRole('button', { name: `More actions: ${numbered('Person', CONTACTS)}` }).click()
    await page.getByRole('button', { name: 'Remove contact' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('Escape')

    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('person 0123')
    const found = page.getByRole('region', { name: 'Contacts: 1' }).getByRole('listitem')
    await found.filter({ hasText: numbered('Person', 123) }).waitFor()
    expect(await found.count()).toBe(1)
    await checkAppearance(page, 'contacts', { shoot, sizes: [['phone', 320, 568]] })
  })
})
