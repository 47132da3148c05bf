import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

describe('backoffMs', () => {
  it('doubles the delay with each attempt, up to the maximum', () => {
    const delays = [0, 1, 2, 3, 4, 2_000].map(attempt => backoffMs(attempt, { firstMs: 100, maxMs: 1_000 }))
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000])
  })

  it('draws the random share of the delay from zero to all of it', () => {
    const delay = (jitter: number, random: number) =>
      backoffMs(1, { firstMs: 100, maxMs: 1_000, jitter, random: () => random })
    expect([delay(1, 0), delay(1, 0.25), delay(1, 1)]).toEqual([0, 50, 200])
    expect([delay(0.5, 0), delay(0.5, 0.5), delay(0.5, 1)]).toEqual([100, 150, 200])
  })
})
