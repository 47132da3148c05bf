import { describe, expect, it } from 'vitest'
import { applyEvent, type Call, type CallEvent, createCall, refusalOf } from './call-state.ts'

const NOW = 1_700_000_010_000
const INVITER = 1

/** A call of user 1 to users 2, 3 … */
function begin(people = 1, states: Record<number, 'busy' | 'accepted'> = {}): Call {
  const begun = createCall({
    tag: 'a',
    ownsConference: true,
    video: true,
    inviter: { userId: INVITER, displayName: 'Anna' },
    people: Array.from({ length: people }, (_, i) => ({
      userId: i + 2,
      displayName: `User ${i + 2}`,
      state: states[i + 2] ?? ('ringing' as const),
    })),
    createdAtMs: NOW - 10_000,
    ringUntilMs: NOW + 35_000,
  })
  return { ...begun, id: 1, revision: 1 }
}

const accept = (userId: number, answerId: string | null = `c${userId}`): CallEvent => ({
  is: 'accept',
  userId,
  answerId,
})
const decline = (userId: number, isBusy = false): CallEvent => ({ is: 'decline', userId, isBusy })
const leave = (userId: number): CallEvent => ({ is: 'leave', userId })
const cancel: CallEvent = { is: 'cancel', isInside: false }
const stopRinging: CallEvent = { is: 'cancel', isInside: true }

/** `state/reason: the states of the people` */
function show({ state, people }: Call): string {
  const { is } = state
  const reason = state.is === 'ended' ? `/${state.reason}` : ''
  return `${is}${reason}: ${people.map(each => each.state.is).join(' ')}`
}

