import { describe, expect, it } from 'vitest'
import { readName } from './name.ts'

describe('readName', () => {
  it('keeps a name and removes stray spaces', () => {
    expect(readName('  Анна   Петрова ')).toBe('Анна Петрова')
    expect(readName('Sam\tO\u0000Neil\n')).toBe('Sam O Neil')
  })

  it('returns null for a blank name', () => {
    for (const nothing of ['', '   ', '\u0007\n']) expect(readName(nothing)).toBeNull()
  })

  it('truncates a long name between characters', () => {
    expect(readName('🦊'.repeat(200))).toBe('🦊'.repeat(128))
  })
})
