import type { CallInfo, Contact } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { callableContacts } from './callable-contacts.ts'
import { anOwnCall } from './testing/call.ts'
import { afterSnapshot, invitationsOf } from './use-invitations.ts'

const TAG = 'tag-1'
type State = CallInfo['people'][number]['state']
const call = (id: string, states: Record<string, State>, tag = TAG) =>
  anOwnCall(id, {
    conference_tag: tag,
    people: Object.entries(states).map(([user_id, state]) => ({ user_id, display_name: user_id, state })),
  })
const shown = (...calls: CallInfo[]) =>
  invitationsOf(calls, '7', TAG).map(({ call, person }) => [person.user_id, person.state, call.call_id])

it('shows the outcome of the last invitation of each person who has not joined', () => {
  const calls = [
    call('12', { '8': 'ringing' }),
    call('3', { '8': 'missed', '9': 'declined' }),
    call('4', { '10': 'accepted', '11': 'left', '12': 'busy' }),
  ]
  expect(shown(...calls)).toEqual([
    ['8', 'ringing', '12'],
    ['9', 'declined', '3'],
    ['12', 'busy', '4'],
  ])
})

it('rings for nobody any more whose call has ended while events were missed', () => {
  const declined = { ...call('3', { '9': 'declined' }), state: 'ended' as const }
  const calls = afterSnapshot(
    [declined, call('4', { '8': 'ringing' }), call('5', { '10': 'ringing' })],
    [call('5', { '10': 'ringing', '11': 'missed' })],
  )
  expect(shown(...calls)).toEqual([
    ['9', 'declined', '3'],
    ['10', 'ringing', '5'],
    ['11', 'missed', '5'],
  ])
})

it('shows no calls into other conferences, and none of others', () => {
  const ofBen = { ...call('5', { '9': 'ringing' }), inviter: { user_id: '8', display_name: 'Ben' } }
  expect(shown(call('4', { '8': 'ringing' }, 'tag-2'), ofBen)).toEqual([])
})

const contact = (user_id: string, display_name: string, parts: Partial<Contact> = {}): Contact => ({
  user_id,
  login: `login-${user_id}`,
  display_name,
  state: 'contact',
  muted: false,
  presence: 'online',
  ...parts,
})

it('offers the contacts who may be called, in the order of their names', () => {
  const all = [
    contact('1', 'Zoë'),
    contact('2', ''),
    contact('3', 'anna'),
    contact('4', 'Ben', { state: 'outgoing' }),
    contact('5', 'Cara'),
  ]
  const namesOf = (search: string) =>
    callableContacts(all, { without: new Set(['5']), search, locale: 'en' }).map(each => each.user_id)
  expect(namesOf('')).toEqual(['3', '2', '1'])
  expect(namesOf(' ANN ')).toEqual(['3'])
  expect(namesOf('gin-2')).toEqual(['2'])
  expect(namesOf('nobody')).toEqual([])
})
