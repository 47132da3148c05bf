import { describe, expect, it } from 'vitest'
import type { InputState } from '../devices/input.ts'
import { notesOf } from './notes.ts'

const on = (parts: Partial<Extract<InputState, { is: 'on' }>> = {}): InputState => ({
  is: 'on',
  track: {} as MediaStreamTrack,
  label: 'Built in',
  replaces: null,
  interrupted: false,
  ...parts,
})
const refused: InputState = { is: 'failed', problem: 'refused' }

describe('notesOf', () => {
  it('is empty while everything works', () => {
    expect(notesOf(on(), on())).toEqual([])
    expect(notesOf({ is: 'off' }, { is: 'requesting' })).toEqual([])
  })

  it('reports a common problem once', () => {
    expect(notesOf(refused, refused)).toEqual([{ is: 'problem', of: 'both', problem: 'refused' }])
    expect(notesOf(refused, { is: 'failed', problem: 'missing' })).toHaveLength(2)
  })

  it('names the replacement device, and reports an interruption', () => {
    expect(notesOf(on(), on({ replaces: 'Headset', interrupted: true }))).toEqual([
      { is: 'replaced', of: 'microphone', previous: 'Headset', current: 'Built in' },
      { is: 'interrupted', of: 'microphone' },
    ])
  })
})
