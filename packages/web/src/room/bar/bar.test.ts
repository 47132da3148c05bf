import { describe, expect, it, vi } from 'vitest'
import { aTrack } from '../../call/testing/transports.ts'
import type { InputState } from '../../devices/input.ts'
import { inputStatusOf } from './input-status.ts'
import { actionOf, HeldKeys, runShortcut } from './shortcuts.ts'

describe('inputStatusOf', () => {
  const on: InputState = {
    is: 'on',
    track: aTrack().track,
    label: 'Built in',
    replaces: null,
    interrupted: false,
  }

  it('is on only when the server receives the source', () => {
    expect(inputStatusOf(on, 'sending', true)).toBe('on')
    expect(inputStatusOf(on, 'pending', true)).toBe('coming')
    expect(inputStatusOf(on, 'off', true)).toBe('coming')
    expect(inputStatusOf(on, 'problem', true)).toBe('problem')
    expect(inputStatusOf(on, 'sending', false)).toBe('problem')
  })

  it('is off as soon as the input is off, before the server has confirmed it', () => {
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

describe('HeldKeys', () => {
  it('keeps the repetitions of a held key out of the text field that its action has focused', () => {
    const held = new HeldKeys()
    const press = (parts: Partial<KeyboardEvent>) => {
      const preventDefault = vi.fn()
      return [held.swallow({ ...key(parts), preventDefault }), preventDefault.mock.calls.length]
    }
    expect(press({ code: 'KeyC', repeat: true })).toEqual([false, 0])
    held.hold({ code: 'KeyC' })
    expect(press({ code: 'KeyC', repeat: true })).toEqual([true, 1])
    expect(press({ code: 'KeyD', repeat: true })).toEqual([false, 0])
    held.release({ code: 'KeyC' })
    expect(press({ code: 'KeyC', repeat: true })).toEqual([false, 0])
  })

  it('lets a key type that was pressed again, although its release was missed', () => {
    const held = new HeldKeys()
    held.hold({ code: 'KeyC' })
    expect(held.swallow({ ...key({ code: 'KeyC' }), preventDefault: vi.fn() })).toBe(false)
    expect(held.swallow({ ...key({ code: 'KeyC', repeat: true }), preventDefault: vi.fn() })).toBe(false)
  })
})

describe('actionOf', () => {
  it('reads the question mark wherever the keyboard has it', () => {
    expect(actionOf(key({ key: '?', code: 'Slash' }))).toBe('?')
    expect(actionOf(key({ key: '?', code: 'Digit7' }))).toBe('?')
    expect(actionOf(key({ key: '/', code: 'Slash' }))).toBeNull()
  })

  it('reads letters, capital or not', () => {
    expect(actionOf(key({}))).toBe('m')
    expect(actionOf(key({ key: 'V', code: 'KeyV' }))).toBe('v')
    expect(actionOf(key({ key: 'x', code: 'KeyX' }))).toBeNull()
  })

  it('uses the position of the key on other alphabets', () => {
    expect(actionOf(key({ key: 'ь' }))).toBe('m')
    expect(actionOf(key({ key: 'м', code: 'KeyV' }))).toBe('v')
    expect(actionOf(key({ key: ',' }))).toBe(',') // the key of M on a French keyboard
    // The key of B on an Arabic keyboard writes two letters.
    expect(actionOf(key({ key: 'لا', code: 'KeyB' }))).toBe('b')
    expect(actionOf(key({ key: '؟', code: 'Slash' }))).toBe('?')
    expect(actionOf(key({ key: '،', code: 'KeyK' }))).toBe(',')
  })

  it('reads no other letter into a key that writes a Latin one, nor into keys with names', () => {
    expect(actionOf(key({ key: 'ç', code: 'KeyV' }))).toBeNull() // Turkish F
    expect(actionOf(key({ key: 'è', code: 'KeyT' }))).toBeNull() // French Bépo
    expect(actionOf(key({ key: 'Dead', code: 'KeyC' }))).toBeNull()
  })

  it('ignores browser shortcuts and repeated keys', () => {
    for (const parts of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
      expect(actionOf(key(parts))).toBeNull()
  })
})
