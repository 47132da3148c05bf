import { ControlFailure } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aMessage } from '../../call/testing/session.ts'
import { checkAppearance } from '../../testing/appearance.ts'
import { checkKeyboard } from '../../testing/keyboard.ts'
import { renderRoom } from '../../testing/room.tsx'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = page.getByRole('textbox', { name: 'Write a message' })
const log = page.getByRole('region', { name: 'Messages' })
const logElement = () => log.element()
const isAtEnd = () => {
  const { scrollHeight, scrollTop, clientHeight } = logElement()
  return scrollHeight - scrollTop - clientHeight < 4
}

/** A message of Mia, or an own one. */
const say = (id: string, text = id, isOwn = false): ChatMessage => ({
  ...aMessage(id, text, isOwn ? '7' : '90'),
  display_name: isOwn ? 'Anna Petrova' : 'Mia Andersson',
  sent_at_ms: 1_000 + Number(id.replace(/\D/g, '') || 0),
})
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => say(`m${from + at}`, `line ${from + at}`))

async function chatting(options: Parameters<typeof renderRoom>[0] = {}) {
  const all = await renderRoom(options)
  const { control } = all
  const receive = (...messages: ChatMessage[]) =>
    control.updateSession({ messages: [...(control.view.get()?.messages ?? []), ...messages] })
  const send = async (text: string) => {
    await field.fill(text)
    await userEvent.keyboard('{Enter}')
  }
  await userEvent.keyboard('c')
  await expect.element(field).toHaveFocus()
  return { ...all, receive, send }
}

