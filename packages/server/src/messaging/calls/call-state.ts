import type { CallEndReason } from '@lectern/protocol/control'

/** The response of an invited person. A state holds only what is true in it. */
export type PersonState =
  | { is: 'ringing' }
  /** `answerId` is the command that accepted; null when the person entered the conference without one. */
  | { is: 'accepted'; answerId: string | null }
  | { is: 'declined' }
  | { is: 'busy' }
  | { is: 'missed' }
  | { is: 'left'; answerId: string | null }

export interface CallPerson {
  userId: number
  displayName: string
  state: PersonState
}

export type CallState =
  /** Nobody has accepted yet. */
  | { is: 'ringing' }
  /** A person has accepted; others may still be ringing until the deadline. */
  | { is: 'active'; answeredAtMs: number }
  | { is: 'ended'; reason: CallEndReason; answeredAtMs: number | null; endedAtMs: number }

/** A call: the invited people and what became of it. Values are never changed; transitions return new ones. */
export interface Call {
  id: number
  tag: string
  /** The conference was made for a call, and is closed after the last call in it. */
  ownsConference: boolean
  video: boolean
  inviter: { userId: number; displayName: string }
  people: readonly CallPerson[]
  state: CallState
  createdAtMs: number
  ringUntilMs: number
  /** Grows with every stored change. */
  revision: number
}

export type CallEvent =
  | { is: 'accept'; userId: number; answerId: string | null }
  /** `isBusy`: the person is in another call. */
  | { is: 'decline'; userId: number; isBusy: boolean }
  /** By the inviter. `isInside`: the inviter is in the conference. */
  | { is: 'cancel'; isInside: boolean }
  /** The inviter is gone: accepting would be pointless. */
  | { is: 'abandon' }
  /** The ring time is over. */
  | { is: 'timeout' }
  /** The person is in the conference no more. */
  | { is: 'leave'; userId: number }
  /** The person may not be called any more, such as after a deletion of the account. */
  | { is: 'withdraw'; userId: number }
  /** The session of the conference is over. */
  | { is: 'complete' }

interface Invitation
  extends Pick<Call, 'tag' | 'ownsConference' | 'video' | 'inviter' | 'createdAtMs' | 'ringUntilMs'> {
  people: (Omit<CallPerson, 'state'> & { state: 'ringing' | 'busy' | 'accepted' })[]
}

/** A call as it begins. `accepted`: the person is in the conference already. */
export function createCall({ people, ...invitation }: Invitation): Omit<Call, 'id' | 'revision'> {
  const call: Call = {
    ...invitation,
    id: 0,
    revision: 0,
    people: people.map(each => ({ ...each, state: { is: 'ringing' } })),
    state: { is: 'ringing' },
  }
  const {
    id: _,
    revision: __,
    ...begun
  } = people.reduce((changed, { userId, state }) => {
    if (state === 'ringing') return changed
    const event: CallEvent =
      state === 'busy' ? { is: 'decline', userId, isBusy: true } : { is: 'accept', userId, answerId: null }
    return applyEvent(changed, event, call.createdAtMs)
  }, call)
  return begun
}

/** Why the person cannot do that; null when they can, maybe without an effect. */
export function refusalOf(
  call: Call,
  event: Extract<CallEvent, { is: 'accept' | 'decline' }>,
): 'call_over' | 'answered_elsewhere' | null {
  if (call.state.is === 'ended') return event.is === 'accept' ? 'call_over' : null
  const state = personOf(call, event.userId)?.state
  if (state?.is !== 'accepted') return null
  return event.is === 'accept' && event.answerId === state.answerId ? null : 'answered_elsewhere'
}

/** The call after the event; the same value when nothing changes. */
export function applyEvent(call: Call, event: CallEvent, nowMs: number): Call {
  if (call.state.is === 'ended') return call
  switch (event.is) {
    case 'accept':
      return accept(call, event.userId, event.answerId, nowMs)
    case 'decline':
      return settle(stopFor(call, event.userId, event.isBusy ? 'busy' : 'declined'), nowMs)
    case 'withdraw':
      return settle(stopFor(call, event.userId, 'missed'), nowMs)
    case 'leave':
      return leave(call, event.userId)
    case 'timeout':
      return settle(stopRinging(call), nowMs)
    case 'cancel':
      return isMeeting(call, event.isInside) ? stopRinging(call) : end(stopRinging(call), 'cancelled', nowMs)
    case 'abandon':
      return call.state.is === 'ringing' ? end(stopRinging(call), 'cancelled', nowMs) : call
    case 'complete':
      return end(stopRinging(call), call.state.is === 'active' ? 'completed' : 'missed', nowMs)
  }
}

export const personOf = ({ people }: Call, userId: number): CallPerson | undefined =>
  people.find(each => each.userId === userId)

export const isInvolved = (call: Call, userId: number): boolean =>
  call.inviter.userId === userId || personOf(call, userId) !== undefined

/** The account ids of everybody who follows the call. */
export const userIdsOf = ({ inviter, people }: Call): number[] => [
  inviter.userId,
  ...people.map(each => each.userId),
]

export const ringingIdsOf = ({ people }: Call): number[] =>
  people.filter(each => each.state.is === 'ringing').map(each => each.userId)

/** Whether people meet already, so that a cancellation only stops the ringing of the others. */
const isMeeting = (call: Call, isInviterInside: boolean): boolean =>
  call.state.is === 'active' &&
  (isInviterInside || call.people.filter(each => each.state.is === 'accepted').length > 1)

/** A person who has declined may still accept while the call lasts. */
function accept(call: Call, userId: number, answerId: string | null, nowMs: number): Call {
  const person = personOf(call, userId)
  if (!person || person.state.is === 'accepted') return call
  // A repetition of a command that was carried out before does not bring the person back.
  if (person.state.is === 'left' && answerId !== null && person.state.answerId === answerId) return call
  const accepted = replace(call, userId, { is: 'accepted', answerId })
  return call.state.is === 'active' ? accepted : { ...accepted, state: { is: 'active', answeredAtMs: nowMs } }
}

/** Ends a call that nobody can accept any more: all have declined, or a person did not answer. */
function settle(call: Call, nowMs: number): Call {
  if (call.state.is !== 'ringing' || ringingIdsOf(call).length > 0) return call
  const isMissed = call.people.some(each => each.state.is === 'missed')
  return end(call, isMissed ? 'missed' : 'declined', nowMs)
}

function end(call: Call, reason: CallEndReason, nowMs: number): Call {
  const answeredAtMs = call.state.is === 'active' ? call.state.answeredAtMs : null
  const state: CallState = { is: 'ended', reason, answeredAtMs, endedAtMs: nowMs }
  return { ...call.people.reduce((changed, { userId }) => leave(changed, userId), call), state }
}

function leave(call: Call, userId: number): Call {
  const state = personOf(call, userId)?.state
  return state?.is === 'accepted' ? replace(call, userId, { is: 'left', answerId: state.answerId }) : call
}

function stopRinging(call: Call): Call {
  return ringingIdsOf(call).reduce((changed, id) => stopFor(changed, id, 'missed'), call)
}

/** Changes nothing for a person for whom the call is not ringing. */
const stopFor = (call: Call, userId: number, is: 'declined' | 'busy' | 'missed'): Call =>
  personOf(call, userId)?.state.is === 'ringing' ? replace(call, userId, { is }) : call

const replace = (call: Call, userId: number, state: PersonState): Call => ({
  ...call,
  people: call.people.map(each => (each.userId === userId ? { ...each, state } : each)),
})
