import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { becomeGuest, useMembers } from './support/members.ts'
import {
  button,
  field,
  log,
  messageWith,
  openChat,
  openPeople,
  sendMessage,
  useLessonPages,
} from './support/panels.ts'
import { waitFor } from './support/wait.ts'

const { lectern, open, makeRoom, enter, begin, checkPanel } = useLessonPages('room-chat')
const enterAsProgram = useMembers()

/** Two participants with an open chat. */
async function chatting(options?: BrowserContextOptions) {
  const { teacher, student } = await begin(options)
  await Promise.all([openChat(teacher), openChat(student)])
  return { teacher, student }
}

describe('the chat', () => {
  it('delivers messages unchanged', async () => {
    const { teacher, student } = await chatting()
    await sendMessage(teacher, 'See <b>https://a.example/x?y=1</b>, please')
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

  it('counts unread messages until it is opened', async () => {
    const { teacher, student } = await chatting()
    await button(student, 'Close chat').click()
    await sendMessage(teacher, 'first')
    await sendMessage(teacher, 'second')
    await button(student, 'Chat, 2 unread messages').waitFor()
    await student
      .getByRole('log')
      .getByText('Message from Anna Petrova: second')
      .waitFor({ state: 'attached' })
    await button(student, 'Chat, 2 unread messages').click()
    await messageWith(student, 'second').waitFor()
    await field(student).press('Escape')
    await button(student, 'Chat').waitFor()
    const hasFocus = (name: string) => button(student, name).and(student.locator(':focus')).count()
    await expect.poll(() => hasFocus('Chat')).toBe(1)
    // Escape closes the panel from anywhere, and the focus stays there.
    await openChat(student)
    await button(student, 'Microphone').focus()
    await student.keyboard.press('Escape')
    await field(student).waitFor({ state: 'detached' })
    expect(await hasFocus('Microphone')).toBe(1)
  })

  it('keeps the focus and the draft, and announces new messages to screen readers', async () => {
    const { teacher, student } = await chatting()
    await field(student).pressSequentially('half a sen')
    for (const text of ['first', 'second', 'third']) await sendMessage(teacher, text)
    await student.getByRole('log').getByText('Message from Anna Petrova: third').waitFor()
    await student.keyboard.type('tence')
    expect(await field(student).inputValue()).toBe('half a sentence')
    await log(student).focus()
    await sendMessage(teacher, 'fourth')
    await messageWith(student, 'fourth').waitFor()
    expect(await log(student).evaluate(element => element === document.activeElement)).toBe(true)
    await openPeople(student)
    await openChat(student)
    expect(await field(student).inputValue()).toBe('half a sentence')
  })

  it('keeps the scroll position while older messages are read', async () => {
    const { teacher, student } = await chatting()
    for (let i = 1; i <= 20; i++) await sendMessage(teacher, `line ${i}`)
    await messageWith(student, 'line 20').waitFor()
    await log(student).evaluate(element => element.scrollTo(0, 0))
    await button(teacher, 'Send').waitFor()
    await sendMessage(teacher, 'line 21')
    await button(student, '1 new message').waitFor()
    expect(await log(student).evaluate(element => element.scrollTop)).toBe(0)
    await button(student, '1 new message').click()
    await waitFor(async () => (await button(student, /new messages?$/).count()) === 0, 'it is read')
    await sendMessage(teacher, 'line 22')
    await waitFor(() => isAtEnd(student), 'it follows the end again')
  })

  it('loads older messages without moving the visible ones', async () => {
    const room = await makeRoom()
    const account = await becomeGuest(lectern.url, 'Sam')
    const sam = await enterAsProgram({
      url: lectern.url,
      tag: room.tag,
      account,
      link: room.student_join_url,
    }).waitForJoin()
    for (let i = 1; i <= 130; i++) await sam.sendChat(`line ${i}`)
    const student = await enter(room.student_join_url)
    await openChat(student)
    await waitFor(() => isAtEnd(student), 'it begins at the end')
    const older = button(student, 'Show earlier messages')
    await older.scrollIntoViewIfNeeded()
    const top = async () => (await messageWith(student, 'line 31').boundingBox())?.y ?? 0
    const before = await top()
    await older.press('Enter')
    await messageWith(student, 'line 1').waitFor({ state: 'attached' })
    // The removed button was above.
    expect(Math.abs((await top()) - before)).toBeLessThan(3)
    expect(await log(student).evaluate(element => element === document.activeElement)).toBe(true)
  })

  it('can be restricted to moderators', async () => {
    const { teacher, student } = await chatting()
    await field(student).fill('wait')
    const mode = teacher.getByRole('checkbox', { name: 'Only the teacher can send messages' })
    await mode.click()
    await student.getByText('Only the teacher can send messages right now.').waitFor()
    await expect.poll(() => field(student).isEditable()).toBe(false)
    await field(student).press('Enter')
    await sendMessage(teacher, 'quiet, please')
    await messageWith(student, 'quiet, please').waitFor()
    await checkPanel(student, 'read-only')
    await expect.poll(() => mode.isChecked()).toBe(true)
    await mode.click()
    await waitFor(() => field(student).isEditable(), 'everybody can write again')
    await field(student).press('Enter')
    await messageWith(teacher, 'wait').waitFor()
  })

  it('shows unsent messages with a choice to retry or discard them', async () => {
    const room = await makeRoom()
    const { page } = await open('about:blank')
    let refusing = true
    // The server rejects blank messages.
    await page.routeWebSocket(/control$/, socket => {
      const server = socket.connectToServer()
      socket.onMessage(frame =>
        server.send(refusing ? String(frame).replace('"text":"hello"', '"text":" "') : frame),
      )
    })
    await page.goto(room.student_join_url)
    await button(page, 'Join').click()
    await openChat(page)
    await sendMessage(page, 'hello')
    await page.getByRole('alert').getByText('Not sent').waitFor()
    await checkPanel(page, 'failed')
    refusing = false
    await button(page, 'Send again').click()
    await waitFor(async () => (await button(page, 'Delete').count()) === 0, 'it is sent')
    await messageWith(page, 'hello').waitFor()
  })

  it('has no accessibility violation and fits every screen', async () => {
    const { teacher, student } = await chatting()
    await sendMessage(teacher, 'Good morning! Today: https://a.example/algebra/quadratic-equations?page=12')
    await sendMessage(teacher, 'x'.repeat(120))
    await sendMessage(student, 'Good morning!\nI have a question.')
    await messageWith(student, 'x'.repeat(120)).waitFor()
    await log(teacher).getByText('I have a question.').waitFor()
    await checkPanel(teacher, 'chat-teacher')
    await field(student).fill('y'.repeat(3_900))
    await student.getByText('100 characters left').waitFor()
    await checkPanel(student, 'chat-student')
  })
})

const isAtEnd = (page: Page) =>
  log(page).evaluate(
    ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 4,
  )
