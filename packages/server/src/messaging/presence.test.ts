import type { Presence } from '@lectern/protocol/control'
import { expect, it } from 'vitest'
import type { User } from '../accounts/ports.ts'
import { PresenceRegistry } from './presence.ts'

const user = (id: number) => ({ id, login: `user-${id}`, kind: 'ordinary', displayName: 'x' }) as User

it('MSG-40 presence is published once for all accounts that have changed since the last tick', () => {
  const published: [number, Presence][][] = []
  let nowMs = 1_000_000
  const presence = new PresenceRegistry(
    () => nowMs,
    changes => published.push([...changes]),
  )
  for (let id = 1; id <= 3; id++) presence.connected(user(id), `c${id}`)
  presence.setVisible(2, 'c2', false)
  presence.tick()
  presence.tick()
  for (let id = 1; id <= 3; id++) presence.ended(id, `c${id}`)
  nowMs += 10_000
  presence.tick()
  expect(published).toEqual([
    [
      [1, 'online'],
      [2, 'away'],
      [3, 'online'],
    ],
    [
      [1, 'offline'],
      [2, 'offline'],
      [3, 'offline'],
    ],
  ])
})

it('MSG-43 presence that somebody may have read between two ticks is published again', () => {
  const published: [number, Presence][][] = []
  const presence = new PresenceRegistry(
    () => 1_000_000,
    changes => published.push([...changes]),
  )
  presence.connected(user(1), 'c1')
  presence.tick()
  presence.setVisible(1, 'c1', false)
  expect(presence.of(1)).toBe('away')
  presence.setVisible(1, 'c1', true)
  presence.tick()
  presence.tick()
  expect(published).toEqual([[[1, 'online']], [[1, 'online']]])
})
