import { describe, expect, it } from 'vitest'
import { checkNewPassword } from './new-password.ts'

describe('a new password', () => {
  it.each([
    ['correct horse', 'correct horse', null],
    ['👋👋👋👋👋👋👋👋', '👋👋👋👋👋👋👋👋', null],
    ['👋👋👋👋', '👋👋👋👋', 'short'],
    ['', '', 'short'],
    ['1234567', 'other', 'short'],
    ['12345678', '12345679', 'different'],
    ['12345678', '', 'different'],
    ['12345678', '12345678 ', 'different'],
    ['x'.repeat(1024), 'x'.repeat(1024), null],
    ['x'.repeat(1025), 'x'.repeat(1025), 'long'],
  ])('%j, repeated as %j, is %s', (password, repeated, error) => {
    expect(checkNewPassword(password, repeated)).toBe(error)
  })
})
