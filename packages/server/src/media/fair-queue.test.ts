import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { places: 2, placesOfOne: 2, waiting: 4, waitingOfOne: 3, waitMs: 1_000 }
const settle = () => vi.advanceTimersByTimeAsync(0)
const unavailable = { code: 'temporarily_unavailable' }

/** Asks for a place for each, in this order, and notes who has got one. */
async function ask(queue: FairQueue, ...clients: string[]) {
  const admitted: string[] = []
  const releases: (() => void)[] = []
  const asked = clients.map(async (client, index) => {
    releases[index] = await queue.acquire(client)
    admitted.push(client)
  })
  for (const each of asked) each.catch(() => {})
  await settle()
  return { admitted, asked, release: (index: number) => releases[index]?.() }
}

describe('FairQueue', () => {
  it('admits whom there is a place for, and the others when a place is given back', async () => {
    const { admitted, release } = await ask(new FairQueue(limits), 'a', 'b', 'c')
    expect(admitted).toEqual(['a', 'b'])
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('gives a place to the client that holds the fewest, not to the one that asked most', async () => {
    const { admitted, release } = await ask(new FairQueue(limits), 'a', 'a', 'a', 'a', 'b')
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'a', 'b'])
    release(1)
    await settle()
    expect(admitted).toEqual(['a', 'a', 'b', 'a'])
  })

  it('lets no client hold all places, though nobody else waits', async () => {
    const { admitted } = await ask(new FairQueue({ ...limits, placesOfOne: 1 }), 'a', 'a', 'b')
    expect(admitted).toEqual(['a', 'b'])
  })

  it('refuses a client of whom too many wait, and everybody when too many wait', async () => {
    const { asked } = await ask(new FairQueue(limits), 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c')
    await expect(asked[5]).rejects.toMatchObject(unavailable)
    await expect(asked[7]).rejects.toMatchObject(unavailable)
  })

  it('refuses whoever has waited too long, and forgets them', async () => {
    const { admitted, asked, release } = await ask(new FairQueue(limits), 'a', 'a', 'b')
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(asked[2]).rejects.toMatchObject(unavailable)
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'a'])
  })

  it('keeps no place for somebody who has gone', async () => {
    const queue = new FairQueue(limits)
    const { admitted, release } = await ask(queue, 'a', 'a')
    const gone = new AbortController()
    const asked = queue.acquire('b', gone.signal)
    asked.catch(() => {})
    gone.abort()
    await expect(asked).rejects.toMatchObject(unavailable)
    const later = await ask(queue, 'c')
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'a'])
    expect(later.admitted).toEqual(['c'])
    await expect(queue.acquire('d', gone.signal)).rejects.toMatchObject(unavailable)
  })
})
