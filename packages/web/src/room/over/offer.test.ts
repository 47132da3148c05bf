import { expect, it } from 'vitest'
import { OVER_REASONS } from '../../call/over.ts'
import { type Offer, offers } from './offer.ts'

const offering = (offer: Offer) => OVER_REASONS.filter(reason => offers[reason] === offer)

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
