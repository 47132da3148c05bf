import { describe, expect, it } from 'vitest'
import { coalesced } from './coalesced.ts'

describe('coalesced', () => {
  it('runs once more after calls during a run, never concurrently', async () => {
    const ends: (() => void)[] = []
    const request = coalesced(() => new Promise(resolve => void ends.push(resolve)))
    const done = request()
    for (let i = 0; i < 3; i++) void request()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await Promise.resolve()
    await Promise.resolve()
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await done
    expect(ends).toHaveLength(2)
    void request()
    expect(ends).toHaveLength(3)
  })

  it('starts a new run for a call that is made when the last one resolves', async () => {
    let runs = 0
    const request = coalesced(async () => void runs++)
    await request().then(request)
    expect(runs).toBe(2)
  })
})
