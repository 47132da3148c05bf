import { describe, expect, it, vi } from 'vitest'
import { aTrack } from '../../call/testing/transports.ts'
import type { InputState } from '../../devices/input.ts'
import { inputStatusOf } from './input-status.ts'
import { actionOf, runShortcut } from './shortcuts.ts'

describe('inputStatusOf', () => {
  const on: InputState = { is: 'on', track: aTrack().track, replaces: null, interrupted: false }

  it('is on only when the server receives the source', () => {
    expect(inputStatusOf(on, 'sending', true)).toBe('on')
    expect(inputStatusOf(on, 'pending', true)).toBe('coming')
    expect(inputStatusOf(on, 'off', true)).toBe('coming')
    expect(inputStatusOf(on, 'problem', true)).toBe('problem')
    expect(inputStatusOf(on, 'sending', false)).toBe('problem')
  })

  it('is off as soon as the input is off, whatever the server still has', () => {
    expect(inputStatusOf({ is: 'off' }, 'sending', true)).toBe('off')
    expect(inputStatusOf({ is: 'failed', problem: 'missing' }, 'sending', true)).toBe('failed')
  })
})

const key = (parts: Partial<KeyboardEvent>) => ({
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  repeat: false,
  code: 'KeyM',
  key: 'm',
  ...parts,
})

describe('runShortcut', () => {
  const press = (parts: Partial<KeyboardEvent>) => {
    const [preventDefault, openChat] = [vi.fn(), vi.fn()]
    runShortcut({ ...key(parts), preventDefault }, { c: openChat })
    return { runs: openChat.mock.calls.length, prevented: preventDefault.mock.calls.length }
  }

  it('keeps the character out of the text field that its action focuses', () => {
    expect(press({ code: 'KeyC', key: 'c' })).toEqual({ runs: 1, prevented: 1 })
  })

  it('leaves all other keys to the browser', () => {
    for (const parts of [{ key: 'x' }, { key: 'm' }, { key: 'c', ctrlKey: true }])
      expect(press(parts)).toEqual({ runs: 0, prevented: 0 })
  })
})

describe('actionOf', () => {
  it('reads letters, capital or not', () => {
    expect(actionOf(key({}))).toBe('m')
    expect(actionOf(key({ key: 'V', code: 'KeyV' }))).toBe('v')
    expect(actionOf(key({ key: 'x', code: 'KeyX' }))).toBeNull()
  })

  it('uses the position of the key on other alphabets', () => {
    expect(actionOf(key({ key: 'ь' }))).toBe('m')
    expect(actionOf(key({ key: 'м', code: 'KeyV' }))).toBe('v')
    expect(actionOf(key({ key: ',' }))).toBeNull() // not a letter on a French keyboard
  })

  it('ignores browser shortcuts and repeated keys', () => {
    for (const parts of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
      expect(actionOf(key(parts))).toBeNull()
  })
})
