import { describe, expect, it, vi } from 'vitest'
import { directChatOf } from '../../messaging/chats.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'
import { befriend, chatTarget, Messenger, ownConference } from '../testing/messenger.ts'

const DAY_MS = 86_400_000

async function friends(settings = {}) {
  const harness = await createHarness(settings)
  const anna = await Messenger.connect(harness, 'anna')
  const ben = await Messenger.connect(harness, 'ben')
  await befriend(anna, ben)
  await harness.settle()
  anna.events()
  ben.events()
  return { harness, anna, ben, chat: anna.chatWith(ben) }
}

describe('messages of direct conversations', () => {
  it('MSG-1 are stored and published once for each command, also after a restart', async () => {
    const { harness, anna, ben, chat } = await friends()
    const sent = await anna.send(chat, 'Hi 👋', { command_id: 'k1' })
    expect(await anna.send(chat, 'Hi 👋', { command_id: 'k1' })).toEqual(sent)
    await expect(anna.send(chat, 'Other', { command_id: 'k1' })).rejects.toThrow('idempotency_conflict')
    await harness.restart()
    await anna.reconnect()
    expect(await anna.send(chat, 'Hi 👋', { command_id: 'k1' })).toEqual(sent)
    await expect(anna.send(chat, 'Other', { command_id: 'k1' })).rejects.toThrow('idempotency_conflict')
    await ben.reconnect()
    expect((await ben.list(chat)).map(({ text }) => text)).toEqual(['Hi 👋'])
    expect(ben.counters()).toEqual([{ [chat]: 1 }, 1])
  })

  it('PRE-4 are not too late when they are stored already', async () => {
    const { harness, anna, ben, chat } = await friends()
    const sent = await anna.send(chat, 'Hi', { command_id: 'k1' })
    const sender = { user: harness.authenticator.user('anna'), isInside: false }
    const { messages } = harness.messaging.messaging
    const send = (commandId: string) =>
      messages.send(sender, directChatOf(anna.userId, ben.userId), commandId, { text: 'Hi' }, harness.now - 1)
    expect((await send('k1')).data).toEqual(sent)
    await expect(send('k2')).rejects.toThrow(expect.objectContaining({ code: 'too_late' }))
  })

  it('MSG-2 reach every device of both, in order, with the same counters', async () => {
    const { harness, anna, ben, chat } = await friends()
    const phone = await Messenger.connect(harness, 'ben', 'phone')
    for (const text of ['one', 'two', 'three']) await anna.send(chat, text)
    for (const device of [ben, phone]) {
      const added = device.events().filter(({ name }) => name === 'message.added')
      expect(added.map(({ body }) => (body.message as { text: string }).text)).toEqual([
        'one',
        'two',
        'three',
      ])
      expect(device.counters()).toEqual([{ [chat]: 3 }, 1])
    }
    expect(anna.counters()).toEqual([{ [chat]: 0 }, 0])
    expect(ben.conversation(chat)).toMatchObject({
      kind: 'direct',
      title: 'anna',
      user_id: String(anna.userId),
      last_message: { text: 'three', user_id: String(anna.userId) },
      is_request: false,
    })
    await phone.read(chat, ben.conversation(chat)?.last_message?.message_id ?? '')
    await harness.settle()
    expect([ben.counters(), phone.counters()]).toEqual([
      [{ [chat]: 0 }, 0],
      [{ [chat]: 0 }, 0],
    ])
  })

  it('MSG-16 are one event each for a conversation in the state, from which clients derive the rest', async () => {
    const { harness, anna, ben, chat } = await friends()
    const receive = async (text: string) => {
      await anna.send(chat, text)
      await harness.settle()
      return ben.events().map(({ name }) => name)
    }
    expect(await receive('one')).toEqual(['message.added', 'conversation.changed'])
    expect(await receive('two')).toEqual(['message.added'])
    const derived = ben.state()
    await ben.reconnect()
    expect(ben.state()).toEqual(derived)
  })

  it('MSG-3 must have a text and another recipient', async () => {
    const { anna, chat } = await friends()
    await expect(anna.send(chat, ' \n ')).rejects.toThrow('blank')
    await expect(anna.send(`direct:${anna.userId}-99`, 'x')).rejects.toThrow('not_reachable')
    for (const id of ['direct:8-9', 'direct:9-8', 'session:1', 'direct:1-1', 'x'])
      await expect(anna.send(id, 'x'), id).rejects.toThrow('no_such_conversation')
    await expect(anna.send('conference:nope', 'x')).rejects.toThrow('no_such_conversation')
  })

  it('MSG-6 are marked as read by a reply, or up to a message (MSG-5)', async () => {
    const { harness, anna, ben, chat } = await friends()
    const first = await anna.send(chat, 'one')
    const second = await anna.send(chat, 'two')
    expect(await ben.read(chat, String(first.message_id))).toEqual({
      unread: 1,
      read_up_to: first.message_id,
    })
    expect(await ben.read(chat, String(second.message_id))).toMatchObject({ unread: 0 })
    // The read position moves forward only.
    expect(await ben.read(chat, String(first.message_id))).toEqual({
      unread: 0,
      read_up_to: second.message_id,
    })
    await expect(ben.read(chat, '999')).rejects.toThrow('no_such_message')
    await expect(ben.read(chat, 'x')).rejects.toThrow('no_such_message')
    await anna.send(chat, 'three')
    await ben.send(chat, 'answer')
    await harness.settle()
    expect([anna.counters(), ben.counters()]).toEqual([
      [{ [chat]: 1 }, 1],
      [{ [chat]: 0 }, 0],
    ])
  })

  it('MSG-8 can be edited by their sender for a day', async () => {
    const { harness, anna, ben, chat } = await friends()
    const { message_id } = await anna.send(chat, 'teh')
    const edit = (messenger: Messenger, text: string) =>
      messenger.command('message.edit', { message_id: message_id as string, text }, chatTarget(chat))
    await expect(edit(ben, 'mine')).rejects.toThrow('not_your_message')
    await expect(edit(anna, ' ')).rejects.toThrow('blank')
    harness.now += 1000
    const edited = { message_id, text: 'the', edited_at_ms: harness.now, deleted: false }
    expect(await edit(anna, 'the')).toMatchObject({ message: edited })
    await harness.settle()
    expect(ben.events().at(-1)).toMatchObject({ name: 'message.changed' })
    expect(await ben.list(chat)).toMatchObject([edited])
    expect(ben.conversation(chat)).toMatchObject({ unread: 1, last_message: edited })
    harness.now += DAY_MS
    await anna.reconnect()
    await expect(edit(anna, 'late')).rejects.toThrow('too_old')
  })

  it('MSG-9 keep their position without a text when they are deleted, and are no longer counted', async () => {
    const { harness, anna, ben, chat } = await friends()
    const { message_id } = await anna.send(chat, 'secret')
    await anna.send(chat, 'two')
    const remove = (messenger: Messenger) =>
      messenger.command('message.delete', { message_id: message_id as string }, chatTarget(chat))
    await expect(remove(ben)).rejects.toThrow('not_your_message')
    await remove(anna)
    await remove(anna) // changes nothing
    await harness.settle()
    expect(ben.counters()).toEqual([{ [chat]: 1 }, 1])
    expect(await ben.list(chat)).toMatchObject([{ message_id, text: '', deleted: true }, { text: 'two' }])
    const edit = { message_id: message_id as string, text: 'again' }
    await expect(anna.command('message.edit', edit, chatTarget(chat))).rejects.toThrow('no_such_message')
  })

  it('MSG-10 are listed in both directions', async () => {
    const { anna, ben, chat } = await friends()
    const ids: string[] = []
    for (let i = 0; i < 9; i++) ids.push(String((await anna.send(chat, `m${i}`)).message_id))
    const texts = async (body: Record<string, string | number>) => {
      const data = await ben.command('message.list', body, chatTarget(chat))
      return [(data.messages as { text: string }[]).map(({ text }) => text).join(), data.has_more]
    }
    expect(await texts({ limit: 3 })).toEqual(['m6,m7,m8', true])
    expect(await texts({ limit: 3, before: ids[6] as string })).toEqual(['m3,m4,m5', true])
    expect(await texts({ limit: 3, before: ids[3] as string })).toEqual(['m0,m1,m2', false])
    expect(await texts({ limit: 3, after: ids[0] as string })).toEqual(['m1,m2,m3', true])
    expect(await texts({ limit: 2, after: '0' })).toEqual(['m0,m1', true])
    expect(await texts({ limit: 3, after: ids[7] as string })).toEqual(['m8', false])
    expect(await texts({ after: ids[8] as string })).toEqual(['', false])
    await expect(texts({ before: '0' })).rejects.toThrow('no_such_message')
    await expect(texts({ before: '3', after: '1' })).rejects.toThrow('invalid_argument')
    expect(await anna.list(`direct:${anna.userId}-99`)).toEqual([])
  })

  it('MSG-11 are subject to the rates of the account, and are charged per recipient', async () => {
    const { anna, chat } = await friends({
      chatRates: { account: { messages: 6, bytes: 1e9 }, session: null },
    })
    await anna.send(chat, 'one')
    await anna.send(chat, 'two')
    await expect(anna.send(chat, 'three')).rejects.toThrow('too_many_messages')
    const charged = await friends({ notificationsPerMinute: 3 })
    await charged.anna.send(charged.chat, 'one')
    await charged.anna.send(charged.chat, 'two')
    await expect(charged.anna.send(charged.chat, 'three')).rejects.toThrow('too_many_notifications')
  })

  it('MSG-7 are refused to guests', async () => {
    const { harness, anna } = await friends()
    harness.authenticator.changeUser('gus', { kind: 'guest' })
    const gus = await Messenger.connect(harness, 'gus')
    expect(gus.state()).toMatchObject({ conversations: [], contacts: [], unread_conversations: 0 })
    await expect(gus.send(gus.chatWith(anna), 'x')).rejects.toThrow('accounts_only')
    await expect(gus.list(gus.chatWith(anna))).rejects.toThrow('accounts_only')
    await expect(gus.command('contact.add', { login: 'anna' })).rejects.toThrow('accounts_only')
    expect(await gus.command('conversation.list', {})).toEqual({ conversations: [], next: null })
    await expect(anna.send(anna.chatWith(gus), 'x')).rejects.toThrow('not_reachable')
    const other = { kind: 'account', id: '1' } as const
    await expect(gus.command('conversation.list', {}, other)).rejects.toThrow('permission_denied')
  })
})

