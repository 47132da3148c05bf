import { describe, expect, it } from 'vitest'
import { MUTES_MAX } from '../../messaging/contacts.ts'
import { OWN_RELATIONS_MAX } from '../../messaging/relations.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'
import { befriend, chatTarget, Messenger, ownConference } from '../testing/messenger.ts'

async function strangers(settings = {}) {
  const harness = await createHarness(settings)
  const anna = await Messenger.connect(harness, 'anna')
  const ben = await Messenger.connect(harness, 'ben')
  return { harness, anna, ben, chat: anna.chatWith(ben) }
}

const account = (other: Messenger) => ({ user_id: String(other.userId) })
const states = (messenger: Messenger) =>
  messenger.state().contacts.map(({ user_id, state }) => `${user_id} ${state}`)

describe('contacts', () => {
  it('MSG-20 are found by their ids only by people who know them, without a directory', async () => {
    const { harness, anna, ben } = await strangers({ hasDirectory: false })
    await expect(anna.command('contact.add', account(ben))).rejects.toThrow('not_reachable')
    await expect(anna.command('contact.add', { user_id: '99999' })).rejects.toThrow('not_reachable')
    await anna.command('contact.add', { login: 'ben' })
    await ben.command('contact.add', account(anna))
    await harness.settle()
    expect(states(anna)).toEqual([`${ben.userId} contact`])
  })

  it('MSG-20 show no name of a stranger whose id was guessed, whatever the account does', async () => {
    const { harness, anna, ben, chat } = await strangers({ hasDirectory: false })
    const block = (messenger: Messenger, other: Messenger) =>
      messenger.command('contact.remove', { ...account(other), blocked: true })
    await expect(block(anna, ben)).rejects.toThrow('no_such_contact')
    await expect(anna.send(chat, 'hello')).rejects.toThrow('not_reachable')
    await expect(anna.command('mute.set', { ...account(ben), muted: true })).rejects.toThrow(
      'no_such_contact',
    )
    await harness.settle()
    expect([states(anna), anna.state().conversations, states(ben)]).toEqual([[], [], []])
    await ben.command('contact.add', { login: 'anna' })
    await anna.command('contact.remove', account(ben)) // declines it
    await anna.send(chat, 'hello all the same')
    await block(ben, anna)
    await harness.settle()
    expect(states(ben)).toEqual([`${anna.userId} blocked`])
  })

  it('MSG-20 are requested, accepted and removed', async () => {
    const { harness, anna, ben } = await strangers()
    expect(await anna.command('contact.add', { login: ' BEN ' })).toMatchObject({
      contact: { ...account(ben), state: 'outgoing', login: '', presence: 'offline' },
    })
    await harness.settle()
    expect(states(anna)).toEqual([`${ben.userId} outgoing`])
    expect(ben.state().contacts).toMatchObject([{ ...account(anna), state: 'incoming', login: 'anna' }])
    await anna.command('contact.add', account(ben)) // changes nothing
    expect(await ben.command('contact.add', account(anna))).toMatchObject({
      contact: { state: 'contact', presence: 'online' },
    })
    await harness.settle()
    expect(anna.state().contacts).toMatchObject([{ state: 'contact', login: 'ben', presence: 'online' }])
    await anna.command('contact.remove', account(ben))
    await harness.settle()
    expect([states(anna), states(ben)]).toEqual([[], []])
  })

  it('MSG-21 are made by a message, which is part of the request', async () => {
    const { harness, anna, ben, chat } = await strangers()
    for (const text of ['one', 'two', 'three']) await anna.send(chat, text)
    await expect(anna.send(chat, 'four')).rejects.toThrow('request_pending')
    await harness.settle()
    expect([states(anna), states(ben)]).toEqual([[`${ben.userId} outgoing`], [`${anna.userId} incoming`]])
    expect(ben.conversation(chat)).toMatchObject({ is_request: true, unread: 3 })
    expect(anna.conversation(chat)).toMatchObject({ is_request: false })
    // An answer accepts it.
    await ben.send(chat, 'hello')
    await harness.settle()
    expect([states(anna), states(ben)]).toEqual([[`${ben.userId} contact`], [`${anna.userId} contact`]])
    expect(ben.conversation(chat)).toMatchObject({ is_request: false, unread: 0 })
    await anna.send(chat, 'four')
  })

  it('MSG-22 decline a request without a notification of the sender', async () => {
    const { harness, anna, ben, chat } = await strangers()
    const { message_id } = await anna.send(chat, 'one')
    await harness.settle()
    await ben.command('contact.remove', account(anna))
    await harness.settle()
    expect([states(anna), states(ben), ben.state().conversations]).toEqual([
      [`${ben.userId} outgoing`],
      [],
      [],
    ])
    expect(ben.counters()).toEqual([{}, 0])
    await expect(anna.send(chat, 'two')).rejects.toThrow('request_pending')
    const edited = { message_id, text: 'two' }
    await expect(anna.command('message.edit', edited, chatTarget(chat))).rejects.toThrow('request_pending')
    await anna.command('contact.remove', account(ben))
    await expect(anna.command('contact.add', account(ben))).rejects.toThrow('not_reachable')
    await expect(anna.send(chat, 'three')).rejects.toThrow('not_reachable')
    // The one who declined may begin.
    await ben.send(chat, 'hello after all')
    await anna.send(chat, 'fine')
    await harness.settle()
    expect([states(anna), states(ben)]).toEqual([[`${ben.userId} contact`], [`${anna.userId} contact`]])
    expect(ben.counters()).toEqual([{ [chat]: 1 }, 1])
  })

  it('MSG-23 are blocked, which the other cannot distinguish from an unknown account', async () => {
    const { harness, anna, ben, chat } = await strangers()
    await befriend(anna, ben)
    const target = chatTarget(chat)
    const [{ message_id }, own] = [await anna.send(chat, 'before'), await ben.send(chat, 'mine')]
    await ben.command('contact.remove', { ...account(anna), blocked: true })
    await harness.settle()
    expect([states(anna), states(ben)]).toEqual([[], [`${anna.userId} blocked`]])
    for (const refused of [
      () => anna.send(chat, 'x'),
      () => anna.command('message.edit', { message_id, text: 'x' }, target),
      () => anna.command('contact.add', account(ben)),
      () => anna.command('contact.add', { login: 'nobody' }),
      () => anna.command('contact.add', { user_id: '999' }),
      () => anna.command('contact.add', account(anna)),
    ])
      await expect(refused()).rejects.toThrow('not_reachable')
    await expect(ben.send(chat, 'x')).rejects.toThrow('blocked_by_you')
    for (const person of [account(anna), { login: 'anna' }])
      await expect(ben.command('contact.add', person)).rejects.toThrow('blocked_by_you')
    const edit = () => ben.command('message.edit', { message_id: own.message_id, text: 'x' }, target)
    await expect(edit()).rejects.toThrow('blocked_by_you')
    await anna.command('message.delete', { message_id }, target)
    await ben.command('contact.remove', account(anna)) // lifts it
    await harness.settle()
    expect(states(ben)).toEqual([])
    await anna.send(chat, 'may I?')
  })

  it('MSG-24 have limits', async () => {
    const { harness, anna } = await strangers()
    for (let i = 0; i < 50; i++) {
      const { id } = await harness.account(`u${i}`)
      await anna.command('contact.add', { user_id: String(id) })
    }
    await harness.account('one-more')
    await expect(anna.command('contact.add', { login: 'one-more' })).rejects.toThrow('too_many_requests')
    await harness.settle()
    expect(anna.state().contacts).toHaveLength(50)
  })

  it('MSG-24 are limited in number, even if a request is accepted or somebody is blocked', async () => {
    const { harness, anna, ben, chat } = await strangers()
    await ben.command('contact.add', account(anna))
    const ids = Array.from({ length: OWN_RELATIONS_MAX }, (_, i) => 100_000 + i)
    const user = { display_name: '', kind: 'ordinary', capabilities: '[]', created_at: 0 }
    const users = ids.map(id => ({ ...user, id, login: `u${id}` }))
    const contacts = ids.map(id => ({ user_id: anna.userId, contact_id: id, state: 'contact', sent: 0 }))
    await harness.db.insertInto('users').values(users).execute()
    await harness.db.insertInto('contacts').values(contacts).execute()
    for (const refused of [
      () => anna.command('contact.add', account(ben)),
      () => anna.send(chat, 'yes'),
      () => anna.command('contact.remove', { ...account(ben), blocked: true }),
    ])
      await expect(refused()).rejects.toThrow('too_many_contacts')
    await harness.db.deleteFrom('contacts').where('contact_id', '=', 100_000).execute()
    await anna.command('contact.add', account(ben))
  })

  it('MSG-27 are requested at a limited rate', async () => {
    const { anna, ben, chat } = await strangers({ contactRequestsPerMinute: 2 })
    await anna.command('contact.add', account(ben))
    await anna.send(chat, 'one')
    await expect(anna.send(chat, 'two')).rejects.toThrow('too_many_contact_requests')
  })

  it('MSG-27 are not requested by the answers to requests', async () => {
    const { harness, anna, ben, chat } = await strangers({ contactRequestsPerMinute: 1 })
    const cara = await Messenger.connect(harness, 'cara')
    const dora = await Messenger.connect(harness, 'dora')
    for (const other of [ben, cara, dora]) await other.command('contact.add', account(anna))
    await anna.send(chat, 'yes')
    for (const other of [cara, dora]) await anna.command('contact.add', account(other))
    await harness.settle()
    expect(anna.state().contacts.map(({ state }) => state)).toEqual(['contact', 'contact', 'contact'])
  })

  it('MSG-27 are not requested by an edit of a message', async () => {
    const { anna, chat } = await strangers({ contactRequestsPerMinute: 2 })
    const { message_id } = await anna.send(chat, 'one')
    for (const text of ['two', 'three', 'four'])
      await anna.command('message.edit', { message_id: String(message_id), text }, chatTarget(chat))
    await anna.send(chat, 'five')
    await expect(anna.send(chat, 'six')).rejects.toThrow('too_many_contact_requests')
  })

  it('MSG-25 are muted together with their conversation, which continues to count', async () => {
    const { harness, anna, ben, chat } = await strangers()
    await expect(ben.command('mute.set', { ...account(anna), muted: true })).rejects.toThrow(
      'no_such_contact',
    )
    await befriend(anna, ben)
    await ben.command('mute.set', { ...account(anna), muted: true })
    await anna.send(chat, 'one')
    await harness.settle()
    expect(ben.state()).toMatchObject({
      contacts: [{ muted: true }],
      conversations: [{ muted: true, unread: 1 }],
      unread_conversations: 1,
      unmuted_unread_conversations: 0,
    })
    await ben.command('mute.set', { ...account(anna), muted: false })
    await harness.settle()
    expect(ben.counters()).toEqual([{ [chat]: 1 }, 1])
    expect(await ben.command('contact.list', {})).toMatchObject({ contacts: [{ muted: false }] })
    await expect(ben.command('mute.set', { tag: 'nope', muted: true })).rejects.toThrow('not_a_member')
    await ownConference(harness, TAG, 'ben')
    const others = Array.from({ length: MUTES_MAX }, (_, i) => ({
      user_id: ben.userId,
      chat_id: `conference:muted-${i}`,
    }))
    await harness.db.insertInto('mutes').values(others).execute()
    const mute = () => ben.command('mute.set', { tag: TAG, muted: true })
    await expect(mute()).rejects.toThrow('too_many_mutes')
    await ben.command('mute.set', { ...account(anna), muted: false })
    await harness.db.deleteFrom('mutes').where('chat_id', '=', 'conference:muted-0').execute()
    await mute()
  })

  it('MSG-26 follow the names of accounts and conferences (MSG-17)', async () => {
    const { harness, anna, ben, chat } = await strangers()
    await befriend(anna, ben)
    await anna.send(chat, 'one')
    const cleo = await Messenger.connect(harness, 'cleo')
    await cleo.command('contact.remove', { ...account(anna), blocked: true })
    const dan = await Messenger.connect(harness, 'dan')
    await anna.command('contact.add', { login: 'dan' })
    await harness.rename('anna', 'Anna Z.')
    await harness.settle()
    expect(ben.state()).toMatchObject({
      contacts: [{ display_name: 'Anna Z.' }],
      conversations: [{ title: 'Anna Z.' }],
    })
    for (const [who, state] of [
      [cleo, 'blocked'],
      [dan, 'incoming'],
    ] as const)
      expect(who.state().contacts).toMatchObject([{ display_name: 'Anna Z.', state }])
  })

  it('MSG-28 over v1 have the same commands and events', async () => {
    const { harness, ben } = await strangers()
    await harness.account('cleo')
    const cleo = harness.client('cleo')
    await cleo.login(null)
    await cleo.send(JSON.stringify({ id: '1', command: 'contact.add', params: { login: 'ben' } }))
    const contact = { state: 'outgoing' }
    expect([cleo.takeOther(), cleo.takeOther()]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: '1',
          result: expect.objectContaining({ contact: expect.objectContaining(contact) }),
        }),
        expect.objectContaining({
          event: 'contact.changed',
          data: expect.objectContaining({ contact: expect.objectContaining(contact) }),
        }),
      ]),
    )
    await ben.command('contact.add', { login: 'cleo' })
    expect(cleo.takeOther()).toMatchObject({
      event: 'contact.changed',
      data: { contact: { state: 'contact' } },
    })
    await ben.send(ben.chatWith({ userId: harness.authenticator.user('cleo').id }), 'hi')
    const events = [cleo.takeOther(), cleo.takeOther()]
    expect(events).toMatchObject([{ event: 'message.added' }, { event: 'conversation.changed' }])
    await cleo.send(JSON.stringify({ id: '2', command: 'conversation.list', params: {} }))
    expect(cleo.takeOther()).toMatchObject({ id: '2', result: { conversations: [{ unread: 1 }] } })
  })
})

