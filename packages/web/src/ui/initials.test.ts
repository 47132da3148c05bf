import { describe, expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

describe('initialsOf', () => {
  it.each([
    ['Anna Petrova', 'AP'],
    ['anna', 'A'],
    ['Мария де ла Крус', 'МК'],
    ['  Mia  ', 'M'],
    ['😀 Sam', '😀S'],
    ['', ''],
  ])('%s: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})
