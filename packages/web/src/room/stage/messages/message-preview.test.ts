import type { ChatMessage } from '@lectern/protocol/control/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aMessage } from '../../../call/testing/session.ts'
import { createTestRoom } from '../../testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function inRoom() {
  const { room, harness } = createTestRoom()
  await harness.enter()
  let count = 0
  const receive = (text: string, userId = '90') => {
    const message = { ...aMessage(`m${++count}`, text, userId), sent_at_ms: Date.now() + count }
    const before = harness.control.view.get()?.messages ?? []
    harness.control.updateSession({ messages: [...before, message] })
  }
  const me = () => {
    const state = room.call.get()
    return state.is === 'joined' ? state.me.user_id : ''
  }
  const change = (parts: Partial<ChatMessage>) => {
    const before = harness.control.view.get()?.messages ?? []
    harness.control.updateSession({ messages: before.map(each => ({ ...each, ...parts })) })
  }
  return { room, receive, change, me, shown: () => room.messagePreview.get()?.text ?? null }
}

describe('MessagePreview', () => {
  it('shows the newest message of somebody else for five seconds', async () => {
    const { receive, shown } = await inRoom()
    receive('Good morning')
    expect(shown()).toBe('Good morning')
    vi.advanceTimersByTime(4_000)
    receive('And welcome')
    vi.advanceTimersByTime(4_900)
    expect(shown()).toBe('And welcome')
    vi.advanceTimersByTime(100)
    expect(shown()).toBeNull()
  })

  it('follows what becomes of the message: it is edited, and deleted', async () => {
    const { receive, change, shown } = await inRoom()
    receive('You fool')
    change({ text: 'You fox', edited_at_ms: 5 })
    expect(shown()).toBe('You fox')
    change({ text: '', deleted: true })
    expect(shown()).toBeNull()
  })

  it('shows no own message, none while the chat is open, and none to who does not want them', async () => {
    const { room, receive, me, shown } = await inRoom()
    receive('mine', me())
    expect(shown()).toBeNull()
    receive('theirs')
    room.panels.toggle('chat')
    expect(shown()).toBeNull()
    receive('in the open chat')
    expect(shown()).toBeNull()
    room.panels.close()
    room.messageBubble.choose(false)
    receive('unwanted')
    expect(shown()).toBeNull()
  })
})
