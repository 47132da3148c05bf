import { describe, expect, it } from 'vitest'
import type { ChatStore, NewMessage, StoredMessage } from '../ports.ts'
import { localLease } from './local-lease.ts'

const hello: NewMessage = {
  chatId: 'session:1',
  userId: 7,
  commandId: 'c-1',
  displayName: 'Anna Ärmel',
  text: 'Hello 👋\n"; --',
  sentAtMs: 1_700_000_000_123,
}

const append = (chat: ChatStore, message: NewMessage) =>
  chat.append(message, localLease({ sessionId: 1 })) as Promise<StoredMessage>

const several = (chat: ChatStore, count: number, chatId = 'session:1') =>
  Array.from({ length: count }).reduce<Promise<unknown>>(
    (before, _, i) =>
      before.then(() => append(chat, { ...hello, chatId, commandId: `c-${i}`, text: String(i) })),
    Promise.resolve(),
  )
/** A number of messages, of any size. */
const upTo = (limit: number) => ({ limit, bytes: 1e9 })
const texts = (messages: { text: string }[]) => messages.map(({ text }) => text)

/** Describes every store of messages. Each call of `open` gives an empty one. */
export function describeChatStore(open: () => Promise<ChatStore>) {
  describe('chat store', () => {
    it('CHAT-1 returns what was appended', async () => {
      const chat = await open()
      const byTeacher = { ...hello, commandId: 'c-2', isByModerator: true }
      expect(await append(chat, byTeacher)).toMatchObject(byTeacher)
      const stored = await append(chat, hello)
      expect(stored).toEqual({ ...hello, editedAtMs: null, isDeleted: false, messageId: expect.any(Number) })
      expect(await chat.find(hello)).toEqual(stored)
      expect(await chat.page('session:1', null, upTo(1))).toEqual({ messages: [stored], hasOlder: true })
    })

    it('CHAT-2 stores a message once for each key, and returns the first one again', async () => {
      const chat = await open()
      const stored = await append(chat, hello)
      expect(await append(chat, { ...hello, text: 'Other', sentAtMs: 5, displayName: 'X' })).toEqual(stored)
      expect((await chat.page('session:1', null, upTo(10))).messages).toHaveLength(1)
    })

    it('CHAT-3 distinguishes keys by chat, by user and by command', async () => {
      const chat = await open()
      const others = [{ chatId: 'session:2' }, { userId: 8 }, { commandId: 'C-1' }]
      const all = await Promise.all([{}, ...others].map(other => append(chat, { ...hello, ...other })))
      expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(4)
    })

    it('CHAT-4 stores one message for many concurrent callers', async () => {
      const chat = await open()
      const all = await Promise.all(Array.from({ length: 20 }, () => append(chat, hello)))
      expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(1)
    })

    it('CHAT-5 pages from the newest to the oldest, each page oldest first', async () => {
      const chat = await open()
      await several(chat, 5)
      await several(chat, 3, 'session:2')
      const newest = await chat.page('session:1', null, upTo(2))
      expect([texts(newest.messages), newest.hasOlder]).toEqual([['3', '4'], true])
      const before = await chat.page('session:1', newest.messages[0]?.messageId ?? 0, upTo(3))
      expect([texts(before.messages), before.hasOlder]).toEqual([['0', '1', '2'], false])
      expect(await chat.page('session:1', before.messages[0]?.messageId ?? 0, upTo(3))).toEqual({
        messages: [],
        hasOlder: false,
      })
    })

    it('CHAT-5 returns to each of many concurrent callers the page of their own chat', async () => {
      const chat = await open()
      for (let i = 0; i < 4; i++) await several(chat, i, `session:${i}`)
      const pages = await Promise.all(
        Array.from({ length: 240 }, (_, i) => chat.page(`session:${i % 4}`, null, upTo(1 + (i % 2)))),
      )
      for (const [i, { messages, hasOlder }] of pages.entries()) {
        const [sent, limit] = [i % 4, 1 + (i % 2)]
        expect(messages.every(({ chatId }) => chatId === `session:${sent}`)).toBe(true)
        expect([messages.length, hasOlder]).toEqual([Math.min(sent, limit), sent > limit])
        expect(messages.at(-1)?.text).toBe(sent === 0 ? undefined : `${sent - 1}`)
      }
    })

    it('CHAT-9 ends a page before it has too many bytes of names and texts, and never without a message', async () => {
      const chat = await open()
      const sizes = [20, 30, 10, 1]
      for (const [i, size] of sizes.entries())
        await append(chat, { ...hello, commandId: `c-${i}`, displayName: 'ä', text: 'é'.repeat(size) })
      const page = async (before: number | null, bytes: number) => {
        const { messages, hasOlder } = await chat.page('session:1', before, { limit: 100, bytes })
        return { lengths: messages.map(({ text }) => text.length), hasOlder, before: messages[0]?.messageId }
      }
      const newest = await page(null, 26) // 2 + 2 and 20 + 2
      expect(newest).toMatchObject({ lengths: [10, 1], hasOlder: true })
      const next = await page(newest.before ?? 0, 26)
      expect(next).toMatchObject({ lengths: [30], hasOlder: true })
      expect(await page(next.before ?? 0, 26)).toMatchObject({ lengths: [20], hasOlder: false })
      expect(await page(null, 25)).toMatchObject({ lengths: [1], hasOlder: true })
    })

    it('CHAT-6 returns all messages after a given one', async () => {
      const chat = await open()
      await several(chat, 4)
      const { messages } = await chat.page('session:1', null, upTo(10))
      expect(texts(await chat.after('session:1', messages[1]?.messageId ?? 0))).toEqual(['2', '3'])
      expect(texts(await chat.after('session:1', 0))).toEqual(['0', '1', '2', '3'])
      expect(await chat.after('session:3', 0)).toEqual([])
    })

    it('CHAT-8 returns to each of many concurrent callers their own message', async () => {
      const chat = await open()
      const texts = Array.from({ length: 1200 }, (_, i) => `${i % 600}`) // each key twice
      const all = await Promise.all(texts.map(text => append(chat, { ...hello, commandId: text, text })))
      expect(all.map(({ text }) => text)).toEqual(texts)
      expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(600)
    })

    it('CHAT-10 keeps the file of a message until the message is deleted, and deletes it once', async () => {
      const chat = await open()
      const file = { file_id: 'b_1', name: 'Брюки 👖.png', content_type: 'image/png', size: 7 }
      const { messageId } = await append(chat, { ...hello, text: '', file })
      expect(await chat.get('session:1', messageId)).toMatchObject({ text: '', file })
      expect(await chat.get('session:2', messageId)).toBeNull()
      expect(await chat.delete('session:2', messageId, 9)).toBeNull()
      const deleted = await chat.delete('session:1', messageId, 9)
      expect([deleted?.isDeleted, deleted?.text, deleted?.file]).toEqual([true, '', undefined])
      expect(await chat.delete('session:1', messageId, 9)).toBeNull()
      expect((await chat.page('session:1', null, upTo(10))).messages).toEqual([deleted])
    })

    it('CHAT-7 finds nothing under another key', async () => {
      const chat = await open()
      await append(chat, hello)
      expect(await chat.find({ ...hello, userId: 8 })).toBeNull()
    })
  })
}
