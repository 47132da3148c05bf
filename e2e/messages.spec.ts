import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addUser, createConference, signInAs } from './support/accounts.ts'
import { checkAppearance } from './support/appearance.ts'
import { useBrowser } from './support/browser.ts'
import { Home, useCommands } from './support/home.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser()
const addAccount = (login: string, name: string) => addUser(lectern, login, { name })
const connect = useCommands(lectern)
const shoot = screenshotsOf('messages')
const SIZES = [
  ['phone', 390, 844],
  ['small-phone', 320, 568],
  ['wall', 3840, 2160],
] as const

let pairs = 0
/** Two new accounts; `parts` in place of their names. */
async function twoPeople([first, second]: [string, string] = ['Anna Petrova', 'Ben']) {
  const number = ++pairs
  const [anna, ben] = await Promise.all([
    addAccount(`anna-${number}`, first),
    addAccount(`ben-${number}`, second),
  ])
  return { anna, ben }
}

/** Two contacts, connected without a browser. */
async function twoContacts(names?: [string, string]) {
  const { anna, ben } = await twoPeople(names)
  const [annaCommands, benCommands] = [await connect(anna), await connect(ben)]
  await annaCommands.addContact(ben.login)
  await benCommands.addContact(anna.login)
  return { anna, ben, annaCommands, benCommands }
}

const at = (person: Parameters<typeof Home.open>[2], options?: BrowserContextOptions, path = '/') =>
  Home.open(open, lectern.url + path, person, options)

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

