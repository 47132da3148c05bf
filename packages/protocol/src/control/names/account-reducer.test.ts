import { describe, expect, it } from 'vitest'
import { previewOf, reduceAccount } from './account-reducer.ts'
import type { EventBody } from './bodies.ts'
import type { ChatMessage } from './chat.ts'
import type { Contact } from './contacts.ts'
import type { AccountEventName } from './events.ts'
import type { Conversation } from './messages.ts'
import { CONVERSATIONS_MAX, UNREAD_MAX } from './messaging-limits.ts'
import type { AccountState } from './states.ts'

const message = (id: number, userId = '8', text = `text ${id}`): ChatMessage => ({
  message_id: String(id),
  user_id: userId,
  display_name: 'Ben',
  text,
  sent_at_ms: id * 1000,
  edited_at_ms: null,
  deleted: false,
})

const conversation = (tag: string, newest: number, parts: Partial<Conversation> = {}): Conversation => ({
  chat_id: `conference:${tag}`,
  kind: 'conference',
  title: tag,
  user_id: null,
  tag,
  last_message: message(newest),
  unread: 0,
  read_up_to: String(newest),
  muted: false,
  is_request: false,
  activity_at_ms: newest * 1000,
  ...parts,
})

const initial = (...conversations: Conversation[]): AccountState => ({
  user_id: '7',
  display_name: 'Anna',
  conversations,
  unread_conversations: conversations.filter(each => each.unread > 0).length,
  unmuted_unread_conversations: conversations.filter(each => each.unread > 0 && !each.muted).length,
  contacts: [],
  calls: [],
  missed_calls: 0,
})

const apply = <N extends AccountEventName>(state: AccountState, name: N, body: EventBody<N>) =>
  reduceAccount(state, { name, body })
const counters = ({ conversations, unread_conversations }: AccountState) => [
  ...conversations.map(({ tag, unread }) => [tag, unread]),
  unread_conversations,
]
const unread = (all: number, unmuted = all) => ({
  unread_conversations: all,
  unmuted_unread_conversations: unmuted,
})

