import type { CallInfo } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { durationOf, isRingingFor, namesOf, othersIn, outcomeOf } from './facts.ts'
import { aCall } from './testing/call.ts'

type State = CallInfo['people'][number]['state']

/** Anna (1) calls Ben (2), and others. */
const call = (state: CallInfo['state'], people: State[], reason: CallInfo['reason'] = null): CallInfo =>
  aCall('1', {
    inviter: { user_id: '1', display_name: 'Anna' },
    people: people.map((each, i) => ({ user_id: String(i + 2), display_name: `User ${i + 2}`, state: each })),
    state,
    reason,
    answered_at_ms: reason === 'completed' ? 5000 : null,
    ended_at_ms: state === 'ended' ? 65_000 : null,
  })

it.each<[string, CallInfo, string, string]>([
  ['a call that rings', call('ringing', ['ringing']), 'ringing', 'ringing'],
  ['an active call', call('active', ['accepted']), 'active', 'active'],
  ['a conversation', call('ended', ['left'], 'completed'), 'outgoing', 'incoming'],
  ['a call without an answer', call('ended', ['missed'], 'missed'), 'unanswered', 'missed'],
  ['a declined call', call('ended', ['declined'], 'declined'), 'refused', 'declined'],
  ['a call during another one', call('ended', ['busy'], 'declined'), 'busy', 'declined'],
  ['a cancelled call', call('ended', ['missed'], 'cancelled'), 'cancelled', 'missed'],
  ['a conversation of others', call('ended', ['missed', 'left'], 'completed'), 'outgoing', 'missed'],
])('describes to both sides how %s ended', (_, each, forAnna, forBen) => {
  expect([outcomeOf(each, '1'), outcomeOf(each, '2')]).toEqual([forAnna, forBen])
})

it('rings for those who have not answered, while the call lasts', () => {
  expect(isRingingFor(call('active', ['accepted', 'ringing']), '3')).toBe(true)
  expect(isRingingFor(call('active', ['accepted', 'ringing']), '2')).toBe(false)
  expect(isRingingFor(call('ringing', ['ringing']), '1')).toBe(false)
})

it('names the others, also those without a name', () => {
  const three = call('ringing', ['ringing', 'ringing'])
  expect(namesOf(othersIn(three, '2'), 'en', 'somebody')).toBe('Anna and User 3')
  expect(namesOf([{ display_name: ' ' }], 'en', 'somebody')).toBe('somebody')
})

it('computes the duration of a conversation', () => {
  expect(durationOf(call('ended', ['left'], 'completed'))).toBe(60_000)
  expect(durationOf(call('ended', ['missed'], 'missed'))).toBeNull()
  expect(durationOf(call('active', ['accepted']))).toBeNull()
})
