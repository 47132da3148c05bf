import { ControlFailure } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { checkAppearance, checkFit } from '../../testing/appearance.ts'
import { focus, renderHome } from '../../testing/home.tsx'
import { checkKeyboardEverywhere } from '../../testing/keyboard.ts'
import { PHONE } from '../../testing/render.tsx'
import { aContact, aConversation, aMessage } from '../messaging/testing.ts'

const CHAT = 'direct:7-8'
const ben = aContact(8, { display_name: 'Ben' })
const withBen = aConversation(8, { title: 'Ben' })

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = page.getByRole('textbox', { name: 'Write a message' })
const log = page.getByRole('region', { name: 'Messages' })
const bubble = (text: string) =>
  [...document.querySelectorAll('[data-message]')].find(each => each.textContent?.includes(text))

/** Anna's conversation with Ben, on a server that keeps what is written. */
async function openChat(
  messages: ChatMessage[],
  options: Parameters<typeof renderHome>[1] = {},
  path = `/conversations/${CHAT}`,
) {
  const stored = [...messages]
  const home = await renderHome(path, {
    ...options,
    view: { contacts: [ben], conversations: [withBen], ...options.view },
    commands: {
      'message.list': ({ before, after, limit }) => {
        const isMeant = ({ message_id }: ChatMessage) =>
          (before === undefined || Number(message_id) < Number(before)) &&
          (after === undefined || Number(message_id) > Number(after))
        const found = stored.filter(isMeant)
        const size = Number(limit)
        return {
          messages: after === undefined ? found.slice(-size) : found.slice(0, size),
          has_more: found.length > size,
        }
      },
      'message.send': ({ text }) => {
        const message = aMessage(stored.length + 1, {
          user_id: '7',
          display_name: 'Anna',
          text: String(text),
          sent_at_ms: Date.now(),
        })
        stored.push(message)
        home.control.emit('message.added', { chat_id: CHAT, message })
        return { message }
      },
      'message.edit': ({ message_id, text }) => {
        const message = { ...stored.find(each => each.message_id === message_id), text, edited_at_ms: 1 }
        home.control.emit('message.changed', { chat_id: CHAT, message })
        return { message }
      },
      ...options.commands,
    },
  })
  return home
}

describe('the list of conversations', () => {
  it.each([
    ['of the other person', '8'],
    ['of this user, after their name', '7'],
  ])('has the beginning of a long message %s, in the direction of its letters', async (_, user_id) => {
    const text = 'مساء الخير! هل يمكن أن نبدأ الدرس في الساعة الخامسة؟'
    const last_message = aMessage(1, { user_id, display_name: 'Anna', text })
    await renderHome('/', { view: { contacts: [ben], conversations: [{ ...withBen, last_message }] } })
    const preview = page.getByText(text)
    await expect.element(preview).toBeVisible()
    expect(getComputedStyle(preview.element()).direction).toBe('rtl')
  })
})

