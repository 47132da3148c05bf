import { describe, expect, it } from 'vitest'
import { formats, formatUtc, isoTimeToMs } from './index.ts'

describe('zoned-time', () => {
  it('accepts ISO 8601 times with a timezone', () => {
    for (const time of [
      '2026-09-01T10:00:00Z',
      '2026-09-01T10:00:00+03:00',
      '2026-09-01T10:00Z',
      '2026-09-01T10:00:00.123456-0530',
      '2024-02-29T23:59:59+14',
      '2026-09-01t10:00:00z',
      '2026-09-01T24:00:00Z',
      '2026-12-31T24:00+03',
      '2026-09-01T24:00:00.000Z',
      '2016-12-31T23:59:60Z',
      '2017-01-01T01:59:60.5+02:00',
      '2017-01-01T05:29:60+05:30',
      '2016-12-31T20:29:60-03:30',
      '2026-09-01T10:00:00.12345678901234567890Z',
    ]) {
      expect(formats['zoned-time'](time), time).toBe(true)
      expect(isoTimeToMs(time), time).not.toBeNaN()
    }
  })

  it('refuses times without a timezone and times that do not exist', () => {
    for (const time of [
      '2026-09-01T10:00:00',
      '2026-09-01',
      '2026-02-30T10:00:00Z',
      '2025-02-29T10:00:00Z',
      '2026-13-01T10:00:00Z',
      '2026-00-10T10:00:00Z',
      '2026-09-01T24:00:01Z',
      '2026-09-01T24:01:00Z',
      '2026-09-01T24:00:00.1Z',
      '2026-09-01T25:00:00Z',
      '2026-09-01T10:00:60Z',
      '2017-01-01T05:59:60+05:30',
      '2016-12-31T23:29:60+00:30',
      '2026-09-01T10:00:61Z',
      '2026-09-01T10:60:00Z',
      '2026-09-01T10:00:00+25:00',
      '2026-09-01 10:00:00Z',
      'tomorrow',
      '',
    ])
      expect(formats['zoned-time'](time), time).toBe(false)
  })

  it('denotes the written instant', () => {
    expect(isoTimeToMs('2026-09-01T10:00+0300')).toBe(Date.UTC(2026, 8, 1, 7))
    expect(isoTimeToMs('2026-09-01T10:00:00,5+03')).toBe(Date.UTC(2026, 8, 1, 7, 0, 0, 500))
    expect(isoTimeToMs('2026-09-01t10:00:00z')).toBe(Date.UTC(2026, 8, 1, 10))
    expect(isoTimeToMs('2026-12-31T24:00:00Z')).toBe(Date.UTC(2027, 0, 1))
    expect(isoTimeToMs('2026-08-31T24:00+03:00')).toBe(Date.UTC(2026, 7, 31, 21))
    expect(isoTimeToMs('2016-12-31T23:59:60.25Z')).toBe(Date.UTC(2017, 0, 1, 0, 0, 0, 250)) // a leap second
    expect(isoTimeToMs('2026-09-01T10:00:00.12345678901234567890Z')).toBe(Date.UTC(2026, 8, 1, 10, 0, 0, 123))
  })
})

it('a time in UTC has a year of four digits, whatever its timezone', () => {
  for (const time of ['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00', '2026-09-01T10:00:00+03:00'])
    expect(formatUtc(isoTimeToMs(time))).toMatch(/^(0000-01-01|9999-12-31|2026-09-01)T[\d:]{8}\.000Z$/)
})

describe('person-id', () => {
  it('counts bytes, not characters', () => {
    expect(formats['person-id']('a'.repeat(255))).toBe(true)
    expect(formats['person-id']('a'.repeat(256))).toBe(false)
    expect(formats['person-id']('ж'.repeat(127))).toBe(true)
    expect(formats['person-id']('ж'.repeat(128))).toBe(false)
    expect(formats['person-id']('')).toBe(false)
  })
})

describe('text', () => {
  it('refuses characters that a store or a client cannot represent', () => {
    expect(formats.text('привет 👋')).toBe(true)
    expect(formats.text('a\0b')).toBe(false)
    expect(formats.text('\ud800')).toBe(false)
  })
})
