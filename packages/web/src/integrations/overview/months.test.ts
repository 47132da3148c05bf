import { expect, it } from 'vitest'
import { recentMonths } from './months.ts'

it('names the months before the present one, in UTC, also over the new year', () => {
  expect(recentMonths(Date.parse('2031-02-28T23:30:00-05:00'), 4)).toEqual([
    '2031-03',
    '2031-02',
    '2031-01',
    '2030-12',
  ])
})
