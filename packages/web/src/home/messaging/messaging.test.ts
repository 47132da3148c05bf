import { describe, expect, it } from 'vitest'
import { createTestConnection } from '../../account-connection/testing.ts'
import { ReadPosition } from '../../chat/read-position.ts'
import { StoredValue } from '../../stored-value.ts'
import { blockedStorage, makeStorage } from '../../testing.ts'
import { Drafts } from './drafts.ts'
import { logItems } from './log-items.ts'
import { aMessage, settle } from './testing.ts'
import { formatDay, formatListTime } from './times.ts'

describe('ReadPosition', () => {
  it('reports the newest position, one command at a time, and never backwards', async () => {
    const { connection, control } = createTestConnection()
    let answer = () => {}
    control.handlers['message.read'] = () => new Promise<void>(resolve => (answer = resolve))
    const position = new ReadPosition(connection, 'direct:7-8', '3')
    for (const id of ['2', '3']) position.markRead(id)
    expect(control.commands).toEqual([])
    for (const id of ['4', '6', '5']) position.markRead(id)
    answer()
    await settle()
    answer()
    await settle()
    expect(control.bodies('message.read')).toEqual([{ message_id: '4' }, { message_id: '6' }])
  })

  it('reports again after a failure', async () => {
    const { connection, control } = createTestConnection()
    control.handlers['message.read'] = () => Promise.reject(new Error('lost'))
    const position = new ReadPosition(connection, 'direct:7-8', null)
    position.markRead('4')
    await settle()
    control.handlers['message.read'] = () => ({})
    position.markRead('4')
    await settle()
    position.markRead('4')
    expect(control.bodies('message.read')).toHaveLength(2)
  })
})

const storage = makeStorage()

describe('Drafts', () => {
  it('are kept by conversation, over a reload', () => {
    const stored = new StoredValue('drafts', () => storage)
    const drafts = new Drafts(stored)
    drafts.write('a', 'one')
    drafts.write('b', 'two')
    drafts.write('a', '')
    expect([...new Drafts(stored).get()]).toEqual([['b', 'two']])
  })

  it('are limited in number: the oldest are dropped', () => {
    const drafts = new Drafts(new StoredValue('many', blockedStorage))
    for (let i = 0; i < 60; i++) drafts.write(`chat ${i}`, 'x')
    expect([drafts.get().size, drafts.get().has('chat 9'), drafts.get().has('chat 59')]).toEqual([
      50,
      false,
      true,
    ])
  })

  it('ignore malformed stored values', () => {
    for (const text of ['{', '7', '[["a"],["b",7],["c","d"]]']) {
      storage.setItem('odd', text)
      const drafts = new Drafts(new StoredValue('odd', () => storage))
      expect([...drafts.get()]).toEqual(text.includes('c') ? [['c', 'd']] : [])
    }
  })
})
describe('logItems', () => {
  const DAY = 86_400_000
  const shape = (messages: Parameters<typeof logItems>[0], readUpTo: string | null = null) =>
    logItems(messages, { ownUserId: '7', readUpTo, timeZone: 'UTC' }).map(item =>
      item.is === 'group' ? item.group.messages.map(each => each.message_id).join('+') : item.is,
    )

  it('separates days', () => {
    const late = aMessage(1, { sent_at_ms: DAY - 1 })
    const early = aMessage(2, { sent_at_ms: DAY })
    expect(shape([late, early])).toEqual(['day', '1', 'day', '2'])
  })

  it('has one line above the first unread message of another user', () => {
    const all = [aMessage(1), aMessage(2), aMessage(3, { user_id: '7' }), aMessage(4), aMessage(5)]
    expect(shape(all, '1')).toEqual(['day', '1', 'new', '2', '3', '4+5'])
    expect(shape(all, '2')).toEqual(['day', '1+2', '3', 'new', '4+5'])
    expect(shape(all, '5')).toEqual(['day', '1+2', '3', '4+5'])
    expect(shape(all)).toEqual(['day', '1+2', '3', '4+5'])
  })

  it('is empty without messages', () => {
    expect(shape([], '0')).toEqual([])
  })
})

describe('times', () => {
  const now = Date.UTC(2026, 10, 22, 12)
  const ago = (days: number) => now - days * 86_400_000

  it('are short in a list', () => {
    const format = (days: number) => formatListTime(ago(days), now, 'en-GB', 'UTC')
    expect([0, 1, 6, 7, 400].map(format)).toEqual(['12:00', 'Sat', 'Mon', '15 Nov', '18 Oct 2025'])
  })

  it('name the day above messages', () => {
    const format = (days: number, locale = 'en-GB') => formatDay(ago(days), now, locale, 'UTC')
    expect([0, 1, 2, 400].map(days => format(days))).toEqual([
      'Today',
      'Yesterday',
      expect.stringMatching(/^Friday,? 20 November$/),
      expect.stringMatching(/^Saturday,? 18 October 2025$/),
    ])
    expect([0, 1].map(days => format(days, 'ru'))).toEqual(['Сегодня', 'Вчера'])
  })
})
