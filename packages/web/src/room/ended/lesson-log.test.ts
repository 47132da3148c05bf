import { Lifetime, Observable } from '@lectern/common'
import type { ParticipantView } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import type { CallState } from '../../call/call.ts'
import { aParticipant, aSession } from '../../call/testing/session.ts'
import { ServerClock } from '../server-clock.ts'
import { LessonLog } from './lesson-log.ts'

const MINUTE = 60_000
const anna = aParticipant('a', { user_id: '1', display_name: 'Anna', role: 'moderator', joined_at_ms: 10 })
const ben = aParticipant('b', { user_id: '2', display_name: 'Ben', joined_at_ms: 10 })
const bensPhone = aParticipant('b2', { user_id: '2', display_name: 'Ben', joined_at_ms: 5 * MINUTE })

class FakeCall extends Observable<CallState> {
  readonly show = (state: CallState) => this.set(state)
}

function start(me: ParticipantView) {
  const call = new FakeCall({ is: 'joining' })
  // This clock is an hour behind the server's.
  let now = 10 - 60 * MINUTE
  const lifetime = new Lifetime()
  const log = new LessonLog(call, new ServerClock(call, lifetime, () => now), lifetime)
  const show = (participants: ParticipantView[], recording = false) =>
    call.show({
      is: 'joined',
      me,
      session: { ...aSession('me'), started_at_ms: 10, participants, recording },
    })
  const pass = (minutes: number) => {
    now += minutes * MINUTE
  }
  return { log, show, pass, call }
}

describe('the log of a lesson', () => {
  it('has nothing to say before the join', () => {
    expect(start(anna).log.summary()).toBeNull()
  })

  it('has how long the lesson and each of the others took, whatever the clock of this machine', () => {
    const { log, show, pass, call } = start(anna)
    show([anna, ben])
    pass(20)
    show([anna])
    pass(10)
    show([anna, { ...ben, participant_id: 'b3', joined_at_ms: 30 * MINUTE + 10 }])
    pass(17)
    call.show({ is: 'ended', reason: 'ended' })
    expect(log.summary()).toEqual({
      durationMs: 47 * MINUTE,
      others: [{ userId: '2', name: 'Ben', isModerator: false, presentMs: 37 * MINUTE }],
      endedBy: null,
      isModerator: true,
      wasRecorded: false,
    })
  })

  it('counts a person with two devices once, until the last one has left', () => {
    const { log, show, pass } = start(anna)
    show([anna, ben])
    pass(5)
    show([anna, ben, bensPhone])
    pass(5)
    show([anna, bensPhone])
    pass(5)
    expect(log.summary()?.others).toMatchObject([{ userId: '2', presentMs: 15 * MINUTE }])
  })

  it('names the moderator who ended it, unless there were several', () => {
    const { log, show } = start(ben)
    show([anna, ben])
    expect(log.summary()).toMatchObject({ endedBy: 'Anna', isModerator: false })
    show([anna, ben, aParticipant('c', { user_id: '3', role: 'moderator' })])
    expect(log.summary()).toMatchObject({ endedBy: null })
    show([ben])
    expect(log.summary()).toMatchObject({ endedBy: null })
  })

  it('remembers that there was a recording', () => {
    const { log, show } = start(anna)
    show([anna], true)
    show([anna])
    expect(log.summary()).toMatchObject({ wasRecorded: true })
  })
})
