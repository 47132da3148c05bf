import { describe, expect, it } from 'vitest'
import { applyEvent, type Call, createCall } from './call-state.ts'
import { type CallFacts, dueEvents, NOTHING_SEEN, observe } from './observation.ts'

const START = 1_700_000_000_000

function ringing(ownsConference = true): Call {
  const begun = createCall({
    tag: 'a',
    ownsConference,
    video: false,
    inviter: { userId: 1, displayName: '' },
    people: [2, 3].map(userId => ({ userId, displayName: '', state: 'ringing' as const })),
    createdAtMs: START,
    ringUntilMs: START + 45_000,
  })
  return { ...begun, id: 1, revision: 1 }
}

interface Moment extends Partial<Omit<CallFacts, 'inside' | 'deleted'>> {
  at: number
  inside?: number[]
  deleted?: number[]
}

/** Observes a call at several moments, in seconds, and applies what is due; the last events and the call after them. */
function follow(call: Call, moments: Moment[]) {
  let observation = NOTHING_SEEN
  let current = call
  let last: string[] = []
  for (const {
    at,
    inside = [],
    deleted = [],
    isInviterOffline = false,
    isLive = inside.length > 0,
  } of moments) {
    const nowMs = START + at * 1000
    const facts = { isInviterOffline, isLive, inside: new Set(inside), deleted: new Set(deleted) }
    const now = observe(observation, facts, nowMs)
    const events = dueEvents(current, { before: observation, now, facts }, nowMs)
    current = events.reduce((changed, event) => applyEvent(changed, event, nowMs), current)
    last = events.map(event => event.is)
    observation = now
  }
  const reason = current.state.is === 'ended' ? current.state.reason : current.state.is
  return { events: last, state: reason, people: current.people.map(each => each.state.is).join(' ') }
}

const answered = (ownsConference = true) =>
  [2, 3].reduce(
    (call, userId) => applyEvent(call, { is: 'accept', userId, answerId: 'c' }, START),
    ringing(ownsConference),
  )
/** User 3 has declined. */
const ofTwo = (ownsConference = true) =>
  [
    { is: 'accept', userId: 2, answerId: 'c' } as const,
    { is: 'decline', userId: 3, isBusy: false } as const,
  ].reduce((call, event) => applyEvent(call, event, START), ringing(ownsConference))

describe('the check of an open call', () => {
  it('CALL-8 ends the ringing at the deadline, even if the server was stopped meanwhile', () => {
    expect(follow(ringing(), [{ at: 44 }]).state).toBe('ringing')
    expect(follow(ringing(), [{ at: 45 }])).toMatchObject({ state: 'missed', people: 'missed missed' })
    expect(follow(ringing(), [{ at: 86_400 }]).state).toBe('missed')
  })

  it('CALL-8 rings no longer by as much as the clock is set back, and clocks of servers may differ a little', () => {
    expect(follow(ringing(), [{ at: 1 }, { at: -30 }]).state).toBe('ringing')
    expect(follow(ringing(), [{ at: 1 }, { at: -3_600 }]).state).toBe('missed')
    expect(follow(ofTwo(), [{ at: 1 }, { at: -30 }, { at: 20 }]).state).toBe('active')
    expect(follow(ofTwo(), [{ at: 1 }, { at: -3_600 }, { at: -3_530 }]).state).toBe('completed')
  })

  it('CALL-10 cancels a call whose inviter stays disconnected, but not for a reload', () => {
    const away = (at: number) => ({ at, isInviterOffline: true })
    expect(follow(ringing(), [away(1), away(10)]).state).toBe('ringing')
    expect(follow(ringing(), [away(1), away(11)]).state).toBe('cancelled')
    expect(follow(ringing(), [away(1), { at: 5 }, away(11)]).state).toBe('ringing')
    expect(follow(ofTwo(), [away(1), away(11)]).state).toBe('active')
  })

  it('CALL-7 accepts on behalf of people who enter the conference, CALL-11 and detects who leaves it', () => {
    expect(follow(ringing(), [{ at: 1, inside: [1, 3] }])).toMatchObject({
      state: 'active',
      people: 'ringing accepted',
    })
    expect(follow(ringing(), [{ at: 1, inside: [1] }]).state).toBe('ringing')
    const [here, gone] = [
      { at: 1, inside: [1, 2, 3] },
      { at: 2, inside: [1, 3] },
    ]
    expect(follow(answered(), [here, gone])).toMatchObject({ state: 'active', people: 'left accepted' })
    expect(follow(answered(), [here, gone, { ...here, at: 3 }]).people).toBe('accepted accepted')
  })

  it('CALL-12 ends with its session', () => {
    expect(follow(answered(), [{ at: 1, inside: [1, 2] }, { at: 2 }]).state).toBe('completed')
    expect(follow(answered(false), [{ at: 1, inside: [1, 2] }, { at: 2 }]).state).toBe('completed')
  })

  it('CALL-12 ends when nobody joins', () => {
    expect(follow(answered(), [{ at: 0 }, { at: 59 }]).state).toBe('active')
    expect(follow(answered(), [{ at: 0 }, { at: 60 }]).state).toBe('completed')
    // After a restart of the server the time begins again.
    expect(follow(answered(), [{ at: 600 }]).state).toBe('active')
  })

  it('CALL-12 ends when one person stays alone, and soon after both have met', () => {
    const together = { at: 1, inside: [1, 2] }
    const alone = (at: number) => ({ at, inside: [2] })
    expect(follow(ofTwo(), [alone(1), alone(60)]).state).toBe('active')
    expect(follow(ofTwo(), [alone(1), alone(61)]).state).toBe('completed')
    expect(follow(ofTwo(), [together, alone(2), alone(11)]).state).toBe('active')
    expect(follow(ofTwo(), [together, alone(2), alone(12)]).state).toBe('completed')
    expect(follow(ofTwo(), [together, alone(2), { ...together, at: 9 }, alone(12)]).state).toBe('active')
  })

  it('CALL-12 does not end in a conference of its own accord when one person remains there', () => {
    expect(
      follow(ofTwo(false), [
        { at: 1, inside: [1, 2] },
        { at: 2, inside: [2] },
        { at: 900, inside: [2] },
      ]).state,
    ).toBe('active')
  })

  it('CALL-13 ends the ringing of accounts that were deleted', () => {
    expect(follow(ringing(), [{ at: 1, deleted: [3] }])).toMatchObject({
      state: 'ringing',
      people: 'ringing missed',
    })
    expect(follow(ringing(), [{ at: 1, deleted: [1] }])).toMatchObject({
      state: 'cancelled',
      people: 'missed missed',
    })
  })
})
