import type { CallInfo } from '@lectern/protocol/control/client'

/** The meaning of a call for this user. */

export type CallRole = 'inviter' | 'invited'

export const roleIn = ({ inviter }: CallInfo, userId: string): CallRole =>
  inviter.user_id === userId ? 'inviter' : 'invited'

export const stateOf = ({ people }: CallInfo, userId: string) =>
  people.find(each => each.user_id === userId)?.state ?? null

export const isRingingFor = (call: CallInfo, userId: string): boolean =>
  call.state !== 'ended' && stateOf(call, userId) === 'ringing'

/** Everybody else in the call: the inviter first. */
export const othersIn = ({ inviter, people }: CallInfo, userId: string) =>
  [inviter, ...people].filter(each => each.user_id !== userId)

/** People without a name are shown as `unnamed`. */
export function namesOf(people: { display_name: string }[], locale: string, unnamed: string): string {
  const names = people.map(each => each.display_name.trim() || unnamed)
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
}

/** Milliseconds between answer and end; null for a call that nobody has answered or that is active. */
export const durationOf = ({ answered_at_ms, ended_at_ms }: CallInfo): number | null =>
  answered_at_ms === null || ended_at_ms === null ? null : ended_at_ms - answered_at_ms

export type Outcome =
  | 'ringing'
  | 'active'
  | 'outgoing'
  | 'incoming'
  | 'missed'
  | 'declined'
  | 'cancelled'
  | 'unanswered'
  | 'refused'
  | 'busy'

/** How a call went for this user: `unanswered` and `refused` by the others, `missed` and `declined` by the user. */
export function outcomeOf(call: CallInfo, userId: string): Outcome {
  if (call.state !== 'ended') return call.state
  if (roleIn(call, userId) === 'inviter') {
    if (call.reason === 'completed') return 'outgoing'
    if (call.reason === 'cancelled') return 'cancelled'
    if (call.reason === 'missed') return 'unanswered'
    return call.people.every(each => each.state === 'busy') ? 'busy' : 'refused'
  }
  switch (stateOf(call, userId)) {
    case 'missed':
      return 'missed'
    case 'declined':
    case 'busy':
      return 'declined'
    default:
      return 'incoming'
  }
}
