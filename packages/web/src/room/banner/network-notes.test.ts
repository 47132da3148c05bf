import { describe, expect, it } from 'vitest'
import { networkNotes } from './network-notes.ts'

const good = { received: 'all', sendsTooSlowly: false, losesPackets: false, wasInterrupted: false } as const

describe('networkNotes', () => {
  it('is silent while nothing is reduced', () => {
    expect(networkNotes(good, false)).toEqual([])
  })

  it('has a note for each direction', () => {
    expect(networkNotes({ ...good, received: 'screen' }, false)).toEqual(['receivesScreen'])
    expect(networkNotes({ ...good, received: 'audio', sendsTooSlowly: true }, true)).toEqual([
      'receivesAudio',
      'sendsScreen',
    ])
    expect(networkNotes({ ...good, sendsTooSlowly: true }, false)).toEqual(['sendsReduced'])
  })

  it('explains an interruption', () => {
    expect(networkNotes({ ...good, losesPackets: true, wasInterrupted: true }, false)).toEqual([
      'interrupted',
    ])
  })

  it('mentions losses only when they are all there is', () => {
    expect(networkNotes({ ...good, losesPackets: true }, false)).toEqual(['losesPackets'])
    expect(networkNotes({ ...good, received: 'some', losesPackets: true }, false)).toEqual(['receivesSome'])
  })
})
