import { conferenceChat, directChat } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import type { Chat, Draft } from '../ports.ts'
import { decideAdd, decideMessage } from '../relations.ts'
import type { ContactStore } from '../stores/contacts.ts'
import type { ConversationStore } from '../stores/conversations.ts'
import type { MessageStore } from '../stores/messages.ts'

export interface MessagingStores {
  messages: MessageStore
  conversations: ConversationStore
  contacts: ContactStore
  /** The outbox of push notifications, which are enabled. */
  outbox: {
    list(storedBeforeMs: number, limit: number): Promise<object[]>
    remove(ids: number[]): Promise<void>
  }
  /** Ids of users. */
  users: [number, number, number]
  /** The tag of a conference of the first user. */
  tag: string
  /** Removes the conference. */
  removeConference(): Promise<unknown>
}

/** The contract of the stores of messaging, which share one database. */
export function describeMessagingStores(open: () => Promise<MessagingStores>) {
  const direct = (userIds: [number, number]): Chat => ({
    kind: 'direct',
    id: directChat(...userIds),
    userIds,
  })
  const conference = (tag: string): Chat => ({ kind: 'conference', id: conferenceChat(tag), tag })
  let commands = 0
  const draft = (chat: Chat, userId: number, text = 'hi', commandId = `c${++commands}`): Draft => ({
    chat,
    message: { chatId: chat.id, userId, commandId, displayName: `u${userId}`, text, sentAtMs: 5 },
  })
  const send = async ({ messages }: MessagingStores, one: Draft) => {
    const [result] = await messages.append([one], decideMessage)
    if (result?.is !== 'stored') throw new Error(result?.code)
    return result
  }

  describe('messaging stores', () => {
    it('MESSAGE-1 store a draft once for its key, also within a batch', async () => {
      const stores = await open()
      const chat = conference(stores.tag)
      const [owner] = stores.users
      const one = draft(chat, owner, 'hi', 'same')
      const results = await stores.messages.append([one, one, draft(chat, owner)], decideMessage)
      expect(results).toMatchObject([{ isNew: true }, { isNew: false }, { isNew: true }])
      expect((await stores.messages.page(chat.id, null, { limit: 10, bytes: 1e9 })).messages).toHaveLength(2)
    })

    it('MESSAGE-2 refuse a draft without effects on the others of the batch', async () => {
      const stores = await open()
      const [owner, stranger] = stores.users
      const chat = conference(stores.tag)
      const results = await stores.messages.append([draft(chat, stranger), draft(chat, owner)], decideMessage)
      expect(results).toMatchObject([{ is: 'refused', code: 'not_a_member' }, { is: 'stored' }])
      expect(await stores.conversations.page(stranger, null, 10)).toEqual([])
      expect(await stores.conversations.page(owner, null, 10)).toHaveLength(1)
    })

    it('MESSAGE-3 count unread messages from the position of the reader', async () => {
      const stores = await open()
      const [anna, ben] = stores.users
      const chat = direct([anna, ben])
      const first = await send(stores, draft(chat, anna))
      await send(stores, draft(chat, anna))
      const unread = async () => (await stores.conversations.find(ben, [chat.id]))[0]?.unread
      expect(await unread()).toBe(2)
      expect(await stores.messages.read(chat.id, ben, first.message.messageId)).toBe(true)
      expect(await stores.messages.read(chat.id, ben, first.message.messageId)).toBe(false)
      expect([await unread(), await stores.conversations.countUnread(ben)]).toEqual([
        1,
        { all: 1, unmuted: 1 },
      ])
      await stores.conversations.setMuted(ben, chat.id, true, 10)
      expect([await unread(), await stores.conversations.countUnread(ben)]).toEqual([
        1,
        { all: 1, unmuted: 0 },
      ])
      expect(await stores.conversations.countUnread(anna)).toEqual({ all: 0, unmuted: 0 })
    })

    it('MESSAGE-4 count at most 999', async () => {
      const stores = await open()
      const [owner, ben] = stores.users
      const chat = conference(stores.tag)
      await stores.conversations.addMember(stores.tag, ben, 10)
      const drafts = Array.from({ length: 1005 }, () => draft(chat, owner))
      await stores.messages.append(drafts, decideMessage)
      expect((await stores.conversations.find(ben, [chat.id]))[0]?.unread).toBe(999)
    })

    it('MESSAGE-5 store new messages for notifications, each once, until they are removed', async () => {
      const stores = await open()
      const [owner, stranger] = stores.users
      const chat = conference(stores.tag)
      const one = draft(chat, owner)
      await stores.messages.append([one, one, draft(chat, stranger)], decideMessage)
      const { message } = await send(stores, one)
      expect(await stores.outbox.list(5, 10)).toEqual([])
      const { messageId } = message
      expect(await stores.outbox.list(6, 10)).toEqual([{ messageId, chatId: chat.id, sentAtMs: 5 }])
      const second = await send(stores, draft(chat, owner))
      expect(await stores.outbox.list(6, 1)).toMatchObject([{ messageId }])
      await stores.outbox.remove([messageId])
      await stores.outbox.remove([])
      expect(await stores.outbox.list(6, 10)).toMatchObject([{ messageId: second.message.messageId }])
    })

    it('MEMBER-3 show a conference to its members before the first message, and in its place after it', async () => {
      const stores = await open()
      const [owner, ben] = stores.users
      const chat = conference(stores.tag)
      const list = async (userId: number) => stores.conversations.page(userId, null, 10)
      expect(await list(owner)).toMatchObject([{ chat, lastMessage: null, activityAtMs: 1, unread: 0 }])
      expect(await stores.conversations.countUnread(owner)).toEqual({ all: 0, unmuted: 0 })
      await stores.conversations.addMember(stores.tag, ben, 10)
      expect(await stores.conversations.find(ben, [chat.id])).toMatchObject([{ chat, lastMessage: null }])
      await send(stores, draft(direct([owner, ben]), ben))
      expect((await list(ben)).map(each => each.chat.kind)).toEqual(['direct', 'conference'])
      const after = { afterEmpty: 'conference:0' }
      expect(await stores.conversations.page(ben, after, 10)).toMatchObject([{ chat }])
      expect(await stores.conversations.page(ben, { afterEmpty: chat.id }, 10)).toEqual([])
      await send(stores, draft(chat, ben))
      expect((await list(owner)).map(each => [each.chat.kind, each.unread])).toEqual([
        ['conference', 1],
        ['direct', 1],
      ])
    })

    it('MEMBER-1 add members up to the limit, for whom earlier messages count as read', async () => {
      const stores = await open()
      const [owner, ben, cleo] = stores.users
      await send(stores, draft(conference(stores.tag), owner))
      expect(await stores.conversations.addMember(stores.tag, ben, 2)).toBe('added')
      expect(await stores.conversations.addMember(stores.tag, ben, 2)).toBe('known')
      expect(await stores.conversations.addMember(stores.tag, cleo, 2)).toBe('full')
      expect((await stores.conversations.page(ben, null, 10))[0]?.unread).toBe(0)
      expect(await stores.conversations.membersAmong(stores.tag, [owner, ben, cleo])).toEqual([owner, ben])
      expect(await stores.conversations.haveCommon(owner, ben)).toBe(true)
      expect(await stores.conversations.haveCommon(owner, cleo)).toBe(false)
      expect(await stores.conversations.removeMember(stores.tag, ben, { isDeclined: false })).toBe(true)
      expect(await stores.conversations.haveCommon(owner, ben)).toBe(false)
      expect(await stores.conversations.findMembership(stores.tag, ben)).toBeNull()
    })

    it('MEMBER-4 invite members, who agree by being added, and are not invited after leaving', async () => {
      const stores = await open()
      const { conversations, tag } = { ...stores }
      const [owner, ben, cleo] = stores.users
      expect(await conversations.inviteMember(tag, ben, 2)).toBe('added')
      expect(await conversations.inviteMember(tag, ben, 2)).toBe('known')
      expect(await conversations.inviteMember(tag, cleo, 2)).toBe('full')
      expect(await conversations.findMembership(tag, ben)).toBe('invited')
      expect(await conversations.membersAmong(tag, [owner, ben])).toEqual([owner])
      const invitations = async () => (await conversations.members(tag)).map(each => each.isInvited).sort()
      expect(await invitations()).toEqual([false, true])
      expect(await conversations.page(ben, null, 10)).toMatchObject([{ isRequest: true }])
      const chat = conference(tag)
      const muted = async () =>
        (await conversations.recipients(chat, owner)).find(each => each.userId === ben)
      expect(await muted()).toMatchObject({ isMuted: true, isRequest: false })
      expect(await conversations.addMember(tag, ben, 2)).toBe('added')
      expect(await conversations.addMember(tag, ben, 2)).toBe('known')
      expect([await conversations.findMembership(tag, ben), await invitations()]).toEqual([
        'member',
        [false, false],
      ])
      expect(await muted()).toMatchObject({ isMuted: false })
      await conversations.removeMember(tag, ben, { isDeclined: true })
      expect(await conversations.inviteMember(tag, ben, 2)).toBe('declined')
      expect(await conversations.page(ben, null, 10)).toEqual([])
      expect(await conversations.addMember(tag, ben, 2)).toBe('added')
      await conversations.removeMember(tag, ben, { isDeclined: false })
      expect(await conversations.inviteMember(tag, ben, 2)).toBe('added')
    })

    it('CONTACT-4 know who has blocked whom, and notify nobody of messages of somebody they have blocked', async () => {
      const stores = await open()
      const { conversations, contacts, tag } = stores
      const [owner, ben, cleo] = stores.users
      for (const id of [ben, cleo]) await conversations.addMember(tag, id, 9)
      await contacts.change(ben, owner, () => ({
        is: 'changed',
        changes: { own: { state: 'blocked', sent: 0 } },
      }))
      expect(await contacts.blockedAmong(owner, [ben, cleo])).toEqual([ben])
      expect(await contacts.blockedAmong(ben, [owner, cleo])).toEqual([owner])
      expect(await contacts.blockedAmong(cleo, [owner, ben])).toEqual([])
      const recipients = await conversations.recipients(conference(tag), owner)
      expect(recipients.filter(each => each.isMuted).map(each => each.userId)).toEqual([ben])
    })

    it('MEMBER-2 remove the conversation of a removed conference, in steps (MSG-18)', async () => {
      const stores = await open()
      const [owner] = stores.users
      const chat = conference(stores.tag)
      for (let i = 0; i < 5; i++) await send(stores, draft(chat, owner))
      expect(await stores.conversations.sweep(2)).toBe(false)
      await stores.removeConference()
      expect(await stores.conversations.page(owner, null, 10)).toEqual([])
      let steps = 0
      while (await stores.conversations.sweep(2)) steps++
      expect(steps).toBe(3)
      expect((await stores.messages.page(chat.id, null, { limit: 10, bytes: 1e9 })).messages).toEqual([])
    })

    it('CONTACT-1 change both sides in one step, or refuse', async () => {
      const stores = await open()
      const [anna, ben] = stores.users
      const { contacts } = stores
      expect(await contacts.change(anna, ben, decideAdd)).toBeNull()
      expect((await contacts.list(ben)).map(({ userId, state }) => [userId, state])).toEqual([
        [anna, 'incoming'],
      ])
      expect(await contacts.isContact(anna, ben)).toBe(false)
      expect(await contacts.change(ben, anna, decideAdd)).toBeNull()
      expect([await contacts.whoLists(anna), await contacts.whoLists(ben)]).toEqual([[ben], [anna]])
      const many = Array.from({ length: 2_500 }, (_, i) => 1_000_000 + i)
      expect(await contacts.listOfAll([anna, ...many, ben])).toEqual([
        { userId: anna, contactId: ben },
        { userId: ben, contactId: anna },
      ])
      const refuse = () => ({ is: 'refused', code: 'not_reachable' }) as const
      expect(await contacts.change(anna, ben, refuse)).toBe('not_reachable')
      expect(await contacts.isContact(anna, ben)).toBe(true)
    })

    it('CONTACT-2 show a mute with the contact, whichever of the two ids is lower', async () => {
      const stores = await open()
      const [anna, ben] = stores.users
      await stores.contacts.change(anna, ben, decideAdd)
      for (const [one, other] of [
        [anna, ben],
        [ben, anna],
      ] as const) {
        await stores.conversations.setMuted(one, directChat(one, other), true, 1)
        expect((await stores.contacts.find(one, [other]))[0]?.isMuted).toBe(true)
      }
      expect(await stores.conversations.setMuted(anna, 'conference:other', true, 1)).toBe('full')
      expect(await stores.conversations.setMuted(anna, directChat(anna, ben), true, 1)).toBe('done')
    })

    it('CONTACT-3 mute what a muted person writes in conferences, for whom muted that person, and nothing else', async () => {
      const stores = await open()
      const [anna, ben, cleo] = stores.users
      const chat = conference(stores.tag)
      for (const each of [ben, cleo]) await stores.conversations.addMember(stores.tag, each, 10)
      const mutedFor = async (chat: Chat, senderId: number) =>
        (await stores.conversations.recipients(chat, senderId))
          .filter(({ isMuted }) => isMuted)
          .map(({ userId }) => userId)
      for (const [one, other] of [
        [anna, cleo],
        [cleo, anna],
      ] as const) {
        await stores.conversations.setMuted(one, directChat(one, other), true, 10)
        expect([await mutedFor(chat, other), await mutedFor(chat, ben)]).toEqual([[one], []])
        await stores.conversations.setMuted(one, chat.id, true, 10)
        expect([await mutedFor(chat, other), await mutedFor(chat, ben)]).toEqual([[one], [one]])
        await stores.conversations.setMuted(one, chat.id, false, 10)
        await send(stores, draft(direct([one, other]), other))
        expect(await mutedFor(direct([one, other]), other)).toEqual([one])
        await stores.conversations.setMuted(one, directChat(one, other), false, 10)
        expect(await mutedFor(chat, other)).toEqual([])
      }
    })
  })
}