describe('presence', () => {
  async function contacts() {
    const parts = await strangers()
    await befriend(parts.anna, parts.ben)
    await parts.harness.pass(1000)
    const presence = () => parts.anna.state().contacts[0]?.presence
    expect(presence()).toBe('online')
    return { ...parts, presence }
  }

  it('MSG-40 reflects the visible pages', async () => {
    const { harness, ben, presence } = await contacts()
    const phone = await Messenger.connect(harness, 'ben', 'phone')
    await ben.command('presence.update', { visible: false })
    await harness.pass(1000)
    expect(presence()).toBe('online')
    await phone.command('presence.update', { visible: false })
    await harness.pass(1000)
    expect(presence()).toBe('away')
    await ben.command('presence.update', { visible: true })
    await harness.pass(1000)
    expect(presence()).toBe('online')
  })

  it('MSG-41 ends some seconds after the last connection, so that a reload is not noticeable', async () => {
    const { harness, anna, ben, presence } = await contacts()
    anna.events()
    await ben.client.drop()
    await harness.pass(3000)
    await ben.resume()
    await harness.pass(5000)
    expect(anna.events().filter(({ name }) => name === 'presence.changed')).toEqual([])
    await ben.client.drop()
    await harness.pass(6000)
    expect(presence()).toBe('offline')
  })

  it('MSG-42 includes participation in a conference', async () => {
    const { harness, ben, presence } = await contacts()
    await ben.client.join()
    await harness.pass(1000)
    expect(presence()).toBe('in_call')
    await ben.client.command('conference.leave', {}, { kind: 'conference', id: TAG })
    await harness.pass(1000)
    expect(presence()).toBe('online')
  })
})
