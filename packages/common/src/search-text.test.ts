import { expect, it } from 'vitest'
import { containsText, foldCase } from './search-text.ts'

it.each([
  ['İbrahim', 'ibrahim'],
  ['IRMAK', 'ırmak'],
  ['Irina', 'IRINA'],
  ['Pınar', 'pinar'],
  ['ПРИВЕТ', 'привет'],
])('takes %s and %s for the same', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

it('finds what was typed in any of the texts, and everything for nothing', () => {
  const found = (typed: string) => containsText(['Ali İhsan', 'ali'], typed)
  expect([' ihsan ', 'ALI', '', 'anna'].map(found)).toEqual([true, true, true, false])
})