describe('the chat', () => {
  it('shows text as it is, and addresses as links that tell nothing about this page', async () => {
    const { receive, control } = await chatting()
    receive(say('1', 'See <b>https://a.example/x?y=1</b>, please'))
    const link = log.getByRole('link', { name: 'https://a.example/x?y=1' })
    await expect.element(link).toHaveAttribute('href', 'https://a.example/x?y=1')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    await expect.element(link).toHaveAttribute('target', '_blank')
    expect(logElement().querySelector('b')).toBeNull()
    await field.click()
    await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two')
    await button('Send').click()
    expect(control.bodies('chat.send')).toEqual([{ text: 'one\ntwo' }])
    await expect.element(log.getByText('You', { exact: true })).toBeVisible()
    await expect.element(field).toHaveValue('')
  })

  it('types nothing while a shortcut key is held', async () => {
    await renderRoom()
    await userEvent.keyboard('{c>5/}')
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveValue('')
    await userEvent.keyboard('c')
    await expect.element(field).toHaveValue('c')
  })

  it('counts unread messages until it is opened, and closes with Escape', async () => {
    const { receive } = await chatting()
    await button('Close chat').click()
    const sent_at_ms = Date.now() + 1_000 // after the join
    receive({ ...say('1', 'first'), sent_at_ms })
    receive({ ...say('2', 'second'), sent_at_ms })
    await expect.element(button('Chat, 2 unread messages')).toBeVisible()
    await expect
      .element(page.getByRole('log').first().getByText('Message from Mia Andersson: second'))
      .toBeInTheDocument()
    await button('Chat, 2 unread messages').click()
    await expect.element(log.getByText('second')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Chat')).toHaveFocus()
    // Escape closes the panel from anywhere, and the focus stays there.
    await button('Chat').click()
    button('Microphone').element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.element(field).not.toBeInTheDocument()
    await expect.element(button('Microphone')).toHaveFocus()
  })

  it('keeps the focus and the draft, and announces new messages to screen readers', async () => {
    const { receive } = await chatting()
    await userEvent.keyboard('half a sen')
    for (const text of ['first', 'second', 'third']) receive(say(text))
    await expect
      .element(page.getByRole('log').first().getByText('Message from Mia Andersson: third'))
      .toBeInTheDocument()
    await userEvent.keyboard('tence')
    await expect.element(field).toHaveValue('half a sentence')
    logElement().focus()
    receive(say('fourth'))
    await expect.element(log.getByText('fourth')).toBeVisible()
    expect(document.activeElement).toBe(logElement())
    await button(/^Participants/).click()
    await button('Chat').click()
    await expect.element(field).toHaveValue('half a sentence')
  })

  it('keeps the scroll position while older messages are read', async () => {
    const { receive } = await chatting()
    receive(...lines(1, 40))
    await expect.element(log.getByText('line 40')).toBeVisible()
    await expect.poll(isAtEnd).toBe(true)
    logElement().scrollTo(0, 0)
    await expect.poll(isAtEnd).toBe(false)
    await new Promise(requestAnimationFrame) // the scroll event has been handled
    receive(say('m41', 'line 41'))
    await expect.element(button('1 new message')).toBeVisible()
    expect(logElement().scrollTop).toBe(0)
    await button('1 new message').click()
    await expect.element(button('1 new message')).not.toBeInTheDocument()
    receive(say('m42', 'line 42'))
    await expect.element(log.getByText('line 42')).toBeVisible()
    await expect.poll(isAtEnd).toBe(true)
  })

  it('loads older messages without moving the visible ones', async () => {
    const { control } = await chatting({ session: { messages: lines(31, 130), has_older_messages: true } })
    control.handlers['chat.history'] = () => ({ messages: lines(1, 30), has_older: false })
    await expect.poll(isAtEnd).toBe(true)
    const older = button('Show earlier messages')
    older.element().scrollIntoView()
    const top = () => log.getByText('line 31', { exact: true }).element().getBoundingClientRect().y
    const before = top()
    older.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(log.getByText('line 1', { exact: true })).toBeInTheDocument()
    // The removed button was above.
    await expect.poll(() => Math.abs(top() - before)).toBeLessThan(3)
    expect(document.activeElement).toBe(logElement())
  })

  it('keeps few of 10,000 messages in the document, and the place in them', async () => {
    const tail = { messages: lines(9_901, 10_000), has_older_messages: true }
    const { control, call, receive } = await chatting({ session: tail })
    control.handlers['chat.history'] = () => ({ messages: lines(1, 9_900), has_older: false })
    await call.chat.loadOlder()
    const shown = () => [...logElement().querySelectorAll<HTMLElement>('[data-message]')]
    const message = (text: string) => shown().find(each => each.textContent === text)
    await expect.element(log.getByText('line 10000', { exact: true })).toBeVisible()
    expect(isAtEnd()).toBe(true)
    // Older messages come above without moving the visible ones.
    for (let i = 0; i < 32; i++) {
      const { scrollTop } = logElement()
      const first = shown().find(each => each.offsetTop >= scrollTop)
      const distance = () => (first?.offsetTop ?? 0) - logElement().scrollTop
      const before = distance()
      logElement().scrollBy(0, -400)
      // More is loaded before the edge.
      await expect.poll(() => logElement().scrollTop).toBeGreaterThan(500)
      expect(Math.abs(distance() - before - 400)).toBeLessThan(3)
      expect(shown().length).toBeLessThanOrEqual(300)
    }
    expect(message('line 10000')).toBeUndefined()
    receive(say('m10001', 'line 10001'))
    await button('1 new message').click()
    await expect.element(log.getByText('line 10001', { exact: true })).toBeVisible()
    expect([isAtEnd(), document.activeElement === logElement()]).toEqual([true, true])
    for (let i = 10_002; i < 10_250; i += 50) receive(...lines(i, i + 49))
    await expect.element(log.getByText('line 10251', { exact: true })).toBeVisible()
    await expect.poll(isAtEnd).toBe(true)
    expect(shown().length).toBeLessThanOrEqual(300)
  })

  it('scrolls from a part of the history to an own message that is sent', async () => {
    const { send } = await chatting({ session: { messages: lines(1, 1_000) } })
    for (const loaded of ['line 701', 'line 601', 'line 501']) {
      logElement().scrollTo(0, 0)
      await expect.element(log.getByText(loaded, { exact: true })).toBeInTheDocument()
    }
    await expect.element(log.getByText('line 1000', { exact: true })).not.toBeInTheDocument()
    await send('hello')
    await expect.element(log.getByText('hello', { exact: true })).toBeVisible()
    await expect.poll(isAtEnd).toBe(true)
  })

  it('can be restricted to moderators: a draft stays', async () => {
    const { control, receive } = await chatting()
    await field.fill('wait')
    control.updateSession({ chat_mode: 'read_only' })
    await expect.element(page.getByText('Only the teacher can send messages right now.')).toBeVisible()
    await expect.poll(() => field.element().matches(':read-only')).toBe(true)
    await userEvent.keyboard('{Enter}')
    receive(say('1', 'quiet, please'))
    await expect.element(log.getByText('quiet, please')).toBeVisible()
    await checkAppearance('read-only', { selector: 'aside' })
    expect(control.bodies('chat.send')).toEqual([])
    control.updateSession({ chat_mode: 'open' })
    await expect.poll(() => field.element().matches(':read-only')).toBe(false)
    await field.click()
    await userEvent.keyboard('{Enter}')
    expect(control.bodies('chat.send')).toEqual([{ text: 'wait' }])
  })

  it.each([
    ['refused', new ControlFailure('invalid_argument'), 'Not sent'],
    [
      'sent too quickly',
      new ControlFailure('rate_limited', 'wait', { reason: 'too_many_messages', retryAfterMs: 1_500 }),
      'Not sent. You are sending messages too quickly. Try again in 2 s.',
    ],
  ] as const)(
    'shows messages that were %s with a choice to retry or discard them',
    async (_, failure, text) => {
      const { control, send } = await chatting()
      const accept = control.handlers['chat.send']
      control.handlers['chat.send'] = () => {
        throw failure
      }
      await send('hello')
      await expect.element(page.getByRole('alert').getByText(text)).toBeVisible()
      await checkAppearance('failed', { selector: 'aside' })
      if (accept) control.handlers['chat.send'] = accept
      await button('Send again').click()
      await expect.element(button('Delete')).not.toBeInTheDocument()
      await expect.element(log.getByText('hello')).toBeVisible()
    },
  )

  it('uploads files, sends them with the text, and says why one is refused', async () => {
    const { control } = await chatting()
    const answers = [
      Response.json({ code: 'unsupported_media_type', message: 'No.' }, { status: 415 }),
      new Response(null, { status: 201, headers: { location: '/api/storage/uploads/b_1' } }),
      new Response(null, { status: 204, headers: { 'upload-blob-id': 'b_1' } }),
      Response.json({ file_id: 'b_1', name: 'notes.txt', content_type: 'text/plain', size: 5 }),
    ]
    vi.stubGlobal('fetch', async () => answers.shift() ?? new Response(null, { status: 404 }))
    onTestFinished(() => void vi.unstubAllGlobals())
    await field.fill('My homework')
    const choose = async (file: File) =>
      userEvent.upload(
        document.querySelector<HTMLInputElement>('[data-chat-files]') as HTMLInputElement,
        file,
      )
    await choose(new File(['MZ'], 'program.exe'))
    const list = page.getByRole('list', { name: 'Attached files' })
    await expect.element(list.getByText('Files of this kind are not accepted here.')).toBeVisible()
    await button('Remove program.exe').click()
    await choose(new File(['x = 3'], 'notes.txt'))
    await expect.element(button('Remove notes.txt')).toBeVisible()
    await checkAppearance('attached', { selector: 'aside' })
    await button('Send').click()
    expect(control.bodies('chat.send')).toEqual([{ text: 'My homework', file_id: 'b_1' }])
    await expect.element(field).toHaveValue('')
    await expect.element(list).not.toBeInTheDocument()
  })

  it('uploads a file again by a press that could not be checked for viruses', async () => {
    const { control } = await chatting()
    const answers = [
      Response.json({ code: 'scan_unavailable', message: 'Later.' }, { status: 424 }),
      new Response(null, { status: 201, headers: { location: '/api/storage/uploads/b_1' } }),
      new Response(null, { status: 204, headers: { 'upload-blob-id': 'b_1' } }),
      Response.json({ file_id: 'b_1', name: 'notes.txt', content_type: 'text/plain', size: 5 }),
    ]
    vi.stubGlobal('fetch', async () => answers.shift() ?? new Response(null, { status: 404 }))
    onTestFinished(() => void vi.unstubAllGlobals())
    const input = document.querySelector<HTMLInputElement>('[data-chat-files]') as HTMLInputElement
    await userEvent.upload(input, new File(['x = 3'], 'notes.txt'))
    const list = page.getByRole('list', { name: 'Attached files' })
    await expect.element(list.getByText(/^Files cannot be checked for viruses/)).toBeVisible()
    await checkAppearance('not-scanned', { selector: 'aside' })
    await button('Try again').click()
    await expect.element(list.getByRole('alert')).not.toBeInTheDocument()
    await expect.poll(() => answers).toEqual([])
    await button('Send').click()
    await expect.poll(() => control.bodies('chat.send')).toEqual([{ file_id: 'b_1' }])
    await expect.element(list).not.toBeInTheDocument()
  })

  it('shows pictures once they can be loaded, and other files as rows that download them', async () => {
    const { receive } = await chatting()
    const picture = await fetch(
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ).then(answer => answer.blob())
    let isOnline = false
    vi.stubGlobal('fetch', async (url: string) => {
      if (!isOnline) throw new TypeError('offline')
      return url.includes('b_1') ? new Response(picture) : new Response(null, { status: 404 })
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const file = { file_id: 'b_1', name: 'Dreieck.png', content_type: 'image/png', size: 70 }
    receive(
      { ...say('1', ''), file },
      {
        ...say('2', 'Read this'),
        file: { ...file, file_id: 'b_2', name: 'a.pdf', content_type: 'application/pdf' },
      },
    )
    await button('Download Dreieck.png').click()
    await expect.element(log.getByText('Something went wrong.')).toBeVisible()
    isOnline = true
    window.dispatchEvent(new Event('online'))
    await expect.element(log.getByRole('img', { name: 'Dreieck.png' })).toBeVisible()
    await expect.element(log.getByText('Read this')).toBeVisible()
    await checkAppearance('files', { selector: 'aside' })
    await button('Download a.pdf').click()
    await expect.element(log.getByText('The file is no longer available.')).toBeVisible()
  })

  it('shows a PDF in another tab, as a PDF whatever it contains, and saves it where no tab opens', async () => {
    const { receive } = await chatting()
    vi.stubGlobal('fetch', async () => new Response('<script>', { headers: { 'content-type': 'text/html' } }))
    vi.spyOn(navigator, 'pdfViewerEnabled', 'get').mockReturnValue(true)
    const tab = { opener: window, location: { href: '' } }
    const opened = vi
      .spyOn(window, 'open')
      .mockReturnValueOnce(tab as never)
      .mockReturnValue(null)
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    onTestFinished(() => {
      vi.unstubAllGlobals()
      vi.restoreAllMocks()
    })
    const file = { file_id: 'b_2', name: 'a.pdf', content_type: 'application/pdf', size: 70 }
    receive({ ...say('1', 'Read this'), file })
    await button('Open a.pdf').click()
    await expect.poll(() => tab.location.href).toMatch(/^blob:/)
    expect(tab.opener).toBeNull()
    const request = new XMLHttpRequest()
    request.open('GET', tab.location.href, false)
    request.send()
    expect(request.getResponseHeader('content-type')).toBe('application/pdf')
    expect(saved).not.toHaveBeenCalled()
    await button('Open a.pdf').click()
    await expect.poll(() => saved.mock.calls.length).toBe(1)
    expect(opened).toHaveBeenCalledTimes(2)
  })

  it('lets moderators delete any message, and nobody attach what is not permitted', async () => {
    const { control, receive, update } = await chatting({ isModerator: true })
    receive(say('1', 'rude'))
    await button('Delete message').click()
    await button('Delete').click()
    expect(control.bodies('chat.delete')).toEqual([{ message_id: '1' }])
    await expect.element(button('Attach files')).toBeVisible()
    control.updateSession({ permissions: { microphone: true, camera: true, screen: true, files: false } })
    update('me', { role: 'participant' })
    await expect.element(button('Attach files')).not.toBeInTheDocument()
  })

  it('sends a text without its file when files are forbidden meanwhile', async () => {
    const { control, send } = await chatting()
    const answers = [
      new Response(null, { status: 201, headers: { location: '/api/storage/uploads/b_1' } }),
      new Response(null, { status: 204, headers: { 'upload-blob-id': 'b_1' } }),
      Response.json({ file_id: 'b_1', name: 'notes.txt', content_type: 'text/plain', size: 5 }),
    ]
    vi.stubGlobal('fetch', async () => answers.shift())
    onTestFinished(() => void vi.unstubAllGlobals())
    const input = document.querySelector<HTMLInputElement>('[data-chat-files]') as HTMLInputElement
    await userEvent.upload(input, new File(['x = 3'], 'notes.txt'))
    await expect.element(button('Remove notes.txt')).toBeVisible()
    control.updateSession({ permissions: { microphone: true, camera: true, screen: true, files: false } })
    await expect.element(button('Attach files')).not.toBeInTheDocument()
    await send('Good morning')
    expect(control.bodies('chat.send')).toEqual([{ text: 'Good morning' }])
  })

  it('has no accessibility violation, fits, and is reached by the Tab key', async () => {
    const { receive } = await chatting({ isModerator: true })
    receive(
      say('1', 'Good morning! Today: https://a.example/algebra/quadratic-equations?page=12'),
      say('2', 'x'.repeat(120)),
      say('3', 'Good morning!\nI have a question.', true),
    )
    await field.fill('y'.repeat(3_900))
    await expect.element(page.getByText('100 characters left')).toBeVisible()
    await checkKeyboard()
    await checkAppearance('chat', { selector: 'aside' })
  })
})
