import { expect, it } from 'vitest'
import { aParticipant } from '../../../call/testing/session.ts'
import { handsOf } from './hands.ts'

it('numbers raised hands in the order in which they were raised', () => {
  const hands = handsOf([
    aParticipant('late', { hand_raised_at_ms: 9 }),
    aParticipant('none'),
    aParticipant('early', { hand_raised_at_ms: 3 }),
  ])
  expect([...hands]).toEqual([
    ['early', { number: 1, of: 2 }],
    ['late', { number: 2, of: 2 }],
  ])
})
