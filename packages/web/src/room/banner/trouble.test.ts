import { describe, expect, it } from 'vitest'
import type { PlaneState } from '../../call/media/plane.ts'
import { troubleOf } from './trouble.ts'

const connected = { is: 'connected' } as const
const closed: PlaneState = { is: 'closed' }

describe('troubleOf', () => {
  it('says nothing while all is well, or the first media is on its way', () => {
    for (const is of ['closed', 'opening'] as const)
      expect(troubleOf(connected, { is }, true, true)).toBeNull()
  })

  it('says since when the connection is lost, and when the next try begins', () => {
    const lost = { is: 'reconnecting', since: 5, until: null } as const
    expect(troubleOf(lost, closed, true, true)).toEqual({ is: 'reconnecting', since: 5 })
    expect(troubleOf({ ...lost, until: 9 }, closed, true, true)).toEqual({ is: 'waiting', until: 9 })
    expect(troubleOf({ ...lost, until: 9 }, closed, true, false)).toEqual({ is: 'offline' })
  })

  it('says when only sound and picture are missing', () => {
    expect(troubleOf(connected, { is: 'waiting' }, true, true)).toEqual({ is: 'media' })
    expect(troubleOf(connected, { is: 'opening' }, false, true)).toEqual({ is: 'media' })
    expect(troubleOf(connected, { is: 'unavailable' }, true, true)).toEqual({ is: 'unavailable' })
  })
})