describe('a conversation', () => {
  it('is used by keyboard only', async () => {
    await openChat([aMessage(1, { text: 'hello' })], {}, '/')
    const row = page.getByRole('listitem').getByRole('link', { name: /Ben/ })
    await expect.element(row).toBeVisible()
    await focus(row)
    await userEvent.keyboard('{Enter}')
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('typed{Enter}')
    await expect.poll(() => bubble('typed')).toBeDefined()
    const edit = () =>
      button('Edit message')
        .elements()
        .includes(document.activeElement as HTMLElement)
    for (let i = 0; i < 6 && !edit(); i++) await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
    expect(edit()).toBe(true)
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('textbox', { name: 'Edit message' })).toHaveFocus()
    await userEvent.keyboard(' and edited{Enter}')
    await expect.poll(() => bubble('typed and edited')).toBeDefined()
  })

  it('takes the text from a message with a file, and gives it another', async () => {
    const file = { file_id: 'b_1', name: 'notes.txt', content_type: 'text/plain', size: 12 }
    const own = aMessage(1, {
      user_id: '7',
      display_name: 'Anna',
      text: 'wrong',
      sent_at_ms: Date.now(),
      file,
    })
    const { control } = await openChat([own])
    const form = page.getByRole('textbox', { name: 'Edit message' })
    for (const text of ['', 'right']) {
      await button('Edit message').click()
      await form.fill(text)
      await userEvent.keyboard('{Enter}')
      await expect.element(form).not.toBeInTheDocument()
    }
    const edits = ['', 'right'].map(text => ({ message_id: '1', text }))
    expect(control.bodies('message.edit')).toEqual(edits)
    await expect.element(page.getByText('notes.txt')).toBeVisible()
    expect(bubble('right')).toBeDefined()
  })

  it('counts characters, and inserts emoji by keyboard only', async () => {
    const { control } = await openChat([])
    await field.fill('x'.repeat(4_001))
    await expect.element(page.getByText('Message too long by')).toBeVisible()
    await userEvent.keyboard('{Enter}')
    expect(control.bodies('message.send')).toEqual([])
    await field.fill('well ')
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Enter}{ArrowDown}{ArrowRight}{Enter}')
    await expect.element(field).toHaveValue('well 🤔')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => control.bodies('message.send')).toEqual([{ text: 'well 🤔' }])
  })

  it('keeps its scroll position while older messages load above', async () => {
    const all = Array.from({ length: 130 }, (_, i) => aMessage(i + 1, { text: `number ${i + 1}.` }))
    await openChat(all)
    await expect.poll(() => bubble('number 85.')).toBeDefined()
    expect(bubble('number 75.')).toBeUndefined()
    const top = () => bubble('number 85.')?.getBoundingClientRect().top ?? Number.NaN
    const area = log.element()
    area.scrollTo({ top: 0 })
    const before = top()
    await expect.poll(() => bubble('number 40.')).toBeDefined()
    expect(Math.abs(top() - before)).toBeLessThan(3)
  })

  it('keeps the form of a message that is edited while it is scrolled out of the window', async () => {
    const own = aMessage(601, { user_id: '7', text: 'my draft', sent_at_ms: Date.now() })
    await openChat([
      ...Array.from({ length: 600 }, (_, i) => aMessage(i + 1, { text: `number ${i + 1}.` })),
      own,
    ])
    await expect.poll(() => bubble('my draft')).toBeDefined()
    const form = page.getByRole('textbox', { name: 'Edit message' })
    button('Edit message').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(form).toHaveFocus()
    await userEvent.keyboard(' and more')
    const area = log.element()
    await expect
      .poll(() => {
        area.scrollTo({ top: 0 })
        return form.query()
      })
      .toBeNull()
    await button('Newest messages').click()
    await expect.element(form).toHaveValue('my draft and more')
    await expect.element(form).not.toHaveFocus()
  })

  it('does not offer to send again what was stored, although its result was lost', async () => {
    const stored: ChatMessage[] = []
    const { route } = await openChat([], {
      commands: {
        'message.list': () => ({ messages: stored, has_more: false }),
        'message.send': (_, __, command_id = '') => {
          stored.push(aMessage(1, { user_id: '7', text: 'once', command_id }))
          throw new ControlFailure('outcome_unknown')
        },
      },
    })
    await field.fill('once')
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Send again')).toBeVisible()
    route.go('/')
    await expect.element(field).not.toBeInTheDocument()
    route.go(`/conversations/${CHAT}`)
    await expect.poll(() => bubble('once')).toBeDefined()
    await expect.element(button('Send again')).not.toBeInTheDocument()
  })

  it('says that a moderator has removed the sender from the meeting', async () => {
    await openChat([], {
      commands: {
        'message.send': () => {
          throw new ControlFailure('permission_denied', '', { reason: 'removed' })
        },
      },
    })
    await field.fill('hello?')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('You were removed from the meeting.')).toBeVisible()
  })

  it('has dialogs that begin in their field, and give the focus back, as menus do', async () => {
    await openChat([aMessage(1)])
    await expect.element(field).toHaveFocus()
    await focus(button('New chat'))
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('textbox', { name: 'Username of the person' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(button('New chat')).toHaveFocus()
    await focus(button('More actions'))
    await userEvent.keyboard('{Enter}{Tab}{Tab}')
    await expect.element(button('Block')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Cancel')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Block')).toHaveFocus()
    await userEvent.keyboard('{Enter}{Tab}{Enter}')
    await expect.element(button('More actions')).toHaveFocus()
  })

  it('shows names from right to left, and people without a name by their login', async () => {
    await openChat([aMessage(1, { display_name: 'مريم الخطيب', text: 'שלום, how are you?' })], {
      view: {
        contacts: [ben, aContact(9, { display_name: '', login: 'nameless' })],
        conversations: [{ ...withBen, title: 'مريم الخطيب' }, aConversation(9, { title: '' })],
      },
    })
    await expect.poll(() => bubble('שלום')).toBeDefined()
    await expect.element(page.getByRole('listitem').getByText('nameless')).toBeVisible()
  })

  it('is reached by keyboard, accessible and fits every screen, with its name beside the buttons', async () => {
    const texts = ['Good morning!', 'See https://example.org/a/very/long/address/that/goes/on', '👍']
    await openChat(texts.map((text, i) => aMessage(i + 1, { text })))
    await expect.poll(() => bubble('👍')).toBeDefined()
    await checkKeyboardEverywhere()
    await checkAppearance('conversation')
    await button('Emoji').click()
    await checkAppearance('emoji')
    await userEvent.keyboard('{Escape}')
    await page.viewport(...PHONE)
    const name = page.getByRole('heading', { name: 'Ben', exact: true })
    await expect.poll(() => name.element().getBoundingClientRect().width).toBeGreaterThan(100)
  })
})

