import { CHAT_TEXT_MAX } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { charactersLeft, isComposing, isNearLimit, readMessage, sends } from './composing.ts'

describe('readMessage', () => {
  it('trims the text', () => {
    expect(readMessage('\n  one\n\n  two \n')).toBe('one\n\n  two')
  })

  it('returns null for a blank text', () => {
    expect(readMessage(' \n\t')).toBeNull()
    expect(readMessage('\0')).toBeNull()
  })

  it('counts characters as the server does, and rejects long texts', () => {
    const longest = '😀'.repeat(CHAT_TEXT_MAX)
    expect(readMessage(longest)).toBe(longest)
    expect(readMessage(`${longest}!`)).toBeNull()
    expect(charactersLeft(`${longest}!`)).toBe(-1)
  })
})

describe('isNearLimit', () => {
  it('is false until few characters are left', () => {
    expect(isNearLimit(charactersLeft('hello'))).toBe(false)
    expect(isNearLimit(charactersLeft('x'.repeat(CHAT_TEXT_MAX - 100)))).toBe(true)
  })
})

describe('sends', () => {
  const enter = { key: 'Enter', shiftKey: false, isComposing: false }

  it('sends on Enter, and starts a line on Shift+Enter', () => {
    expect(sends(enter, false)).toBe(true)
    expect(sends({ ...enter, shiftKey: true }, false)).toBe(false)
    expect(sends({ ...enter, key: 'a' }, false)).toBe(false)
  })

  it('leaves Enter to an input method, and to touch keyboards', () => {
    expect(sends({ ...enter, isComposing: true }, false)).toBe(false)
    expect(sends(enter, true)).toBe(false)
  })
})

it('leaves a key to an input method, also one that ends a composition in Safari', () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true)
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true)
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false)
})