describe('a call', () => {
  it.each<[string, number, CallEvent[], string]>([
    ['CALL-6 rings', 1, [], 'ringing: ringing'],
    ['CALL-7 becomes active with the first answer', 2, [accept(2)], 'active: accepted ringing'],
    [
      'CALL-7 continues to ring others until they answer as well',
      2,
      [accept(2), accept(3)],
      'active: accepted accepted',
    ],
    ['CALL-7 is answered by whoever enters its conference', 1, [accept(2, null)], 'active: accepted'],
    [
      'CALL-6 ends when everybody has declined',
      2,
      [decline(2), decline(3, true)],
      'ended/declined: declined busy',
    ],
    ['CALL-6 continues while somebody is ringing', 2, [decline(2)], 'ringing: declined ringing'],
    ['CALL-7 can be accepted after all', 2, [decline(2), accept(2)], 'active: accepted ringing'],
    ['CALL-8 is missed in the end', 1, [{ is: 'timeout' }], 'ended/missed: missed'],
    [
      'CALL-8 is missed if one of several did not answer',
      2,
      [decline(2), { is: 'timeout' }],
      'ended/missed: declined missed',
    ],
    [
      'CALL-8 continues without those who did not answer',
      2,
      [accept(2), { is: 'timeout' }],
      'active: accepted missed',
    ],
    ['CALL-9 is cancelled while it rings', 2, [decline(2), cancel], 'ended/cancelled: declined missed'],
    ['CALL-9 is cancelled at the moment of the answer', 1, [accept(2), cancel], 'ended/cancelled: left'],
    [
      'CALL-9 continues for those who have met',
      3,
      [accept(2), accept(3), cancel],
      'active: accepted accepted missed',
    ],
    [
      'CALL-9 stops ringing others once its inviter is inside',
      2,
      [accept(2), stopRinging],
      'active: accepted missed',
    ],
    ['CALL-10 ends when its inviter is gone', 1, [{ is: 'abandon' }], 'ended/cancelled: missed'],
    [
      'CALL-10 continues without its inviter once answered',
      1,
      [accept(2), { is: 'abandon' }],
      'active: accepted',
    ],
    ['CALL-11 can be left', 2, [accept(2), accept(3), leave(2)], 'active: left accepted'],
    ['CALL-11 can be joined again', 2, [accept(2), leave(2), accept(2, null)], 'active: accepted ringing'],
    [
      'CALL-12 is complete with its session',
      3,
      [accept(2), decline(3), { is: 'complete' }],
      'ended/completed: left declined missed',
    ],
    ['CALL-12 is missed when its session ends unanswered', 1, [{ is: 'complete' }], 'ended/missed: missed'],
    [
      'CALL-13 ends without an account that was deleted',
      1,
      [{ is: 'withdraw', userId: 2 }],
      'ended/missed: missed',
    ],
    [
      'CALL-13 continues without an account that was deleted',
      2,
      [{ is: 'withdraw', userId: 2 }],
      'ringing: missed ringing',
    ],
  ])('%s', (_, people, events, expected) => {
    const call = events.reduce((current, event) => applyEvent(current, event, NOW), begin(people))
    expect(show(call)).toBe(expected)
  })

  it('CALL-6 does not change after its end', () => {
    const ended = applyEvent(begin(), cancel, NOW)
    const events: CallEvent[] = [
      accept(2),
      decline(2),
      leave(2),
      cancel,
      { is: 'abandon' },
      { is: 'timeout' },
      { is: 'complete' },
      { is: 'withdraw', userId: 2 },
    ]
    for (const event of events) expect(applyEvent(ended, event, NOW + 1), event.is).toBe(ended)
  })

  it('stays the same value when an event changes nothing', () => {
    const ringing = begin(2)
    const active = applyEvent(ringing, accept(2), NOW)
    expect(applyEvent(active, accept(2), NOW)).toBe(active)
    expect(applyEvent(active, decline(2), NOW)).toBe(active)
    expect(applyEvent(ringing, leave(2), NOW)).toBe(ringing)
    for (const event of [accept(9), decline(9), leave(9)])
      expect(applyEvent(ringing, event, NOW)).toBe(ringing)
    const left = applyEvent(active, leave(2), NOW)
    expect(applyEvent(left, accept(2), NOW)).toBe(left)
  })

  it('records when it was answered and when it ended', () => {
    const active = applyEvent(begin(), accept(2), NOW)
    expect(active.state).toEqual({ is: 'active', answeredAtMs: NOW })
    expect(applyEvent(active, { is: 'complete' }, NOW + 5).state).toMatchObject({
      answeredAtMs: NOW,
      endedAtMs: NOW + 5,
    })
    expect(applyEvent(begin(), cancel, NOW).state).toMatchObject({ answeredAtMs: null, endedAtMs: NOW })
  })

  it('CALL-4 begins without people for whom too many calls ring, and with those who are present', () => {
    expect(show(begin(2, { 2: 'busy' }))).toBe('ringing: busy ringing')
    expect(show(begin(1, { 2: 'busy' }))).toBe('ended/declined: busy')
    expect(show(begin(2, { 3: 'accepted' }))).toBe('active: ringing accepted')
  })
})

describe('an answer', () => {
  const active = applyEvent(begin(2), accept(2), NOW)
  const ended = applyEvent(begin(), cancel, NOW)

  it.each<[string, Call, CallEvent, string | null]>([
    ['is possible while it rings', begin(), accept(2), null],
    ['is possible again with the same command', active, accept(2), null],
    ['of another device comes too late', active, accept(2, 'other'), 'answered_elsewhere'],
    ['comes too late after the end', ended, accept(2), 'call_over'],
    ['cannot be taken back', active, decline(2), 'answered_elsewhere'],
    ['may decline what is over', ended, decline(2), null],
    ['may decline twice', applyEvent(begin(2), decline(2), NOW), decline(2), null],
  ])('CALL-7 %s', (_, call, event, refusal) => {
    expect(refusalOf(call, event as Extract<CallEvent, { is: 'accept' | 'decline' }>)).toBe(refusal)
  })
})
