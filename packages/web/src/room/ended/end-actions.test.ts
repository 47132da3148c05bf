import { expect, it } from 'vitest'
import { CALL_END_REASONS } from '../../call/end-reasons.ts'
import { type EndAction, endActions } from './end-actions.ts'

const offering = (offer: EndAction) => CALL_END_REASONS.filter(reason => endActions[reason] === offer)

it('offers to rejoin where that may succeed', () => {
  expect(offering('join')).toEqual([
    'left',
    'removed',
    'ended',
    'denied',
    'timed_out',
    'lobby_full',
    'full',
    'too_many_devices',
    'signed_out',
    'refused',
  ])
})

it('offers to reload an outdated page', () => {
  expect(offering('reload')).toEqual(['incompatible'])
})
