import { expect, it } from 'vitest'
import { createFormat, visibleText } from './format.ts'

it('formats sizes, rates and durations', () => {
  const { bytes, bitRate, duration, percent } = createFormat('en')
  expect([0, 999, 1000, 1_500_000, 2e15].map(bytes)).toEqual([
    '0 byte',
    '999 byte',
    '1 kB',
    '1.5 MB',
    '2,000 TB',
  ])
  expect([bitRate(0), bitRate(2_500_000)]).toEqual(['0 kb/s', '2.5 Mb/s'])
  expect([0, 61_000, 3_600_000, 90_061_000].map(duration)).toEqual([
    '0 sec',
    '1 min 1 sec',
    '1 hr',
    '1 day 1 hr',
  ])
  expect(percent(12.34)).toBe('12.3%')
  expect(createFormat('ru').percent(12.34)).toBe('12,3\u00a0%')
})

it('shows a text of spaces in quotation marks', () => {
  expect(['algebra', ' ', ''].map(visibleText)).toEqual(['algebra', '“ ”', ''])
})
