import { describe, expect, it } from 'vitest'
import type { ChatOptions } from '../../call/chat.ts'
import { createCallHarness, settle } from '../../call/testing/call-harness.ts'
import { aMessage, aSession } from '../../call/testing/session.ts'
import { chatViewStateOf } from './chat-view-state.ts'
import { messagesAfter, Unread } from './unread.ts'

/** The join time of the participants in these sessions. */
const JOINED = 1
const message = (id: string, at: number, userId?: string) => ({ ...aMessage(id, id, userId), sent_at_ms: at })

async function joined(options: ChatOptions = {}) {
  const { call, control, enter } = createCallHarness(options)
  const unread = new Unread(call)
  unread.subscribe(() => {})
  await enter()
  const show = (...messages: ReturnType<typeof message>[]) =>
    control.view.set({ ...aSession('p1'), messages })
  return { call, control, unread, show }
}

describe('Unread', () => {
  it('counts what others have written since the join', async () => {
    const { unread, show } = await joined()
    show(message('1', JOINED), message('2', 11), message('3', 12, '7'), message('4', 13))
    expect(unread.get()).toBe(2)
  })

  it('restarts when the chat is read', async () => {
    const { unread, show } = await joined()
    show(message('1', 11), message('2', 12))
    unread.markRead()
    expect(unread.get()).toBe(0)
    show(message('1', 11), message('2', 12), message('3', 12))
    expect(unread.get()).toBe(1)
  })

  it('is read on all devices of an account whose conversation it is', async () => {
    const { control, unread, show } = await joined({ conversation: 'conference:k7mq' })
    show(message('1', 11), message('2', 12))
    unread.markRead()
    await settle()
    expect(control.commands.filter(({ name }) => name === 'message.read')).toEqual([
      { name: 'message.read', target: { kind: 'chat', id: 'conference:k7mq' }, body: { message_id: '2' } },
    ])
  })

  it('falls back to the time when the last read message is unknown', async () => {
    const { unread, show } = await joined()
    show(message('1', 11))
    unread.markRead()
    show(message('101', 10), message('102', 12), message('103', 13))
    expect(unread.get()).toBe(2)
  })

  it('keeps its count without subscribers', async () => {
    const { call, unread, show } = await joined()
    const stop = unread.subscribe(() => {})
    stop()
    show(message('1', 11))
    expect(unread.get()).toBe(1)
    expect(chatViewStateOf(call)).toBe(chatViewStateOf(call))
  })
})

describe('messagesAfter', () => {
  const messages = [message('1', 1), message('2', 2), message('3', 2)]

  it('distinguishes messages of the same millisecond', () => {
    expect(messagesAfter(messages, { id: '2', at: 2 })).toEqual([messages[2]])
  })

  it('falls back to the time when the message is unknown', () => {
    expect(messagesAfter(messages, { id: null, at: 1 })).toEqual(messages.slice(1))
  })
})
