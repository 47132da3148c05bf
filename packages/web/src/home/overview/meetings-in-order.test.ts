import { expect, it } from 'vitest'
import { readOwn } from '../meetings/own-conference.ts'
import { meetingsInOrder } from './meetings-in-order.ts'

const HOUR = 3_600_000

it('has what takes place first, then what is planned, and last what is over', () => {
  const now = Date.now()
  const at = (hours: number) => new Date(now + hours * HOUR).toISOString()
  const meeting = (tag: string, parts: object = {}) =>
    readOwn({ tag, title: tag, created_at_ms: 1, join_url: `https://x/${tag}`, ...parts })
  const list = [
    meeting('over', { starts_at: at(-3), ends_at: at(-2) }),
    meeting('without a time'),
    meeting('tomorrow', { starts_at: at(24) }),
    meeting('begun', { starts_at: at(-1) }),
    meeting('yesterday', { starts_at: at(-24) }),
    meeting('soon', { starts_at: at(1) }),
    meeting('live', { live: true }),
  ].flatMap(each => each ?? [])
  expect(meetingsInOrder(list, now).map(each => each.tag)).toEqual([
    'live',
    'begun',
    'soon',
    'tomorrow',
    'without a time',
    'over',
    'yesterday',
  ])
})
