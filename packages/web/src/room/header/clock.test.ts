import { describe, expect, it } from 'vitest'
import { formatElapsed, minutesLeft } from './clock.ts'

describe('the clock of the header', () => {
  it('shows minutes and seconds, and hours from the first one on', () => {
    expect(formatElapsed(0)).toBe('0:00')
    expect(formatElapsed(1_390_900)).toBe('23:10')
    expect(formatElapsed(3_723_000)).toBe('1:02:03')
  })

  it('shows nothing before the start, as where the clocks of server and browser differ', () => {
    expect(formatElapsed(-5_000)).toBe('0:00')
  })

  it('counts the begun minute as left, and nothing after the end', () => {
    expect(minutesLeft(27 * 60_000, 0)).toBe(27)
    expect(minutesLeft(27 * 60_000, 1)).toBe(27)
    expect(minutesLeft(27 * 60_000, 60_000)).toBe(26)
    expect(minutesLeft(0, 1)).toBe(0)
  })

  it('counts no minutes of a meeting that ends days later', () => {
    expect(minutesLeft(12 * 3_600_000, 0)).toBe(720)
    expect(minutesLeft(3 * 86_400_000, 0)).toBeNull()
  })
})
