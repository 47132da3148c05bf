import { describe, expect, it } from 'vitest'
import type { Conference } from '../ports.ts'
import type { Participant, Session } from '../session.ts'
import { previewFor, previewSession } from './participant-preview.ts'

const person = (userId: number, displayName: string, isHere = true) => ({
  userId,
  displayName,
  presence: isHere ? { is: 'here' } : { is: 'away', sinceMs: 0 },
})
const session = (people: readonly object[], changes: Partial<Session> = {}) =>
  ({
    participants: new Map(people.map((each, index) => [String(index), each as Participant])),
    locked: false,
    removed: new Map(),
    ...changes,
  }) as Session

const [newcomer, moderator] = [{ isModerator: false }, { isModerator: true }]

describe('the preview of participants', () => {
  it('names the first two people, and counts a person with two connections once', () => {
    const people = [person(9, 'Anna'), person(9, 'Anna'), person(8, 'Ben'), person(7, 'Cleo')]
    expect(previewSession(session(people))).toEqual({ names: ['Anna', 'Ben'], count: 3, isGuarded: false })
  })

  it('leaves out who has lost the connection, and people in the lobby', () => {
    const people = [person(9, 'Anna', false)]
    const lobby = { waiters: new Map([['1', person(8, 'Ben')]]) } as never
    expect(previewSession(session(people, { lobby }))?.count).toBe(0)
  })

  it('is for everybody who enters at once', () => {
    const preview = previewSession(session([person(9, 'Anna')]))
    expect(previewFor(preview, newcomer)).toEqual({ names: ['Anna'], count: 1 })
    expect(previewFor(previewSession(session([])), newcomer)).toBeNull()
    expect(previewFor(null, newcomer)).toBeNull()
  })

  it.each([
    ['it is locked', { locked: true }],
    ['somebody was removed', { removed: new Map([[7, { userId: 7, displayName: 'Eve' }]]) }],
    ['it has a lobby', { conference: { settings: { hasLobby: true } } as Conference }],
  ])('is for moderators only while newcomers may have to wait: %s', (_, guard) => {
    const preview = previewSession(session([person(9, 'Anna')], guard))
    expect(previewFor(preview, newcomer)).toBeNull()
    expect(previewFor(preview, moderator)).toEqual({ names: ['Anna'], count: 1 })
  })
})
