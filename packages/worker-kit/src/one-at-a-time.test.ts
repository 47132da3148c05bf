import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

describe('work that is done one at a time', () => {
  it('is done once more when it is asked for meanwhile, and never twice at once', async () => {
    const ends: (() => void)[] = []
    const ask = oneAtATime(() => new Promise(resolve => void ends.push(resolve)))
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