describe('reduceAccount', () => {
  it('moves a conversation with a new message to the top and counts it', () => {
    const before = initial(conversation('a', 2), conversation('b', 1))
    const after = apply(before, 'message.added', { chat_id: 'conference:b', message: message(3) })
    expect(counters(after)).toEqual([['b', 1], ['a', 0], 1])
    expect(after.conversations[0]).toMatchObject({ last_message: message(3), activity_at_ms: 3000 })
    const later = apply(after, 'message.added', { chat_id: 'conference:b', message: message(4) })
    expect(counters(later)).toEqual([['b', 2], ['a', 0], 1])
  })

  it('keeps the first conversation in place on its next message, and moves it down when that is deleted', () => {
    const state = initial(conversation('a', 5), conversation('b', 4), conversation('c', 3))
    const later = apply(state, 'message.added', { chat_id: 'conference:a', message: message(6) })
    expect(counters(later)).toEqual([['a', 1], ['b', 0], ['c', 0], 1])
    const older = conversation('a', 3.5)
    const body = { conversation: older, ...unread(0) }
    expect(counters(apply(later, 'conversation.changed', body))).toEqual([['b', 0], ['a', 0], ['c', 0], 0])
  })

  it('counts a message once, however often and late it arrives', () => {
    const state = initial(conversation('a', 2))
    const added = { chat_id: 'conference:a', message: message(3) }
    const once = apply(state, 'message.added', added)
    expect(apply(once, 'message.added', added)).toEqual(once)
    expect(apply(once, 'message.added', { ...added, message: message(1) })).toEqual(once)
  })

  it('treats an own message and all earlier ones as read', () => {
    const state = initial(conversation('a', 3, { unread: 3, read_up_to: null }))
    const after = apply(state, 'message.added', { chat_id: 'conference:a', message: message(4, '7') })
    expect(after.conversations[0]).toMatchObject({ unread: 0, read_up_to: '4' })
    expect(after.unread_conversations).toBe(0)
  })

  it('counts up to the maximum, and muted conversations in one of the totals (rule MSG-25)', () => {
    const state = initial(
      conversation('a', 2, { muted: true }),
      conversation('b', 1, { unread: UNREAD_MAX, read_up_to: null }),
    )
    let after = apply(state, 'message.added', { chat_id: 'conference:a', message: message(3) })
    after = apply(after, 'message.added', { chat_id: 'conference:b', message: message(4) })
    expect(counters(after)).toEqual([['b', UNREAD_MAX], ['a', 1], 2])
    expect(after.unmuted_unread_conversations).toBe(1)
    const conversationOfA = conversation('a', 3, { muted: true })
    after = apply(after, 'conversation.changed', { conversation: conversationOfA, ...unread(7, 3) })
    expect(after).toMatchObject(unread(7, 3))
  })

  it('leaves an unknown conversation to the summary', () => {
    const state = initial()
    expect(apply(state, 'message.added', { chat_id: 'conference:a', message: message(3) })).toBe(state)
    const changed = { conversation: conversation('a', 3, { unread: 1 }), ...unread(4) }
    expect(counters(apply(state, 'conversation.changed', changed))).toEqual([['a', 1], 4])
  })

  it('keeps the newest conversations', () => {
    const all = Array.from({ length: CONVERSATIONS_MAX }, (_, i) => conversation(`c${i}`, 500 - i))
    const added = apply(initial(...all), 'conversation.changed', {
      conversation: conversation('new', 501),
      ...unread(0),
    })
    expect(added.conversations).toHaveLength(CONVERSATIONS_MAX)
    expect(added.conversations[0]?.tag).toBe('new')
    const old = apply(initial(...all), 'conversation.changed', {
      conversation: conversation('old', 1, { unread: 1 }),
      ...unread(1),
    })
    expect(old.conversations.some(({ tag }) => tag === 'old')).toBe(false)
    expect(old.unread_conversations).toBe(1)
  })

  it('shows the edited or deleted text of the last message only', () => {
    const state = initial(conversation('a', 2))
    const edited = { ...message(2), text: 'better', edited_at_ms: 9 }
    const after = apply(state, 'message.changed', { chat_id: 'conference:a', message: edited })
    expect(after.conversations[0]?.last_message).toEqual(edited)
    const other = { ...message(1), text: 'other', edited_at_ms: 9 }
    expect(apply(after, 'message.changed', { chat_id: 'conference:a', message: other })).toEqual(after)
  })

  it('removes conversations and contacts, and follows the presence of contacts', () => {
    const ben: Contact = {
      user_id: '8',
      login: 'ben',
      display_name: 'Ben',
      state: 'contact',
      muted: false,
      presence: 'offline',
    }
    let state = apply(initial(conversation('a', 2, { unread: 1 })), 'contact.changed', { contact: ben })
    state = apply(state, 'presence.changed', { user_id: '8', presence: 'online' })
    state = apply(state, 'contact.changed', { contact: { ...ben, muted: true } })
    expect(state.contacts).toEqual([{ ...ben, muted: true }])
    state = apply(state, 'contact.removed', { user_id: '8' })
    state = apply(state, 'conversation.removed', { chat_id: 'conference:a', ...unread(0) })
    expect(state).toEqual(initial())
  })

  it('ignores unknown events', () => {
    const state = initial()
    expect(reduceAccount(state, { name: 'toString', body: {} })).toBe(state)
  })
})

describe('previewOf', () => {
  it('truncates after 200 characters, never within one', () => {
    expect(previewOf('a'.repeat(200))).toBe('a'.repeat(200))
    expect(previewOf('a'.repeat(201))).toBe('a'.repeat(200))
    expect(previewOf('😀'.repeat(201))).toBe('😀'.repeat(200))
    expect(previewOf(`a${'😀'.repeat(300)}`)).toBe(`a${'😀'.repeat(199)}`)
  })
})
