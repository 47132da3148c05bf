import { expect, it } from 'vitest'
import { CALL_END_REASONS } from '../../call/end-reasons.ts'
import { type EndAction, endActions } from './end-actions.ts'

const offering = (offer: EndAction) => CALL_END_REASONS.filter(reason => endActions[reason] === offer)

it('offers to rejoin at once only after leaving', () => {
  expect(offering('rejoin')).toEqual(['left'])
})

it('offers to ask where a moderator decides', () => {
  expect(offering('ask')).toEqual(['removed', 'denied', 'timed_out', 'lobby_full'])
})

it('offers to try again where that may succeed', () => {
  expect(offering('retry')).toEqual(['full', 'too_many_devices', 'signed_out', 'refused'])
})

it('leads back to the page of the link after a lesson that somebody else has ended', () => {
  expect(offering('back')).toEqual(['ended'])
})

it('offers to reload an outdated page', () => {
  expect(offering('reload')).toEqual(['incompatible'])
})
