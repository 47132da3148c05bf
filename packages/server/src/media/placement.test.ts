import { describe, expect, it } from 'vitest'
import { choosePlace, expectedConsumers, type WorkerLoad } from './placement.ts'

const load = (endpoints: number, consumers = 0, otherConsumers = 0): WorkerLoad => ({
  endpoints,
  consumers,
  otherConsumers,
})
const settings = { consumersPerWorker: 500 }

/** How a room's endpoints are distributed when all of them arrive before anybody publishes. */
function distribute(endpoints: number, workers: number, publications = 0): number[] {
  const placed = new Map<number, WorkerLoad>([[0, load(0)]])
  for (let i = 0; i < endpoints; i++) {
    const others = Array.from({ length: workers }, (_, worker) => worker).filter(
      worker => !placed.has(worker),
    )
    const worker = choosePlace(
      [...placed],
      others.map(each => [each, load(0)] as const),
      publications,
      settings,
    )
    const before = placed.get(worker) ?? load(0)
    placed.set(worker, { ...before, endpoints: before.endpoints + 1 })
  }
  return [...placed.values()].map(({ endpoints }) => endpoints)
}

describe('the placement of endpoints', () => {
  it('keeps a room on one worker that can serve it', () => {
    for (const people of [1, 2, 8, 15]) expect(distribute(people, 4)).toEqual([people])
  })

  it('spreads thirty people who all arrive before anybody sends', () => {
    const spread = distribute(30, 2)
    expect(spread).toHaveLength(2)
    for (const endpoints of spread) expect(endpoints).toBeGreaterThanOrEqual(14)
    expect(distribute(30, 8)).toHaveLength(3)
  })

  it('spreads the viewers of one speaker evenly', () => {
    const spread = distribute(501, 3, 2)
    expect(spread.reduce((sum, each) => sum + each)).toBe(501)
    expect(Math.max(...spread) - Math.min(...spread)).toBeLessThanOrEqual(1)
  })

  it('keeps a small room on its worker, even if other rooms fill that', () => {
    expect(choosePlace([['own', load(2, 4, 2000)]], [['other', load(0)]], 4, settings)).toBe('own')
  })

  it('extends a large room beside others to a less loaded worker', () => {
    expect(choosePlace([['own', load(10, 180, 400)]], [['other', load(0)]], 20, settings)).toBe('other')
    expect(choosePlace([['own', load(10, 180, 400)]], [['other', load(0, 0, 900)]], 20, settings)).toBe('own')
  })

  it('uses the least loaded worker when all of them are full', () => {
    const own = [
      ['one', load(20, 1000)],
      ['two', load(19, 1000)],
    ] as const
    expect(choosePlace([...own], [], 50, settings)).toBe('two')
  })

  it('expects a microphone and a camera of each participant, but not of a large audience', () => {
    expect([1, 2, 30, 500].map(endpoints => expectedConsumers(endpoints, 0))).toEqual([2, 4, 60, 60])
    expect(expectedConsumers(2, 9)).toBe(9)
  })
})
