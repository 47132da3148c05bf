import { expect, it } from 'vitest'
import { steadyClock } from './clock.ts'

it('goes on from where it was when the clock is set back', () => {
  let nowMs = 10_000
  const steady = steadyClock(() => nowMs)
  nowMs += 500
  expect(steady()).toBe(10_500)
  nowMs -= 5_000
  expect(steady()).toBe(10_500)
  nowMs += 200
  expect(steady()).toBe(10_700)
})
