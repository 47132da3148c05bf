import { describe, expect, it } from 'vitest'
import { fromLocalTime, toLocalTime } from './local-time.ts'

describe('the time of a field', () => {
  it('stays exactly the time before until the field is changed', () => {
    const before = Date.UTC(2030, 0, 1, 9, 30, 15)
    expect(fromLocalTime(toLocalTime(before), before)).toBe(before)
    expect(fromLocalTime('', null)).toBe(null)
    expect(fromLocalTime('', before)).toBe(null)
    expect(fromLocalTime(toLocalTime(before + 60_000), before)).toBe(Date.UTC(2030, 0, 1, 9, 31))
  })
})
