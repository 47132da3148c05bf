import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { becomeGuest, useMembers } from './support/members.ts'
import { button, field, log, openChat, openPeople, said, say, useLessons } from './support/panels.ts'
import { waitFor } from './support/wait.ts'

const { lectern, open, makeRoom, enter, begin, look } = useLessons('room-chat')
const enterAsProgram = useMembers()

/** Two people who have the chat open. */
async function chatting(options?: BrowserContextOptions) {
  const { teacher, student } = await begin(options)
  await Promise.all([openChat(teacher), openChat(student)])
  return { teacher, student }
}

describe('the chat', () => {
  it('carries what two people write, as they wrote it', async () => {
    const { teacher, student } = await chatting()
    await say(teacher, 'See <b>https://a.example/x?y=1</b>, please')
    const link = log(student).getByRole('link', { name: 'https://a.example/x?y=1' })
    expect(await link.getAttribute('href')).toBe('https://a.example/x?y=1')
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await log(student).locator('b').count()).toBe(0)
    await field(student).pressSequentially('one')
    await teacher.getByText('Mia Andersson is typing…').waitFor()
    await student.keyboard.press('Shift+Enter')
    await student.keyboard.type('two')
    await button(student, 'Send').click()
    await log(teacher).getByText('one\ntwo').waitFor()
    await log(student).getByText('You', { exact: true }).waitFor()
    await expect.poll(() => field(student).inputValue()).toBe('')
  })

  it('tells how many messages wait, and is read when it is open', async () => {
    const { teacher, student } = await chatting()
    await button(student, 'Close chat').click()
    await say(teacher, 'first')
    await say(teacher, 'second')
    await button(student, 'Chat, 2 unread').waitFor()
    await student
      .getByRole('log')
      .getByText('Message from Anna Petrova: second')
      .waitFor({ state: 'attached' })
    await button(student, 'Chat, 2 unread').click()
    await said(student, 'second').waitFor()
    await field(student).press('Escape')
    await button(student, 'Chat').waitFor()
    const focused = button(student, 'Chat').and(student.locator(':focus'))
    await expect.poll(() => focused.count()).toBe(1)
  })

  it('leaves the focus and what is half written alone, and reads new messages out', async () => {
    const { teacher, student } = await chatting()
    await field(student).pressSequentially('half a sen')
    for (const text of ['first', 'second', 'third']) await say(teacher, text)
    await student.getByRole('log').getByText('Message from Anna Petrova: third').waitFor()
    await student.keyboard.type('tence')
    expect(await field(student).inputValue()).toBe('half a sentence')
    await log(student).focus()
    await say(teacher, 'fourth')
    await said(student, 'fourth').waitFor()
    expect(await log(student).evaluate(element => element === document.activeElement)).toBe(true)
    await openPeople(student)
    await openChat(student)
    expect(await field(student).inputValue()).toBe('half a sentence')
  })

  it('keeps the place of who reads further up', async () => {
    const { teacher, student } = await chatting()
    for (let i = 1; i <= 20; i++) await say(teacher, `line ${i}`)
    await said(student, 'line 20').waitFor()
    await log(student).evaluate(element => element.scrollTo(0, 0))
    await button(teacher, 'Send').waitFor()
    await say(teacher, 'line 21')
    await button(student, 'New messages: 1').waitFor()
    expect(await log(student).evaluate(element => element.scrollTop)).toBe(0)
    await button(student, 'New messages: 1').click()
    await waitFor(async () => (await button(student, /^New messages/).count()) === 0, 'it is read')
    await say(teacher, 'line 22')
    await waitFor(() => isAtEnd(student), 'it follows the end again')
  })

  it('brings older messages without moving what is read', async () => {
    const room = await makeRoom()
    const account = await becomeGuest(lectern.url, 'Sam')
    const sam = await enterAsProgram({
      url: lectern.url,
      tag: room.tag,
      account,
      link: room.student_join_url,
    }).inside()
    for (let i = 1; i <= 130; i++) await sam.say(`line ${i}`)
    const student = await enter(room.student_join_url)
    await openChat(student)
    await waitFor(() => isAtEnd(student), 'it begins at the end')
    const older = button(student, 'Show earlier messages')
    await older.scrollIntoViewIfNeeded()
    const top = async () => (await said(student, 'line 31').boundingBox())?.y ?? 0
    const before = await top()
    await older.press('Enter')
    await said(student, 'line 1').waitFor({ state: 'attached' })
    // The button that has gone stood above.
    expect(Math.abs((await top()) - before)).toBeLessThan(3)
    expect(await log(student).evaluate(element => element === document.activeElement)).toBe(true)
  })

  it('is for moderators alone when one of them says so', async () => {
    const { teacher, student } = await chatting()
    await field(student).fill('wait')
    const mode = teacher.getByRole('checkbox', { name: 'Only the teacher can send messages' })
    await mode.click()
    await student.getByText('Only the teacher can send messages right now.').waitFor()
    await expect.poll(() => field(student).isEditable()).toBe(false)
    await field(student).press('Enter')
    await say(teacher, 'quiet, please')
    await said(student, 'quiet, please').waitFor()
    await look(student, 'read-only')
    await expect.poll(() => mode.isChecked()).toBe(true)
    await mode.click()
    await waitFor(() => field(student).isEditable(), 'everybody can write again')
    await field(student).press('Enter')
    await said(teacher, 'wait').waitFor()
  })

  it('shows what was not sent, to be sent again or not', async () => {
    const room = await makeRoom()
    const { page } = await open('about:blank')
    let refusing = true
    // The server takes no blank message.
    await page.routeWebSocket(/control$/, socket => {
      const server = socket.connectToServer()
      socket.onMessage(frame =>
        server.send(refusing ? String(frame).replace('"text":"hello"', '"text":" "') : frame),
      )
    })
    await page.goto(room.student_join_url)
    await button(page, 'Join').click()
    await openChat(page)
    await say(page, 'hello')
    await page.getByRole('alert').getByText('Not sent').waitFor()
    await look(page, 'failed')
    refusing = false
    await button(page, 'Send again').click()
    await waitFor(async () => (await button(page, 'Delete').count()) === 0, 'it is sent')
    await said(page, 'hello').waitFor()
  })

  it('has no accessibility violation and fits', async () => {
    const { teacher, student } = await chatting()
    await say(teacher, 'Good morning! Today: https://a.example/algebra/quadratic-equations?page=12')
    await say(teacher, 'x'.repeat(120))
    await say(student, 'Good morning!\nI have a question.')
    await said(student, 'x'.repeat(120)).waitFor()
    await log(teacher).getByText('I have a question.').waitFor()
    await look(teacher, 'chat-teacher')
    await field(student).fill('y'.repeat(3_900))
    await student.getByText('Characters left: 100').waitFor()
    await look(student, 'chat-student')
  })
})

const isAtEnd = (page: Page) =>
  log(page).evaluate(
    ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 4,
  )
