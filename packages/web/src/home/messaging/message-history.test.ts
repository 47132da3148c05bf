import { ControlFailure } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { createTestConnection } from '../../account-connection/testing.ts'
import { MessageHistory } from './message-history.ts'
import { aConversation, aMessage, settle } from './testing.ts'

const CHAT = 'direct:7-8'

/** A server with messages 1 to `count`. */
async function start(count: number, readUpTo: string | null = null) {
  const { connection, control } = createTestConnection()
  const stored = Array.from({ length: count }, (_, index) => aMessage(index + 1))
  control.handlers['message.list'] = ({ before, after, limit }) => {
    const size = Number(limit)
    if ([before, after].includes('0')) throw new ControlFailure('invalid_argument')
    if (after !== undefined) {
      const found = stored.filter(each => Number(each.message_id) > Number(after))
      return { messages: found.slice(0, size), has_more: found.length > size }
    }
    const found = stored.filter(each => before === undefined || Number(each.message_id) < Number(before))
    return { messages: found.slice(-size), has_more: found.length > size }
  }
  connection.open()
  const arrived: string[] = []
  const messages = new MessageHistory(connection, CHAT, all =>
    arrived.push(...all.map(each => each.message_id)),
  )
  messages.open(readUpTo)
  await settle()
  const add = (message: ChatMessage, chat_id = CHAT) => {
    if (chat_id === CHAT) stored.push(message)
    control.emit('message.added', { chat_id, message })
  }
  const state = () => {
    const now = messages.get()
    if (now.is !== 'loaded') throw new Error(now.is)
    return now
  }
  const ids = () => state().messages.map(each => Number(each.message_id))
  return { messages, control, stored, arrived, add, state, ids }
}

