import { expect, it } from 'vitest'
import { CALL_END_REASONS } from '../../call/end-reasons.ts'
import { type EndAction, endActions } from './end-actions.ts'

const offering = (offer: EndAction) => CALL_END_REASONS.filter(reason => endActions[reason] === offer)

it('offers the way back where it may lead somewhere', () => {
  expect(offering('join')).toEqual([
    'left',
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

it('offers a new page where this one is too old', () => {
  expect(offering('reload')).toEqual(['incompatible'])
})
