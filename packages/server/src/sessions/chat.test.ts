import { describe, expect, it } from 'vitest'
import type { ChatStore } from './ports.ts'
import { openTestHarness, refuses, type Wrap } from './testing/test-harness.ts'

const both = async (wrap?: Wrap) => {
  const harness = await openTestHarness(wrap)
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  harness.events.take()
  return { harness, anna, ben }
}

describe('chat', () => {
  it('T1 stores a message and publishes it with the sender’s name at that time', async () => {
    const { harness, anna, ben } = await both()
    const sent = await ben.execute('chat.send', { text: ' Hi\n👋 ' })
    await ben.execute('participant.update', { display_name: 'Benjamin' })
    const message = {
      ...sent,
      command_id: expect.any(String),
      user_id: String(ben.userId),
      display_name: 'ben',
      text: ' Hi\n👋 ',
      edited_at_ms: null,
      deleted: false,
    }
    expect(harness.events.take()[0]).toMatchObject({ name: 'chat.message', body: { message } })
    expect(await anna.execute('chat.history', {})).toEqual({ messages: [message], has_older: false })
    expect(harness.registry.state(ben.ref.sessionId)?.state.messages).toEqual([message])
  })

  it('T1 says which messages a moderator wrote, whoever is inside later', async () => {
    const { anna, ben } = await both()
    await ben.execute('chat.send', { text: 'Hi' })
    await anna.execute('chat.send', { text: 'Good morning' })
    await anna.leave()
    const { messages } = await ben.execute('chat.history', {})
    expect(messages.map(each => each.by_moderator)).toEqual([undefined, true])
  })

  it('T2 stores and publishes a message once, however often the command is repeated', async () => {
    const { harness, ben } = await both()
    const first = await ben.execute('chat.send', { text: 'Hi' }, 'c-1')
    await harness.advance(5000)
    expect(await ben.execute('chat.send', { text: 'Hi' }, 'c-1')).toEqual(first)
    await harness.restart()
    const again = await harness.join('ben')
    expect(await again.execute('chat.send', { text: 'Hi' }, 'c-1')).toEqual(first)
    expect((await again.execute('chat.history', {})).messages).toHaveLength(1)
    expect(harness.events.take().filter(({ name }) => name === 'chat.message')).toHaveLength(1)
  })

  it('T3 refuses a command_id that was used for another message', async () => {
    const { anna, ben } = await both()
    await ben.execute('chat.send', { text: 'Hi' }, 'c-1')
    await refuses(ben.execute('chat.send', { text: 'Ho' }, 'c-1'), 'other_message')
    await anna.execute('chat.send', { text: 'Ho' }, 'c-1') // another person's
  })

  it('T4 lets only moderators write in a read-only chat, and everybody read', async () => {
    const { harness, anna, ben } = await both()
    await refuses(ben.execute('chat.set_mode', { mode: 'read_only' }), 'not_moderator')
    await ben.execute('chat.send', { text: 'before' }, 'c-1')
    await anna.execute('chat.set_mode', { mode: 'read_only' })
    await refuses(ben.execute('chat.send', { text: 'x' }), 'read_only')
    await anna.execute('chat.send', { text: 'Listen' })
    expect((await ben.execute('chat.history', {})).messages).toHaveLength(2)
    await ben.execute('chat.send', { text: 'before' }, 'c-1') // was stored in time

    await harness.restart()
    const [moderator, again] = [await harness.join('anna', 'moderator'), await harness.join('ben')]
    await refuses(again.execute('chat.send', { text: 'x' }), 'read_only')
    await moderator.execute('chat.set_mode', { mode: 'open' })
    await again.execute('chat.send', { text: 'x' })
  })

  it('T5 pages back through the history', async () => {
    const { harness, ben } = await both()
    for (let i = 0; i < 120; i++) await ben.execute('chat.send', { text: `${i}` })
    const texts = (messages: { text: string }[]) => messages.map(({ text }) => Number(text))
    const state = harness.registry.state(ben.ref.sessionId)?.state
    expect([texts(state?.messages ?? []).at(0), state?.has_older_messages]).toEqual([20, true])
    const newest = await ben.execute('chat.history', { limit: 3 })
    expect([texts(newest.messages), newest.has_older]).toEqual([[117, 118, 119], true])
    const { message_id: before = '' } = state?.messages[0] ?? {}
    const oldest = await ben.execute('chat.history', { before })
    expect([texts(oldest.messages).length, oldest.has_older]).toEqual([20, false])
    await refuses(ben.execute('chat.history', { before: 'x' }), 'no_such_message')
  })

  it('T5 limits pages and the state by bytes, and reports that there are older messages', async () => {
    const { harness, ben } = await both()
    const text = 'я'.repeat(3_999)
    for (let i = 0; i < 12; i++) await ben.execute('chat.send', { text: `${i % 10}${text}` })
    const state = () => harness.registry.state(ben.ref.sessionId)?.state
    expect([state()?.messages.length, state()?.has_older_messages]).toEqual([8, true])
    const pages: number[] = []
    for (let before: string | undefined, more = true; more; ) {
      const { messages, has_older } = await ben.execute('chat.history', { ...(before && { before }) })
      pages.push(messages.length)
      before = messages[0]?.message_id
      more = has_older
    }
    expect(pages).toEqual([4, 4, 4])
    await harness.restart()
    await harness.join('ben')
    expect([state()?.messages.length, state()?.has_older_messages]).toEqual([8, true])
  })

  it('T6 keeps the chats of sessions apart', async () => {
    const { harness, anna, ben } = await both()
    await ben.execute('chat.send', { text: 'Hi' }, 'c-1')
    await anna.execute('conference.end', {})
    await harness.join('anna', 'moderator')
    const again = await harness.join('ben')
    expect((await again.execute('chat.history', {})).messages).toEqual([])
    await again.execute('chat.send', { text: 'Ho' }, 'c-1')
  })

  it('T7 refuses a blank message', async () => {
    const { ben } = await both()
    for (const text of [' \n ', '\u200b', '\u3164 \u2800', '\u2066\u2069\u00ad'])
      await refuses(ben.execute('chat.send', { text }), 'blank')
  })

  it('T8 publishes in order a message that was stored although the store reported a failure', async () => {
    let isBroken = false
    const breaking = (chat: ChatStore): ChatStore => ({
      ...chat,
      append: async (...draft) => {
        const stored = await chat.append(...draft)
        if (isBroken) throw new Error('the answer was lost')
        return stored
      },
    })
    const { harness, anna, ben } = await both(parts => ({ ...parts, chat: breaking(parts.chat) }))
    isBroken = true
    await expect(ben.execute('chat.send', { text: 'one' }, 'c-1')).rejects.toThrow('the answer was lost')
    isBroken = false
    await anna.execute('chat.send', { text: 'two' })
    await ben.execute('chat.send', { text: 'one' }, 'c-1')
    const published = harness.events.take().map(({ body }) => ('message' in body ? body.message.text : ''))
    expect(published).toEqual(['one', 'two'])
  })

  it('T13 carries a file of its sender, which belongs to one message', async () => {
    const { harness, ben } = await both()
    const file = harness.chatFiles.upload('b_1')
    const sent = await ben.execute('chat.send', { file_id: 'b_1' }, 'c-1')
    expect(await ben.execute('chat.send', { file_id: 'b_1' }, 'c-1')).toEqual(sent)
    const published = harness.events.take().filter(({ name }) => name === 'chat.message')
    expect(published).toMatchObject([{ body: { message: { text: '', file } } }])
    for (const file_id of ['b_1', 'b_2'])
      await refuses(ben.execute('chat.send', { text: 'Look', file_id }), 'no_such_file')
    await refuses(ben.execute('chat.send', { text: ' ', file_id: 'b_1' }), 'blank')
    await refuses(ben.execute('chat.send', { text: 'Hi' }, 'c-1'), 'other_message')
  })

  it('T14 has no files while a moderator does not permit them, to all or to one person', async () => {
    const { harness, anna, ben } = await both()
    for (const id of ['b_1', 'b_2', 'b_3', 'b_4']) harness.chatFiles.upload(id)
    const send = (sender: typeof ben, file_id: string) => sender.execute('chat.send', { file_id })
    await anna.execute('conference.set_permissions', { files: false })
    await refuses(send(ben, 'b_1'), 'files_not_permitted')
    await ben.execute('chat.send', { text: 'Hi' })
    await send(anna, 'b_2')
    await anna.execute('participant.set_permissions', { user_id: String(ben.userId), files: true })
    await send(ben, 'b_1')
    await anna.execute('chat.set_mode', { mode: 'read_only' })
    await refuses(send(ben, 'b_3'), 'read_only')
    await anna.execute('chat.set_mode', { mode: 'open' })
    await anna.execute('participant.set_permissions', { user_id: String(ben.userId), files: false })
    await refuses(send(ben, 'b_4'), 'files_not_permitted')
  })

  it('T15 loses a message with its file when its author or a moderator deletes it', async () => {
    const { harness, anna, ben } = await both()
    for (const id of ['b_1', 'b_2']) harness.chatFiles.upload(id)
    const { message_id } = await ben.execute('chat.send', { text: 'Look', file_id: 'b_1' })
    const { message_id: other } = await anna.execute('chat.send', { text: 'Mine', file_id: 'b_2' })
    harness.events.take()
    await refuses(ben.execute('chat.delete', { message_id: other }), 'not_your_message')
    await refuses(ben.execute('chat.delete', { message_id: '999' }), 'no_such_message')
    await anna.execute('chat.delete', { message_id })
    await anna.execute('chat.delete', { message_id })
    const changed = harness.events.take()
    expect(changed).toMatchObject([
      { name: 'chat.message_changed', body: { message: { message_id, text: '', deleted: true } } },
    ])
    expect(changed[0]?.body).not.toHaveProperty('message.file')
    expect([...harness.chatFiles.uploaded.keys()]).toEqual(['b_2'])
  })

  it('T15 shows everybody, when it is repeated, a deletion that was stored although the store reported a failure', async () => {
    let isBroken = true
    const { harness, ben } = await both(parts => ({
      ...parts,
      chat: {
        ...parts.chat,
        delete: async (...message) => {
          const deleted = await parts.chat.delete(...message)
          if (isBroken) throw new Error('the answer was lost')
          return deleted
        },
      },
    }))
    const { message_id } = await ben.execute('chat.send', { text: 'Look' })
    harness.events.take()
    await expect(ben.execute('chat.delete', { message_id })).rejects.toThrow('the answer was lost')
    isBroken = false
    for (let times = 0; times < 2; times++) await ben.execute('chat.delete', { message_id })
    expect(harness.events.take()).toMatchObject([
      { name: 'chat.message_changed', body: { message: { message_id, deleted: true } } },
    ])
  })
})