const UNREAD = { unread_conversations: 0, unmuted_unread_conversations: 0 }
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('MessageHistory', () => {
  it('begins with the newest messages, and pages to the first one', async () => {
    const { messages, ids, state } = await start(120)
    expect([ids(), state().hasOlder, state().hasNewer]).toEqual([range(71, 120), true, false])
    await messages.loadOlder()
    await messages.loadOlder()
    expect([ids(), state().hasOlder]).toEqual([range(1, 120), false])
  })

  it('begins around the read position, and pages in both directions', async () => {
    const { messages, ids, state } = await start(300, '150')
    expect(ids()).toEqual(range(101, 200))
    await messages.loadNewer()
    await messages.loadOlder()
    expect([ids(), state().hasOlder, state().hasNewer]).toEqual([range(51, 250), true, true])
  })

  it('begins at the first message of all where nothing was read', async () => {
    const { ids, state } = await start(100, '0')
    expect([ids(), state().hasOlder, state().hasNewer]).toEqual([range(1, 51), false, true])
  })

  it('keeps a long history within a window, in both directions', async () => {
    const { messages, ids, state } = await start(1_000)
    for (let i = 0; i < 10; i++) await messages.loadOlder()
    expect([ids(), state().hasNewer]).toEqual([range(451, 750), true])
    for (let i = 0; i < 5; i++) await messages.loadNewer()
    expect([ids(), state().hasOlder, state().hasNewer]).toEqual([range(701, 1_000), true, false])
  })

  it('returns to the newest messages', async () => {
    const { messages, ids, state } = await start(500, '10')
    await messages.toNewest()
    expect([ids(), state().hasNewer]).toEqual([range(451, 500), false])
  })

  it('loads one page at a time', async () => {
    const { messages, control } = await start(500)
    await Promise.all([messages.loadOlder(), messages.loadOlder(), messages.loadOlder()])
    expect(control.bodies('message.list')).toHaveLength(2)
  })

  it('can be asked again for a page that arrived after the window was loaded anew', async () => {
    const { messages, control, ids } = await start(500, '10')
    const list = control.handlers['message.list']
    let arrive: () => void = () => {}
    control.handlers['message.list'] = (...asked) =>
      new Promise(resolve => (arrive = () => resolve(list?.(...asked))))
    const page = messages.loadNewer()
    const arriveLate = arrive
    const loading = messages.toNewest()
    arrive()
    await loading
    let pages = 0
    messages.subscribe(() => void pages++)
    arriveLate()
    await page
    expect([ids(), pages]).toEqual([range(451, 500), 1])
  })

  it('follows new, edited and deleted messages of its own conversation', async () => {
    const { control, add, state, ids, arrived } = await start(3)
    add(aMessage(4))
    add(aMessage(5), 'direct:7-9')
    const message = aMessage(2, { text: 'new', edited_at_ms: 9 })
    control.emit('message.changed', { chat_id: CHAT, message })
    control.emit('message.changed', { chat_id: CHAT, message: aMessage(3, { text: '', deleted: true }) })
    expect(ids()).toEqual([1, 2, 3, 4])
    expect(state().messages.slice(1, 3)).toMatchObject([{ text: 'new' }, { deleted: true }])
    expect(arrived).toEqual(['4'])
  })

  it('shows a message that arrives after a later one, from another server, in its place', async () => {
    const { add, ids, arrived, control } = await start(100)
    add(aMessage(102))
    add(aMessage(101))
    expect([ids(), arrived]).toEqual([range(51, 102), ['102', '101']])
    control.emit('message.added', { chat_id: CHAT, message: aMessage(20) }) // before the window, which pages
    expect(ids()[0]).toBe(51)
  })

  it('reads the window again when the newest message, or its last edit, was lost on the way', async () => {
    const { control, stored, state, ids, arrived } = await start(3)
    const report = async (last_message: ChatMessage, person = 8) => {
      const conversation = aConversation(person, { last_message })
      control.emit('conversation.changed', { conversation, ...UNREAD })
      await settle()
    }
    const reads = () => control.bodies('message.list').length
    await report(aMessage(3))
    await report(aMessage(4), 9)
    expect(reads()).toBe(1)
    stored.push(aMessage(4))
    await report(aMessage(4))
    expect([ids(), arrived, reads()]).toEqual([[1, 2, 3, 4], ['4'], 2])
    stored[3] = aMessage(4, { text: 'edited', edited_at_ms: 9 })
    await report(stored[3])
    expect(state().messages.at(-1)).toMatchObject({ text: 'edited' })
  })

  it('appends no message while the window ends before the newest', async () => {
    const { add, ids, messages } = await start(500, '10')
    const before = ids()
    add(aMessage(501))
    expect(ids()).toEqual(before)
    await messages.toNewest()
    expect(ids().at(-1)).toBe(501)
  })

  it('keeps a message that arrives while its first page is on its way', async () => {
    const { connection, control } = createTestConnection()
    connection.open()
    let answer: (page: object) => void = () => {}
    control.handlers['message.list'] = () => new Promise(resolve => (answer = resolve))
    const messages = new MessageHistory(connection, CHAT)
    messages.open(null)
    control.emit('message.added', { chat_id: CHAT, message: aMessage(3) })
    answer({ messages: [aMessage(1), aMessage(2)], has_more: false })
    await settle()
    expect(messages.get()).toMatchObject({ messages: [{}, {}, { message_id: '3' }] })
  })

  it('reads the window again after events were missed', async () => {
    const { messages, control, stored, state, ids, arrived } = await start(150)
    await messages.loadOlder()
    stored[140] = aMessage(141, { text: 'edited meanwhile', edited_at_ms: 5 })
    stored.push(aMessage(151))
    control.emitSnapshot()
    await settle()
    expect([ids().at(-1), ids()[0]]).toEqual([151, 2])
    expect(state().messages.find(each => each.message_id === '141')?.text).toBe('edited meanwhile')
    expect(arrived).toEqual(['151'])
  })

  it('reads an older part again after events were missed, without moving', async () => {
    const { control, stored, state, ids } = await start(500, '150')
    stored[149] = aMessage(150, { text: '', deleted: true })
    control.emitSnapshot()
    await settle()
    expect([ids(), state().hasNewer, state().hasOlder]).toEqual([range(101, 200), true, true])
    expect(state().messages.find(each => each.message_id === '150')?.deleted).toBe(true)
  })

  it('keeps what it has while it cannot be read again', async () => {
    const { control, ids } = await start(3)
    control.handlers['message.list'] = () => Promise.reject(new ControlFailure('closed'))
    control.emitSnapshot()
    await settle()
    expect(ids()).toEqual([1, 2, 3])
  })

  it('reports why it could not be loaded, and tries again', async () => {
    const { connection, control } = createTestConnection()
    connection.open()
    control.handlers['message.list'] = () => {
      throw new ControlFailure('permission_denied', 'no', { reason: 'not_a_member' })
    }
    const messages = new MessageHistory(connection, CHAT)
    messages.open(null)
    await settle()
    expect(messages.get()).toEqual({ is: 'failed', code: 'not_a_member' })
    control.handlers['message.list'] = () => ({ messages: [], has_more: false })
    await messages.retry()
    expect(messages.get()).toMatchObject({ is: 'loaded', messages: [] })
  })

  it('is loaded by itself when the connection is back', async () => {
    const { control, messages } = await start(2)
    const { 'message.list': list } = control.handlers
    control.handlers['message.list'] = () => {
      throw new ControlFailure('deadline_exceeded')
    }
    await messages.retry()
    expect(messages.get()).toEqual({ is: 'failed', code: 'deadline_exceeded' })
    control.handlers['message.list'] = list as () => unknown
    control.emitSnapshot()
    await settle()
    expect(messages.get()).toMatchObject({ is: 'loaded', messages: [{}, {}] })
  })

  it('follows nothing after it was closed', async () => {
    const { messages, add, ids } = await start(3)
    messages.close()
    add(aMessage(4))
    expect(ids()).toEqual([1, 2, 3])
  })
})