describe('conversations of conferences', () => {
  async function inConference() {
    const harness = await createHarness()
    const chat = await ownConference(harness, TAG, 'anna')
    const anna = await Messenger.connect(harness, 'anna')
    const ben = await Messenger.connect(harness, 'ben')
    return { harness, anna, ben, chat }
  }

  it('MSG-13 are the chats of their sessions, and continue after them', async () => {
    const { harness, anna, ben, chat } = await inConference()
    await expect(ben.send(chat, 'from outside')).rejects.toThrow('not_a_member')
    await expect(ben.list(chat)).rejects.toThrow('not_a_member')
    await ben.client.join()
    await ben.client.command('chat.send', { text: 'in the session' })
    await harness.settle()
    expect(anna.counters()).toEqual([{ [chat]: 1 }, 1])
    await anna.send(chat, 'from outside')
    const events = ben.events().filter(({ stream_id }) => stream_id.startsWith('session:'))
    expect(events.map(({ name }) => name)).toEqual(['chat.message', 'chat.message'])
    const history = await ben.client.command('chat.history', {})
    expect(history).toMatchObject({
      data: { messages: [{ text: 'in the session' }, { text: 'from outside' }] },
    })
    await ben.client.command('conference.leave', {}, { kind: 'conference', id: TAG })
    await ben.send(chat, 'after the session')
    expect((await anna.list(chat)).map(({ text }) => text)).toHaveLength(3)
    await ben.client.join()
    const snapshot = ben.client.snapshots().find(({ stream_id }) => stream_id.startsWith('session:'))
    expect(snapshot?.state.messages).toHaveLength(3)
  })

  it('MSG-12 follow the rules of the session that is open', async () => {
    const { harness, anna, ben, chat } = await inConference()
    await anna.client.join()
    await ben.client.join()
    await harness.settle()
    await anna.client.command('chat.set_mode', { mode: 'read_only' })
    await expect(ben.send(chat, 'x')).rejects.toThrow('read_only')
    await anna.send(chat, 'the owner may')
    await anna.client.command('chat.set_mode', { mode: 'open' })
    const { message_id } = await ben.send(chat, 'teh')
    anna.events()
    await ben.command('message.edit', { message_id: message_id as string, text: 'the' }, chatTarget(chat))
    await harness.settle()
    expect(anna.events().find(({ name }) => name === 'chat.message_changed')).toMatchObject({
      body: { message: { message_id, text: 'the' } },
    })
    await anna.client.command('participant.remove', { participant_id: ben.client.participantId })
    await expect(ben.send(chat, 'x')).rejects.toThrow('removed')
  })

  it('MSG-14 can be read by guests while they are inside', async () => {
    const { harness, anna, chat } = await inConference()
    await anna.send(chat, 'welcome')
    harness.authenticator.changeUser('gus', { kind: 'guest' })
    const gus = await Messenger.connect(harness, 'gus')
    await expect(gus.list(chat)).rejects.toThrow('not_a_member')
    await gus.client.join()
    expect(await gus.list(chat)).toMatchObject([{ text: 'welcome' }])
    await gus.client.command('chat.send', { text: 'thanks' })
    await harness.settle()
    expect(anna.counters()).toEqual([{ [chat]: 1 }, 1])
    expect(gus.state().conversations).toEqual([])
    await gus.client.command('conference.leave', {}, { kind: 'conference', id: TAG })
    await expect(gus.list(chat)).rejects.toThrow('not_a_member')
  })

  it('MSG-2 publish messages from inside and outside in one order', async () => {
    const { harness, anna, ben, chat } = await inConference()
    await ben.client.join()
    ben.events()
    const sends = Array.from({ length: 6 }, (_, i) =>
      i % 2 ? anna.send(chat, `out ${i}`) : ben.client.command('chat.send', { text: `in ${i}` }),
    )
    await Promise.allSettled(sends) // the answers of some are still to come
    for (let i = 0; i < 5; i++) await harness.settle()
    const ids = (stream: string) =>
      ben
        .events()
        .filter(
          ({ stream_id, name }) =>
            stream_id.startsWith(stream) && /^(chat\.message|message\.added)$/.test(name),
        )
        .map(({ body }) => Number((body.message as { message_id: string }).message_id))
    const received = ids('session:')
    expect(received).toHaveLength(6)
    expect(received).toEqual([...received].sort((a, b) => a - b))
  })

  it('take a turn of their session once when they are sent inside, and once when they come from outside', async () => {
    const { harness, anna, ben, chat } = await inConference()
    await ben.client.join()
    await harness.settle()
    ben.events()
    const change = vi.spyOn(harness.conferences, 'change')
    await ben.client.command('chat.send', { text: 'in the session' })
    await harness.settle()
    expect(change).toHaveBeenCalledTimes(1)
    await anna.send(chat, 'from outside')
    await harness.settle()
    expect(change).toHaveBeenCalledTimes(2)
    expect(ben.events().filter(({ name }) => name === 'chat.message')).toHaveLength(2)
  })

  it('MSG-4 of a conference are listed for its members before the first message', async () => {
    const harness = await createHarness()
    const anna = await Messenger.connect(harness, 'anna')
    const chats: string[] = []
    for (let i = 0; i < 5; i++) chats.push(await ownConference(harness, `tag-${i}`, 'anna'))
    await anna.send(chats[3] as string, 'first')
    const expected = [chats[3], chats[0], chats[1], chats[2], chats[4]]
    await anna.reconnect()
    const idsOf = (all: unknown) => (all as { chat_id: string }[]).map(({ chat_id }) => chat_id)
    expect(idsOf(anna.state().conversations)).toEqual(expected)
    expect(anna.state().conversations[1]).toMatchObject({ last_message: null, unread: 0, read_up_to: null })
    const listed: string[] = []
    let before: string | null = null
    do {
      const page = await anna.command('conversation.list', { limit: 2, ...(before && { before }) })
      listed.push(...idsOf(page.conversations))
      before = page.next as string | null
    } while (before)
    expect(listed).toEqual(expected)
    const strange = anna.command('conversation.list', { before: 'something' })
    await expect(strange).rejects.toThrow('no_such_message')
  })

  it('MSG-15 beyond the newest hundred are listed in pages', async () => {
    const harness = await createHarness()
    const anna = await Messenger.connect(harness, 'anna')
    const tags = Array.from({ length: 105 }, (_, i) => `tag-${i}`)
    for (const tag of tags) await anna.send(await ownConference(harness, tag, 'anna'), 'first')
    expect(anna.state().conversations).toHaveLength(100)
    const listed: string[] = []
    let before: string | null = null
    do {
      const page = await anna.command('conversation.list', { limit: 40, ...(before && { before }) })
      listed.push(...(page.conversations as { tag: string }[]).map(({ tag }) => tag))
      before = page.next as string | null
    } while (before)
    expect(listed).toEqual(tags.toReversed())
  })
})
