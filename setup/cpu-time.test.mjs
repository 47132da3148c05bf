import { describe, expect, it } from 'vitest'
import { usedBetween } from './cpu-time.mjs'

const [VITEST, WORKER, SERVER] = [1, 2, 3]
const owners = new Map([
  [VITEST, 'vitest'],
  [WORKER, 'a file'],
  [SERVER, 'a file'],
])
/** @param {number} parent @param {number} own @param {number} [reaped] */
const sample = (parent, own, reaped = 0) => ({ parent, own, reaped, startedAt: '1' })
const before = new Map([
  [VITEST, sample(0, 100)],
  [WORKER, sample(VITEST, 50)],
  [SERVER, sample(WORKER, 30)],
])
/** @param {[number, ReturnType<typeof sample>][]} alive */
const used = alive => {
  const now = new Map(alive)
  const owned = new Map([...owners].filter(([pid]) => now.has(pid)))
  return Object.fromEntries(usedBetween(before, now, owned))
}

describe('the CPU time of a run', () => {
  it('counts what processes have used since the last sample', () => {
    const [vitest, worker, server] = [sample(0, 101), sample(VITEST, 52), sample(WORKER, 33)]
    expect(
      used([
        [VITEST, vitest],
        [WORKER, worker],
        [SERVER, server],
      ]),
    ).toEqual({ vitest: 1, 'a file': 5 })
  })

  it('counts an ended process once, although its parent has its time, too', () => {
    expect(
      used([
        [VITEST, sample(0, 100)],
        [WORKER, sample(VITEST, 50, 34)],
      ]),
    ).toEqual({ vitest: 0, 'a file': 4 })
  })

  it('counts a worker and its server once that have ended, although their time is that of another owner now', () => {
    expect(used([[VITEST, sample(0, 100, 85)]])).toEqual({ vitest: 5 })
  })

  it('counts ended processes for another owner where the parent works for many files', () => {
    const now = new Map([[VITEST, sample(0, 103, 85)]])
    const used = usedBetween(before, now, new Map([[VITEST, 'vitest']]), () => 'short processes')
    expect(Object.fromEntries(used)).toEqual({ vitest: 3, 'short processes': 5 })
  })

  it('counts nothing for an ended process that nobody waited for', () => {
    expect(
      used([
        [VITEST, sample(0, 100)],
        [WORKER, sample(VITEST, 51)],
      ]),
    ).toEqual({ vitest: 0, 'a file': 1 })
  })
})