describe('two users', () => {
  it('become contacts, write, and read on a second device with equal counters', async () => {
    const { anna, ben } = await twoPeople()
    const annas = await at(anna)
    const bens = await at(ben)
    await bens.page.getByText('No chats yet').waitFor()

    await annas.page.getByRole('button', { name: 'New chat' }).first().click()
    await annas.page.getByRole('textbox', { name: 'Username of the person' }).fill('nobody-at-all')
    await annas.page.keyboard.press('Enter')
    await annas.page.getByText('There is no such person').waitFor()
    await annas.page.getByRole('textbox', { name: 'Username of the person' }).fill(ben.login.toUpperCase())
    await annas.page.keyboard.press('Enter')
    await annas.page.getByText('has not been accepted yet').waitFor()
    await annas.write('Hello Ben, this is Anna')

    // The request carries the message.
    await bens.page.getByRole('link', { name: 'Anna Petrova' }).first().click()
    await bens.message('Hello Ben, this is Anna').waitFor()
    expect(await bens.field.count()).toBe(0)
    await bens.page.getByRole('button', { name: 'Accept' }).click()
    await bens.write('Hi! 🎉 https://example.org/a?b=1')
    await annas.message('Hi! 🎉').getByRole('link', { name: 'https://example.org/a?b=1' }).waitFor()
    await annas.page.getByText('has not been accepted yet').waitFor({ state: 'detached' })
    await heading(annas.page, 'Ben').waitFor()
    await annas.page.getByText('Online', { exact: true }).first().waitFor()

    // Two more devices of Ben count what he has not read.
    await bens.goTo('Contacts')
    const second = await at(ben)
    await annas.write('one')
    await annas.write('two')
    for (const device of [bens, second]) {
      await waitFor(async () => (await device.unreadInTitle()) === 1, 'one conversation is unread')
      expect(await device.page.locator('link[rel=icon]').getAttribute('href')).toContain('unread')
    }
    await second.row('Anna Petrova').getByText('2 unread messages').waitFor()
    await second.openChat('Anna Petrova')
    await second.page.getByText('New messages', { exact: true }).waitFor()
    for (const device of [bens, second])
      await waitFor(async () => (await device.unreadInTitle()) === 0, 'everything is read')
  })

  it('edit and delete their own messages, on both sides', async () => {
    const { anna, ben } = await twoContacts()
    const annas = await at(anna, undefined, '/contacts')
    await annas.page.getByRole('link', { name: 'Write to Ben' }).click()
    await annas.write('a tipo')
    await annas.write('a secret')
    const bens = await at(ben)
    await bens.openChat('Anna Petrova')
    await bens.message('a secret').waitFor()
    expect(await bens.page.getByRole('button', { name: 'Edit message' }).count()).toBe(0)

    await annas.message('a tipo').hover()
    await annas.message('a tipo').getByRole('button', { name: 'Edit message' }).click()
    await annas.page.getByRole('textbox', { name: 'Edit message' }).fill('a typo')
    await annas.page.keyboard.press('Enter')
    for (const each of [annas, bens]) {
      await each.message('a typo').getByText('edited').waitFor()
      expect(await each.message('a tipo').count()).toBe(0)
    }
    await annas.message('a secret').hover()
    await annas.message('a secret').getByRole('button', { name: 'Delete message' }).click()
    await annas.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    for (const each of [annas, bens]) {
      await each.message('Message deleted').waitFor()
      expect(await each.page.getByText('a secret').count()).toBe(0)
    }
  })

  it('mute a conversation: it is counted in the list, but not in the title, on every device', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'first')
    const bens = await at(ben)
    const second = await at(ben, undefined, '/contacts')
    await bens.openChat(anna.name)
    const mute = bens.page.getByRole('button', { name: 'Mute notifications' })
    await mute.click()
    await waitFor(async () => (await mute.getAttribute('aria-pressed')) === 'true', 'it is muted')
    await bens.goTo('Meetings')
    await annaCommands.send(benCommands.userId, 'second')
    await second.goTo('Chats')
    await second.row(anna.name).getByText('1 unread message').waitFor()
    await second.row(anna.name).getByText('Muted').waitFor()
    for (const device of [bens, second]) expect(await device.unreadInTitle()).toBe(0)
    await annaCommands.client.close()
  })

  it('become contacts when one adds the other who has asked already', async () => {
    const { anna, ben } = await twoPeople()
    await (await connect(anna)).addContact(ben.login)
    const { page } = await at(ben, undefined, '/contacts')
    await page.getByRole('heading', { name: 'Requests to you: 1' }).waitFor()
    await page.getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('textbox', { name: 'Username of the person' }).fill(anna.login)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Contacts: 1' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('block: messages are refused without a false reason, until the block is lifted', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'spam')
    const bens = await at(ben)
    await bens.openChat(anna.name)
    await bens.page.getByRole('button', { name: 'More actions' }).click()
    await bens.page.getByRole('button', { name: 'Block' }).click()
    await bens.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await bens.page.getByText('You have blocked').waitFor()

    const annas = await at(anna)
    await annas.openChat(ben.name)
    await annas.field.fill('are you there?')
    await annas.field.press('Enter')
    await annas.page.getByText('cannot be reached').waitFor()
    await annas.page.getByRole('button', { name: 'Delete', exact: true }).click()
    expect(await annas.page.getByText('are you there?').count()).toBe(0)

    await bens.goTo('Contacts')
    await heading(bens.page, 'Blocked: 1').waitFor()
    await bens.page.getByRole('button', { name: `More actions: ${anna.name}` }).click()
    await bens.page.getByRole('button', { name: 'Unblock' }).click()
    await bens.page.getByText('No contacts yet').waitFor()
  })
})

