import { describe, expect, it } from 'vitest'
import { isSpeaking } from './speaking.ts'

describe('isSpeaking', () => {
  it('is true for the active speaker, also in a pause', () => {
    expect(isSpeaking({ active: 'anna', levels: {} }, 'anna')).toBe(true)
  })

  it('is true for other loud participants, and false for background noise', () => {
    const state = { active: 'anna', levels: { mia: 0.6, sam: 0.1 } }
    expect(['mia', 'sam', 'lea'].map(id => isSpeaking(state, id))).toEqual([true, false, false])
  })
})
