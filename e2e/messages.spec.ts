import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { addUser, type Credentials, createConference, signInAs } from './support/accounts.ts'
import { useBrowser } from './support/browser.ts'
import { Home, useCommands } from './support/home.ts'
import { useLectern } from './support/lectern.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser([], { keepsPagesOpen: true })
const connect = useCommands(lectern)

let anna: Credentials
let ben: Credentials
let annas: Home
let bens: Home
beforeAll(async () => {
  anna = await addUser(lectern, 'anna', { name: 'Anna Petrova' })
  ben = await addUser(lectern, 'ben')
  annas = await Home.open(open, `${lectern.url}/`, anna)
  bens = await Home.open(open, `${lectern.url}/`, ben)
})

const heading = ({ page }: Home, name: string) => page.getByRole('heading', { name, exact: true })

it('two users become contacts, write, and read on another device with equal counters', async () => {
  await bens.page.getByText('No chats yet').waitFor()
  await annas.page.getByRole('button', { name: 'New chat' }).first().click()
  const finder = annas.page.getByRole('textbox', { name: 'Username of the person' })
  await finder.fill('nobody-at-all')
  await finder.press('Enter')
  await annas.page.getByText('There is no such person').waitFor()
  await finder.fill('BEN')
  await finder.press('Enter')
  await annas.page.getByText('has not been accepted yet').waitFor()
  await annas.write('Hello Ben, this is Anna')

  // The request carries the message.
  await bens.page.getByRole('link', { name: anna.name }).first().click()
  await bens.message('Hello Ben, this is Anna').waitFor()
  expect(await bens.field.count()).toBe(0)
  await bens.page.getByRole('button', { name: 'Accept' }).click()
  await bens.write('Hi! 🎉 https://example.org/a?b=1')
  await annas.message('Hi! 🎉').getByRole('link', { name: 'https://example.org/a?b=1' }).waitFor()
  await annas.page.getByText('has not been accepted yet').waitFor({ state: 'detached' })
  await heading(annas, 'Ben').waitFor()
  await annas.page.getByText('Online', { exact: true }).first().waitFor()

  await bens.goTo('Contacts')
  const { client, userId } = await connect(ben)
  const unread = () => client.account(String(userId)).get()?.unread_conversations
  await annas.write('one')
  await annas.write('two')
  await waitFor(
    async () => (await bens.unreadInTitle()) === 1 && unread() === 1,
    'one conversation is unread',
  )
  expect(await bens.page.locator('link[rel=icon]').getAttribute('href')).toContain('unread')
  await bens.goTo('Chats')
  await bens.row(anna.name).getByText('2 unread messages').waitFor()
  await bens.openChat(anna.name)
  await bens.page.getByText('New messages', { exact: true }).waitFor()
  await waitFor(async () => (await bens.unreadInTitle()) === 0 && unread() === 0, 'everything is read')
})

it('a picture is seen, and a text file is downloaded with its name, by the other person', async () => {
  const picture = {
    name: 'Dreieck.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  }
  await annas.attach(picture)
  await annas.write('Look at this')
  await bens.message('Look at this').getByRole('img', { name: 'Dreieck.png' }).waitFor()
  await annas.attach({ name: 'Übung 3.txt', mimeType: 'text/plain', buffer: Buffer.from('x = 3') })
  await annas.page.getByRole('button', { name: 'Send', exact: true }).click()
  const row = bens.page.getByRole('button', { name: 'Download Übung 3.txt' })
  const [download] = await Promise.all([bens.page.waitForEvent('download'), row.click()])
  expect(download.suggestedFilename()).toBe('Übung 3.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe('x = 3')
})

it('messages are edited and deleted by their authors, on both sides', async () => {
  await annas.write('a tipo')
  await annas.write('a secret')
  await bens.message('a secret').waitFor()
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
    expect(await each.message('a secret').count()).toBe(0)
    await each
      .row(each === annas ? 'Ben' : anna.name)
      .getByText('Message deleted')
      .first()
      .waitFor()
  }
})

it('a muted conversation is counted in the list, but not in the title, on every device', async () => {
  const [annaCommands, benCommands] = [await connect(anna), await connect(ben)]
  await bens.page.getByRole('button', { name: 'Mute notifications' }).click()
  const view = () => benCommands.client.account(String(benCommands.userId)).get()
  await waitFor(() => view()?.conversations[0]?.muted, 'it is muted on the other device')
  await bens.goTo('Meetings')
  await annaCommands.send(benCommands.userId, 'unheard')
  await bens.goTo('Chats')
  await bens.row(anna.name).getByText('1 unread message').waitFor()
  await bens.row(anna.name).getByText('Muted').waitFor()
  expect([await bens.unreadInTitle(), view()?.unread_conversations]).toEqual([0, 1])
})

it('the conversation of a meeting has members whom its owner adds and removes', async () => {
  const { tag } = await createConference(lectern, await signInAs(lectern, anna), 'Monday round')
  await annas.goTo('Chats')
  await annas.page.goto(`${lectern.url}/conversations/conference:${tag}`)
  await annas.write('Welcome')
  await annas.page.getByRole('button', { name: 'Members' }).click()
  await annas.page.getByRole('textbox', { name: 'Username of the person' }).fill('ben')
  await annas.page.keyboard.press('Enter')
  await annas.page.getByRole('dialog').getByText('Ben').waitFor()
  await bens.openChat('Monday round')
  await bens.message('Welcome').waitFor()
  await bens.write('Thanks')
  await annas.message('Thanks').waitFor()
  await bens.page.getByRole('link', { name: 'Join meeting' }).click()
  await heading(bens, 'Monday round').waitFor()
  await bens.page.goBack()
  await bens.message('Thanks').waitFor()
  await bens.page.getByRole('button', { name: 'Members' }).click()
  await bens.page.getByRole('button', { name: 'Leave chat' }).click()
  const question = bens.page.getByRole('dialog', { name: 'Leave this chat?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await bens.page.keyboard.press('Escape')
  await annas.page.getByRole('button', { name: 'Remove Ben' }).click()
  await bens.row('Monday round').waitFor({ state: 'detached' })
  await annas.page.keyboard.press('Escape')
})

it('a draft and an unsent message outlive a reload and a kill -9 of the server', async () => {
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

it('messages to somebody who has blocked the sender are refused without a false reason, until that is lifted', async () => {
  await bens.page.getByRole('button', { name: 'More actions' }).click()
  await bens.page.getByRole('button', { name: 'Block' }).click()
  await bens.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await bens.page.getByText('You have blocked').waitFor()

  await annas.goTo('Chats')
  await annas.openChat(ben.name)
  await annas.field.fill('are you there?')
  await annas.field.press('Enter')
  await annas.page.getByText('cannot be reached').waitFor()
  await annas.page.getByRole('button', { name: 'Delete', exact: true }).click()
  expect(await annas.page.getByText('are you there?').count()).toBe(0)

  await bens.goTo('Contacts')
  await heading(bens, 'Blocked: 1').waitFor()
  await bens.page.getByRole('button', { name: `More actions: ${anna.name}` }).click()
  await bens.page.getByRole('button', { name: 'Unblock' }).click()
  await bens.page.getByText('No contacts yet').waitFor()
})
