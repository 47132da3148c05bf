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

  it('leaves the rest of the time to others when runs may take a share of it, however often they are requested', async () => {
    let busyMs = 0
    const work = async () => {
      const from = performance.now()
      await new Promise(resolve => setTimeout(resolve, 20))
      busyMs += performance.now() - from
    }
    const request = coalesced(work, { share: 0.25 })
    const from = performance.now()
    for (let i = 0; i < 5; i++) await request()
    // Between five runs are four rests of three times the run before.
    expect(busyMs / (performance.now() - from)).toBeLessThan(0.35)
  })

  it('rests for a second at most', async () => {
    const request = coalesced(() => new Promise(resolve => setTimeout(resolve, 300)), { share: 0.01 })
    await request()
    const from = performance.now()
    await request()
    expect(performance.now() - from).toBeLessThan(10_000)
  })
})
