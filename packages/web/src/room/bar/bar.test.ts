import { describe, expect, it } from 'vitest'
import { aTrack } from '../../call/testing/transports.ts'
import type { InputState } from '../../devices/input.ts'
import { inputStatusOf } from './input-status.ts'
import { actionOf } from './shortcuts.ts'

describe('sendingOf', () => {
  const on: InputState = { is: 'on', track: aTrack().track, replaces: null, interrupted: false }

  it('says on only of what the server has and gets', () => {
    expect(inputStatusOf(on, 'sending', true)).toBe('on')
    expect(inputStatusOf(on, 'pending', true)).toBe('coming')
    expect(inputStatusOf(on, 'off', true)).toBe('coming')
    expect(inputStatusOf(on, 'trouble', true)).toBe('trouble')
    expect(inputStatusOf(on, 'sending', false)).toBe('trouble')
  })

  it('says off as soon as it is off here, whatever the server still has', () => {
    expect(inputStatusOf({ is: 'off' }, 'sending', true)).toBe('off')
    expect(inputStatusOf({ is: 'failed', trouble: 'missing' }, 'sending', true)).toBe('failed')
  })
})

describe('actionOf', () => {
  const key = (parts: Partial<KeyboardEvent>) => ({
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    repeat: false,
    code: 'KeyM',
    key: 'm',
    ...parts,
  })

  it('knows the letters, with and without capitals', () => {
    expect(actionOf(key({}))).toBe('m')
    expect(actionOf(key({ key: 'V', code: 'KeyV' }))).toBe('v')
    expect(actionOf(key({ key: 'x', code: 'KeyX' }))).toBeNull()
  })

  it('knows the same keys where they write other letters', () => {
    expect(actionOf(key({ key: 'ь' }))).toBe('m')
    expect(actionOf(key({ key: 'м', code: 'KeyV' }))).toBe('v')
    expect(actionOf(key({ key: ',' }))).toBeNull() // where a French keyboard has no letter
  })

  it('leaves the shortcuts of the browser alone, and a key that is held', () => {
    for (const parts of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
      expect(actionOf(key(parts))).toBeNull()
  })
})
