import { describe, expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

describe('initialsOf', () => {
  it.each([
    ['Anna Petrova', 'AP'],
    ['anna', 'A'],
    ['  Maria  del Mar Sol ', 'MS'],
    ['Мария де ла Крус', 'МК'],
    ['{x} (y)', 'XY'],
    ['“Anna” Petrova', 'AP'],
    ['7b', '7'],
    ['😀 Sam', 'S'],
    ['', ''],
  ])('%s: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })

  it.each([
    ['👩🏽‍🏫', '👩🏽‍🏫'],
    ['🇩🇪 🇫🇷', '🇩🇪🇫🇷'],
    ['e\u0301milie o\u0308zil', 'E\u0301O\u0308'],
    ['किरण', 'कि'],
  ])('leaves what is one character to people as a whole: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })

  it.each([
    ['ليلى حداد', 'ل\u200cح'],
    ['ليلى', 'ل'],
    ['ליאור כהן', 'לכ'],
    ['ليلى Smith', 'لS'],
  ])('does not join two letters to a word: %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })

  it('has no capitals that a script writes in inscriptions only', () => {
    expect(initialsOf('ნინო ბერიძე')).toBe('ნბ')
  })
})
