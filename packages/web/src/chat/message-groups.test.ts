import { describe, expect, it } from 'vitest'
import { aMessage } from '../call/testing/session.ts'
import { GroupKeys, groupMessages, withOwnGroup } from './message-groups.ts'

const MINUTE = 60_000
const message = (id: string, userId: string, minute: number) => ({
  ...aMessage(id, id, userId),
  sent_at_ms: minute * MINUTE,
})

type Message = ReturnType<typeof message>

const shape = (...messages: ReturnType<typeof message>[]) =>
  groupMessages(messages, '7').map(group => group.messages.map(each => each.message_id).join('+'))

describe('groupMessages', () => {
  it('groups consecutive messages of one sender', () => {
    expect(
      shape(message('a', '8', 0), message('b', '8', 1), message('c', '7', 2), message('d', '8', 3)),
    ).toEqual(['a+b', 'c', 'd'])
  })

  it('starts a group after a pause since the last message', () => {
    expect(
      shape(message('a', '8', 0), message('b', '8', 4), message('c', '8', 8), message('d', '8', 13)),
    ).toEqual(['a+b+c', 'd'])
  })

  it('starts a group under another name', () => {
    const renamed = { ...message('b', '8', 0), display_name: 'Another' }
    expect(shape(message('a', '8', 0), renamed)).toEqual(['a', 'b'])
  })

  it('marks own groups, with the time of their first message', () => {
    const [theirs, own] = groupMessages([message('a', '8', 1), message('b', '7', 2)], '7')
    expect(theirs).toMatchObject({ key: 'a', own: false, at: MINUTE })
    expect(own).toMatchObject({ key: 'b', own: true, at: 2 * MINUTE })
  })
})

describe('withOwnGroup', () => {
  it('appends an own group after a group of another sender', () => {
    const theirs = groupMessages([message('a', '8', 1)], '7')
    expect(withOwnGroup(theirs, 5)).toMatchObject([{ own: false }, { own: true, at: 5, messages: [] }])
    expect(withOwnGroup([], 5)).toHaveLength(1)
  })

  it('keeps an own last group', () => {
    const own = groupMessages([message('a', '7', 1)], '7')
    expect(withOwnGroup(own, 5)).toBe(own)
  })
})

describe('GroupKeys', () => {
  it('keep the key of a group to which messages are added at either end', () => {
    const keys = new GroupKeys()
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(id => message(id, '8', 0)) as [
      Message,
      Message,
      Message,
      Message,
    ]
    const keysOf = (...messages: Message[]) => keys.assign(groupMessages(messages, '7')).map(({ key }) => key)
    expect(keysOf(b)).toEqual(['b'])
    expect(keysOf(a, b)).toEqual(['b'])
    expect(keysOf(a, b, c)).toEqual(['b'])
    expect(keysOf(message('0', '9', 0), a, b, c)).toEqual(['0', 'b'])
    expect(keysOf(c, d)).toEqual(['b']) // the earlier ones were dropped
    expect(keysOf()).toEqual([])
    expect(keysOf(c)).toEqual(['c'])
  })

  it('are unique when a group is divided', () => {
    const keys = new GroupKeys()
    const keysOf = (...messages: Message[]) => keys.assign(groupMessages(messages, '7')).map(({ key }) => key)
    expect(keysOf(message('a', '8', 0), message('b', '8', 1))).toEqual(['a'])
    expect(keysOf(message('a', '8', 0), message('x', '9', 0), message('b', '8', 1))).toEqual(['a', 'x', 'b'])
  })
})
