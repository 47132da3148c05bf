import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { coalesced } from './coalesced.ts'

describe('coalesced', () => {
  it('runs once more after calls during a run, never concurrently', async () => {
    const ends: (() => void)[] = []
    const ask = coalesced(() => new Promise(resolve => void ends.push(resolve)))
    ask()
    for (let i = 0; i < 3; i++) ask()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await turn()
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await turn()
    expect(ends).toHaveLength(2)
    ask()
    expect(ends).toHaveLength(3)
  })
})
