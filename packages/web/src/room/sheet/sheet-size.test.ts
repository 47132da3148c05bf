import { expect, it } from 'vitest'
import { sheetAfter } from './sheet-size.ts'

it('a drag makes a sheet higher or lower, closes a low one, and a long one closes also a high one', () => {
  expect(sheetAfter('half', -0.3)).toBe('full')
  expect(sheetAfter('full', -0.3)).toBe('full')
  expect(sheetAfter('half', -0.05)).toBe('half')
  expect(sheetAfter('full', 0.05)).toBe('full')
  expect(sheetAfter('full', 0.3)).toBe('half')
  expect(sheetAfter('full', 0.7)).toBe('closed')
  expect(sheetAfter('half', 0.3)).toBe('closed')
})
