import { describe, expect, it } from 'vitest'
import type { Invitation } from './invitation.ts'
import { anInvitation } from './testing.ts'
import { timingOf } from './timing.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 8, 1, 10)
const END = START + 45 * MINUTE

const room = (parts: Partial<Invitation> = {}) => anInvitation({ startsAt: START, endsAt: END, ...parts })

describe('timingOf', () => {
  it('is ahead before the start', () => {
    expect(timingOf(room(), START - 1)).toEqual({ is: 'ahead', at: START })
  })

  it('is starting for a minute, then due', () => {
    expect(timingOf(room(), START)).toEqual({ is: 'starting' })
    expect(timingOf(room(), START + MINUTE)).toEqual({ is: 'due', at: START })
  })

  it('is over after the scheduled end when nobody is in the meeting', () => {
    expect(timingOf(room(), END)).toEqual({ is: 'over', at: END })
    expect(timingOf(room({ startsAt: null }), END)).toEqual({ is: 'over', at: END })
  })

  it('follows the session rather than the schedule while people are in the meeting', () => {
    expect(timingOf(room({ live: true }), START - MINUTE)).toEqual({ is: 'live-until', at: END })
    expect(timingOf(room({ live: true }), END)).toEqual({ is: 'overtime' })
    expect(timingOf(room({ live: true, endsAt: null }), END)).toEqual({ is: 'live' })
  })

  it('is anytime without a start', () => {
    expect(timingOf(room({ startsAt: null, endsAt: null }), START)).toEqual({ is: 'anytime' })
    expect(timingOf(room({ startsAt: null }), START)).toEqual({ is: 'anytime' })
  })
})