describe('a conversation', () => {
  it('pages through a long history in both directions, and returns to the newest message', async () => {
    const { ben, annaCommands, benCommands } = await twoContacts()
    for (let i = 1; i <= 420; i++) await annaCommands.send(benCommands.userId, `number ${i}.`)
    const bens = await at(ben)
    await bens.openChat('Anna Petrova')
    // It begins at the first unread message, which is the first of all.
    await bens.message('number 1.').waitFor()
    const log = bens.page.getByRole('region', { name: 'Messages' })
    const scroll = (to: 'start' | 'end') =>
      log.evaluate((element, end) => element.scrollTo({ top: end ? element.scrollHeight : 0 }), to === 'end')
    await bens.page.getByRole('button', { name: /new messages?$/ }).click()
    await bens.message('number 420.').waitFor()
    await waitFor(async () => (await bens.unreadInTitle()) === 0, 'all messages are read')
    await waitFor(async () => {
      await scroll('start')
      return (await bens.message('number 1.').count()) > 0
    }, 'the first message')
    expect(await bens.page.locator('[data-message]').count()).toBeLessThanOrEqual(300)
    expect(await bens.message('number 420.').count()).toBe(0)
    await waitFor(async () => {
      await scroll('end')
      return (await bens.message('number 420.').count()) > 0
    }, 'the last message')
  })

  it('keeps its scroll position while older messages load above', async () => {
    const { ben, annaCommands, benCommands } = await twoContacts()
    for (let i = 1; i <= 130; i++) await annaCommands.send(benCommands.userId, `number ${i}.`)
    const bens = await at(ben)
    await bens.openChat('Anna Petrova')
    const toNewest = bens.page.getByRole('button', { name: /new messages?$/ })
    await toNewest.click()
    await bens.message('number 85.').waitFor()
    await toNewest.waitFor({ state: 'detached' })
    await bens.message('number 35.').waitFor({ state: 'attached' }) // the page before is not loading any more
    const log = bens.page.getByRole('region', { name: 'Messages' })
    // In one step: an element that was found before may have been replaced since then.
    const top = () =>
      log.evaluate(element => {
        const messages = [...element.querySelectorAll('[data-message]')]
        const shown = messages.find(each => each.textContent?.includes('number 85.'))
        return shown?.getBoundingClientRect().top ?? Number.NaN
      })
    await log.evaluate(element => element.scrollTo({ top: 450 }))
    const before = await top()
    await bens.message('number 10.').waitFor({ state: 'attached' })
    expect(Math.abs((await top()) - before)).toBeLessThan(3)
  })

  it('keeps a draft and unsent messages, also while the server is unavailable', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'hello')
    const bens = await at(ben)
    await bens.openChat(anna.name)
    await bens.field.fill('not finished')
    await bens.goTo('Contacts')
    await bens.goTo('Chats')
    await bens.row(anna.name).getByText('Draft: not finished').waitFor()
    await bens.page.reload()
    await bens.openChat(anna.name)
    expect(await bens.field.inputValue()).toBe('not finished')

    await lectern.stop('SIGKILL')
    await bens.page.getByText('Connection lost. Reconnecting…').waitFor()
    await bens.field.fill('written while you were away')
    await bens.field.press('Enter')
    await bens.page.getByText('Sending…').waitFor()
    await lectern.start()
    await bens.message('written while you were away').waitFor()
    await bens.page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' })
    expect(await bens.message('written while you were away').count()).toBe(1)
  })

  it('counts characters, and inserts emoji by keyboard only', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'hello')
    const bens = await at(ben)
    await bens.openChat(anna.name)
    await bens.field.fill('x'.repeat(4_001))
    await bens.page.getByText('Message too long by').waitFor()
    await bens.field.press('Enter')
    expect(await bens.page.locator('[data-message]').count()).toBe(1)
    await bens.field.fill('well ')
    await bens.page.keyboard.press('Shift+Tab')
    await bens.page.keyboard.press('Enter')
    await bens.page.keyboard.press('ArrowDown')
    await bens.page.keyboard.press('ArrowRight')
    await bens.page.keyboard.press('Enter')
    expect(await bens.field.inputValue()).toBe('well 🤔')
    await bens.page.keyboard.press('Enter')
    await bens.message('well 🤔').waitFor()
  })

  it('of a meeting has members whom its owner adds and removes, and links to the meeting', async () => {
    const { anna, ben } = await twoPeople()
    const { tag } = await createConference(lectern, await signInAs(lectern, anna), 'Monday round')
    const annas = await at(anna, undefined, `/conversations/conference:${tag}`)
    await annas.write('Welcome')
    await annas.page.getByRole('button', { name: 'Members' }).click()
    await annas.page.getByRole('textbox', { name: 'Username of the person' }).fill(ben.login)
    await annas.page.keyboard.press('Enter')
    await annas.page.getByRole('dialog').getByText('Ben').waitFor()
    const bens = await at(ben)
    await bens.openChat('Monday round')
    await bens.message('Welcome').waitFor()
    await bens.write('Thanks')
    await annas.message('Thanks').waitFor()
    await bens.page.getByRole('link', { name: 'Join meeting' }).click()
    await heading(bens.page, 'Monday round').waitFor()
    await bens.page.goBack()
    await bens.message('Thanks').waitFor()
    await bens.page.getByRole('button', { name: 'Members' }).click()
    await bens.page.getByRole('button', { name: 'Leave chat' }).click()
    const question = bens.page.getByRole('dialog', { name: 'Leave this chat?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await bens.page.keyboard.press('Escape')
    await bens.message('Thanks').waitFor()
    await annas.page.getByRole('button', { name: 'Remove Ben' }).click()
    await bens.page.getByRole('listitem').filter({ hasText: 'Monday round' }).waitFor({ state: 'detached' })
  })
})