const strangers = Array.from({ length: 5 }, (_, i) =>
  aContact(20 + i, { display_name: 'Stranger', state: 'incoming' }),
)
const NAMES = ['Мария Иванова', 'Dr. Maximiliana von Habsburg-Lothringen-Este', 'مريم الخطيب']

describe('the list of conversations', () => {
  it('shows the first of many contact requests above the chats, and all among the contacts', async () => {
    await openChat([], { view: { contacts: [ben, ...strangers] } }, '/')
    const requests = page.getByRole('region', { name: 'Contact requests: 5' })
    await expect.element(requests).toBeVisible()
    expect(requests.getByRole('listitem').elements()).toHaveLength(3)
    await expect.element(page.getByRole('listitem').getByText('Ben')).toBeVisible()
    await requests.getByRole('link', { name: 'Show all requests' }).click()
    await expect.element(page.getByRole('heading', { name: 'Requests to you: 5', exact: true })).toBeVisible()
    expect(page.getByRole('button', { name: 'Accept' }).elements()).toHaveLength(5)
  })

  it('names days anew after midnight', async () => {
    const noon = Date.UTC(2030, 5, 5, 12)
    const now = vi.spyOn(Date, 'now').mockReturnValue(noon)
    const sent = aMessage(1, { sent_at_ms: noon })
    const conversations = [{ ...withBen, activity_at_ms: noon, last_message: sent }]
    await openChat([sent], { view: { conversations } })
    const time = () => document.querySelector('li time')?.textContent
    await expect.poll(time).toMatch(/:/)
    await expect.element(log.getByText('Today')).toBeVisible()
    now.mockReturnValue(noon + 86_400_000)
    await expect.element(log.getByText('Yesterday')).toBeVisible()
    await expect.poll(time).toBe('Wed')
    now.mockRestore()
  })

  it('shows no time for a person of whom retention has left no message', async () => {
    const times = () => document.querySelectorAll('time').length
    const conversations = [withBen, aConversation(9, { title: 'Cara', activity_at_ms: 0 })]
    await openChat([], { view: { conversations } }, '/')
    await expect.element(page.getByRole('listitem').getByText('Cara')).toBeVisible()
    expect(times()).toBe(1)
  })

  it.each(['en', 'ru'] as const)(
    'has no accessibility violation and fits every screen, in %s',
    async language => {
      const check = language === 'en' ? checkAppearance : checkFit // axe reads no words
      const named = NAMES.map((title, i) =>
        aConversation(30 + i, { title, unread: i, last_message: aMessage(i, { text: 'long '.repeat(30) }) }),
      )
      const view = { contacts: [ben, ...strangers], conversations: [withBen, ...named] }
      const { route } = await openChat([], { language, view }, '/')
      await expect.element(page.getByText(NAMES[1] as string).first()).toBeVisible()
      await check('list')
      route.go('/conversations/direct:7-20')
      await expect
        .element(page.getByRole('button', { name: language === 'en' ? 'Accept' : 'Принять' }))
        .toBeVisible()
      await check('request')
    },
  )
})
