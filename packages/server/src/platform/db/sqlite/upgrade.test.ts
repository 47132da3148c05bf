import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { userStore } from '../../../accounts/stores/users.ts'
import { conversationStore } from '../../../messaging/stores/conversations.ts'
import { messageStore } from '../../../messaging/stores/messages.ts'
import { chatStore } from '../../../sessions/stores/chat.ts'
import { ordinaryConferenceStore } from '../../../sessions/stores/conferences.ts'
import { openMainStore } from '../open.ts'
import { describeFormerNames } from '../testing/former-names.ts'
import { openSqlite } from './open.ts'

/** Written by the stores of a version between 0.1.0 and messaging: two sessions of one conference, one of a removed one, one of a partner's room. */
const DUMP = new URL('../testing/store-before-messaging.sql', import.meta.url)
const ALL = { limit: 100, bytes: 1e9 }
const [ANNA, BEN, GUEST] = [1, 2, 3]

let folder: string
let store: Awaited<ReturnType<typeof openMainStore>>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-upgrade-'))
  const file = join(folder, 'main.db')
  const old = new Database(file)
  old.exec(readFileSync(DUMP, 'utf8'))
  old.close()
  store = await openMainStore(file)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

describe('a store from before messaging', () => {
  it('has the chats of an ordinary conference as its conversation, in order, each message once', async () => {
    const messages = messageStore(store.db, { isPushEnabled: false })
    const page = await messages.page('conference:team', null, ALL)
    expect(page.messages.map(({ messageId, userId, text }) => [messageId, userId, text])).toEqual([
      [1, ANNA, 'Hello (team 1)'],
      [2, BEN, 'Hi 😀 (team 1)'],
      [3, GUEST, "It's me (team 1)"],
      [10, ANNA, 'Hello (team 4)'],
      [11, BEN, 'Hi 😀 (team 4)'],
      [12, GUEST, "It's me (team 4)"],
    ])
    expect(page.messages.every(({ editedAtMs, isDeleted }) => editedAtMs === null && !isDeleted)).toBe(true)
    const first = page.messages[0]
    expect(await messages.find({ chatId: 'conference:team', userId: ANNA, commandId: 'c-1' })).toEqual(first)
  })

  it('lists it for its owner and for the users who wrote, as read', async () => {
    const conversations = conversationStore(store.db)
    const listed = async (userId: number) => {
      const all = await conversations.page(userId, null, 100)
      return all.map(({ chat, lastMessage, unread }) => [chat.id, lastMessage?.messageId, unread])
    }
    expect(await listed(ANNA)).toEqual([
      ['conference:team', 12, 0],
      ['conference:quiet', undefined, 0],
    ])
    expect(await listed(BEN)).toEqual([['conference:team', 12, 0]])
    expect(await listed(GUEST)).toEqual([])
    expect(await conversations.countUnread(ANNA)).toEqual({ all: 0, unmuted: 0 })
  })

  it('keeps the chat of a partner room with its session, and everything else', async () => {
    const lesson = await chatStore(store.db).page('session:2', null, ALL)
    expect(lesson.messages.map(({ text }) => text)).toEqual([
      'Hello (lesson-1 2)',
      'Hi 😀 (lesson-1 2)',
      "It's me (lesson-1 2)",
    ])
    expect(await userStore(store.db).find(BEN)).toMatchObject({ login: 'ben', displayName: 'Ben' })
    const conferences = await ordinaryConferenceStore(store.db).listOf(ANNA, 10)
    expect(conferences.map(({ tag, purpose }) => [tag, purpose]).sort()).toEqual([
      ['quiet', 'meeting'],
      ['team', 'meeting'],
    ])
  })

  it('accepts new messages, also with command ids that were used before', async () => {
    const messages = messageStore(store.db, { isPushEnabled: true })
    const message = { chatId: 'conference:team', userId: BEN, displayName: 'Ben', sentAtMs: 1, text: 'new' }
    const chat = { kind: 'conference', id: 'conference:team', tag: 'team' } as const
    const decide = () => ({ is: 'changed', changes: {} }) as const
    const results = await messages.append(
      ['c-2', 'c-9'].map(commandId => ({ chat, message: { ...message, commandId } })),
      decide,
    )
    expect(results).toMatchObject([
      { isNew: false, message: { messageId: 2 } },
      { isNew: true, message: { messageId: 13 } },
    ])
    const [team] = await conversationStore(store.db).page(ANNA, null, 1)
    expect(team).toMatchObject({ unread: 1, lastMessage: { text: 'new' } })
  })
})

describeFormerNames(async () => join(folder, 'former.db'), openSqlite)
