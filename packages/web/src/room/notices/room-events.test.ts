import { describe, expect, it } from 'vitest'
import { ALL_PERMITTED } from '../../call/own-permissions.ts'
import { aParticipant, aPublication } from '../../call/testing/session.ts'
import { handEvents, permissionEvents, roomEventsOf, spotlightEvents } from './room-events.ts'

const me = aParticipant('me')
const mia = aParticipant('mia', { user_id: '9', display_name: 'Mia' })
const room = (parts: Partial<Parameters<typeof roomEventsOf>[1]> = {}) => ({
  participants: [me, mia],
  publications: [],
  recording: false,
  removed: [],
  ...parts,
})
const change = (before: Parameters<typeof room>[0], after: Parameters<typeof room>[0]) =>
  roomEventsOf(room(before), room(after), 'me')

describe('roomEventsOf', () => {
  it('reports who joins and leaves', () => {
    expect(change({ participants: [me] }, {})).toEqual([{ is: 'joined', name: 'Mia' }])
    expect(change({}, { participants: [me] })).toEqual([{ is: 'hasLeft', name: 'Mia' }])
  })

  it('ignores second devices, the own participant, and rejoins with another id', () => {
    const tablet = aParticipant('tablet', { user_id: '9', display_name: 'Mia' })
    expect(change({}, { participants: [me, mia, tablet] })).toEqual([])
    expect(change({}, { participants: [me, tablet] })).toEqual([])
    expect(change({}, { participants: [{ ...me, hand_raised_at_ms: 5 }, mia] })).toEqual([])
  })

  it('reports a removal once, as that of this user where it is, and not that the person has left', () => {
    const removed = [{ user_id: '9', display_name: 'Mia' }]
    const remove = (removedIds?: ReadonlySet<string>) => [
      ...roomEventsOf(room(), room({ removed }), 'me', removedIds),
      ...roomEventsOf(room({ removed }), room({ removed, participants: [me] }), 'me', removedIds),
    ]
    const event = { is: 'removed', name: 'Mia', userId: '9' }
    expect(remove(new Set(['mia']))).toEqual([{ ...event, isByMe: true }])
    expect(remove()).toEqual([{ ...event, isByMe: false }])
    expect(change({ removed, participants: [me] }, { participants: [me] })).toEqual([])
  })

  it('reports lost connections, raised hands and shared screens once', () => {
    const away = { ...mia, presence: 'away' as const }
    const up = { ...mia, hand_raised_at_ms: 5 }
    const publications = [aPublication({ participant_id: 'mia', source: 'screen' })]
    expect(change({}, { participants: [me, away] })).toEqual([{ is: 'lostConnection', name: 'Mia' }])
    expect(change({}, { participants: [me, up] })).toEqual([{ is: 'handRaised', name: 'Mia' }])
    expect(change({}, { publications })).toEqual([{ is: 'sharing', name: 'Mia' }])
    expect(
      change({ publications, participants: [me, up] }, { publications, participants: [me, up] }),
    ).toEqual([])
  })

  it('reports when a recording starts and stops, and one that is in progress on joining', () => {
    expect(change({}, { recording: true })).toEqual([{ is: 'recordingStarted' }])
    expect(change({ recording: true }, {})).toEqual([{ is: 'recordingStopped' }])
    expect(roomEventsOf(null, room({ recording: true }), 'me')).toEqual([{ is: 'recording' }])
    expect(roomEventsOf(null, room(), 'me')).toEqual([])
  })
})

describe('handEvents', () => {
  it('reports that a moderator has lowered the own hand, and not that this user has', () => {
    const up = room({ participants: [{ ...me, hand_raised_at_ms: 5 }, mia] })
    expect(handEvents(up, room(), 'me', true)).toEqual([{ is: 'handLowered' }])
    expect(handEvents(up, room(), 'me', false)).toEqual([])
    expect(handEvents(room(), room(), 'me', true)).toEqual([])
    expect(handEvents(null, room(), 'me', true)).toEqual([])
  })
})

describe('permissionEvents', () => {
  it('reports what was forbidden or permitted meanwhile, also the chat, whose panel may be closed', () => {
    const silent = { ...ALL_PERMITTED, chat: false }
    expect(permissionEvents(null, silent)).toEqual([])
    expect(permissionEvents(ALL_PERMITTED, silent)).toEqual([{ is: 'forbidden', source: 'chat' }])
    expect(permissionEvents({ ...silent, camera: false }, ALL_PERMITTED)).toEqual([
      { is: 'permitted', source: 'camera' },
      { is: 'permitted', source: 'chat' },
    ])
  })
})

describe('spotlightEvents', () => {
  it('reports to the person in the spotlight, also on joining, that everybody sees them large, and its end', () => {
    const spotlight = (id: string | null) => ({ spotlight_user_id: id })
    expect(spotlightEvents(spotlight(null), spotlight('9'), '9')).toEqual([{ is: 'spotlit' }])
    expect(spotlightEvents(null, spotlight('9'), '9')).toEqual([{ is: 'spotlit' }])
    expect(spotlightEvents(spotlight('9'), spotlight('7'), '9')).toEqual([{ is: 'spotlightEnded' }])
    expect(spotlightEvents(spotlight('9'), spotlight('9'), '9')).toEqual([])
    expect(spotlightEvents(null, spotlight('7'), '9')).toEqual([])
  })
})