describe('the pages', () => {
  it('show the first of many contact requests above the chats, and all among the contacts', async () => {
    const { ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'Hello')
    for (let stranger = 1; stranger <= 5; stranger++)
      await (await connect(await addAccount(`stranger-${stranger}`, 'Stranger'))).addContact(ben.login)
    const { page, row } = await at(ben)
    const requests = page.getByRole('region', { name: 'Contact requests: 5' })
    await requests.waitFor()
    expect(await requests.getByRole('listitem').count()).toBe(3)
    await row('Anna Petrova').waitFor()
    await requests.getByRole('link', { name: 'Show all requests' }).click()
    await heading(page, 'Requests to you: 5').waitFor()
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(5)
  })

  it('show names from right to left, and people without a name by their login', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts(['مريم الخطيب', ''])
    await annaCommands.send(benCommands.userId, 'שלום, how are you?')
    const bens = await at(ben)
    await bens.openChat('مريم الخطيب')
    await bens.message('שלום').waitFor()
    await shoot(bens.page, 'rtl')
    await benCommands.send(annaCommands.userId, 'answer')
    const annas = await at(anna)
    await annas.openChat(ben.login)
    await annas.message('answer').getByText('answer').waitFor()
    await heading(annas.page, ben.login).waitFor()
  })

  it('are used by keyboard only', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'hello')
    const bens = await at(ben)
    await bens.row(anna.name).getByRole('link').focus()
    await bens.page.keyboard.press('Enter')
    await waitFor(() => bens.field.evaluate(field => field === document.activeElement), 'the field has focus')
    await bens.page.keyboard.type('typed')
    await bens.page.keyboard.press('Enter')
    await bens.message('typed').waitFor()
    const edit = bens.message('typed').getByRole('button', { name: 'Edit message' })
    for (let i = 0; i < 6 && !(await edit.evaluate(button => button === document.activeElement)); i++)
      await bens.page.keyboard.press('Shift+Tab')
    await bens.page.keyboard.press('Enter')
    await bens.page.keyboard.type(' and edited')
    await bens.page.keyboard.press('Enter')
    await bens.message('typed and edited').waitFor()
  })

  it('have dialogs that begin in their field, and give the focus back, as menus do', async () => {
    const { ben, annaCommands, benCommands } = await twoContacts()
    await annaCommands.send(benCommands.userId, 'hello')
    const { page } = await at(ben)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const press = (key: string) => page.keyboard.press(key)
    const hasFocus = (each: Locator) =>
      waitFor(() => each.evaluate(element => element === document.activeElement), `${each} has the focus`)
    await button('New chat').focus()
    await press('Enter')
    await hasFocus(page.getByRole('textbox', { name: 'Username of the person' }))
    await press('Escape')
    await hasFocus(button('New chat'))

    await page.getByRole('link', { name: 'Anna Petrova' }).first().click()
    await hasFocus(page.getByRole('textbox', { name: 'Write a message' }))
    await button('More actions').focus()
    for (const key of ['Enter', 'Tab', 'Tab']) await press(key)
    await hasFocus(button('Block'))
    await press('Enter')
    await hasFocus(button('Cancel'))
    await press('Enter')
    await hasFocus(button('Block'))
    for (const key of ['Enter', 'Tab', 'Enter']) await press(key)
    await page.getByText('You have blocked').waitFor()
    await hasFocus(button('More actions'))
  })

  it('have no accessibility violation and fit every screen', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts()
    const others = ['Мария Иванова', 'Dr. Maximiliana von Habsburg-Lothringen-Este', 'مريم الخطيب', 'Zoë']
    for (const [index, name] of others.entries()) {
      const person = await connect(await addAccount(`other-${pairs}-${index}`, name))
      await person.send(
        benCommands.userId,
        `Hello from ${name}, with a message that does not fit into a line`,
      )
      if (index % 2 === 0)
        await benCommands.client.command(
          'contact.add',
          { kind: 'account', id: String(benCommands.userId) },
          { user_id: String(person.userId) },
        )
    }
    for (const text of ['Good morning!', 'See https://example.org/a/very/long/address/that/goes/on', '👍'])
      await annaCommands.send(benCommands.userId, text)
    await benCommands.send(annaCommands.userId, 'Thanks, I will read it.\n\nThis afternoon, I think.')
    await annaCommands.send(benCommands.userId, 'Great')

    const bens = await at(ben, { reducedMotion: 'reduce' })
    await bens.row(anna.name).waitFor()
    await checkAppearance(bens.page, 'list', { shoot, sizes: SIZES })
    await bens.openChat(anna.name)
    await bens.message('Great').waitFor()
    const checkSize = async () => {
      const name = await heading(bens.page, anna.name).boundingBox()
      expect(name?.width, 'the buttons leave place for the name').toBeGreaterThan(100)
    }
    await checkAppearance(bens.page, 'chat', { shoot, sizes: SIZES, checkSize })
    await bens.page.getByRole('button', { name: 'Emoji' }).click()
    await checkAppearance(bens.page, 'emoji', { shoot, sizes: SIZES })
    await bens.page.keyboard.press('Escape')
    await bens.page.getByRole('link', { name: 'Zoë' }).first().click()
    await bens.page.getByRole('button', { name: 'Accept' }).waitFor()
    await checkAppearance(bens.page, 'request', { shoot, sizes: SIZES })
    await bens.goTo('Contacts')
    await bens.page.getByText('Requests to you: 2').waitFor()
    await checkAppearance(bens.page, 'contacts', { shoot, sizes: SIZES })
    await bens.page.getByRole('button', { name: 'Add contact' }).click()
    await checkAppearance(bens.page, 'add', { shoot, sizes: SIZES })
  })

  it('are available in Russian', async () => {
    const { anna, ben, annaCommands, benCommands } = await twoContacts(['Анна Петрова', 'Борис'])
    await annaCommands.send(benCommands.userId, 'Привет! Созвонимся завтра?')
    await connect(await addAccount(`masha-${pairs}`, 'Маша')).then(masha =>
      masha.send(benCommands.userId, 'Здравствуйте!'),
    )
    const { page } = await open(lectern.url, { locale: 'ru-RU' })
    await page.getByRole('textbox', { name: 'Логин' }).fill(ben.login)
    await page.getByLabel('Пароль').fill(ben.password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: anna.name }).click()
    await page.getByText('Созвонимся завтра?').first().waitFor()
    await page.getByRole('textbox', { name: 'Сообщение' }).waitFor()
    await shoot(page, 'ru')
    await page.setViewportSize({ width: 390, height: 844 })
    await shoot(page, 'ru-phone')
    await page.getByRole('link', { name: 'Назад' }).click()
    await page.getByText('Запросы в контакты: 1').waitFor()
    await shoot(page, 'ru-list-phone')
    await page.getByRole('link', { name: 'Контакты' }).click()
    await page.getByText('В сети').first().waitFor()
    await shoot(page, 'ru-contacts-phone')
  })
})
