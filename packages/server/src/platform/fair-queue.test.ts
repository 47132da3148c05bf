import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = {
  capacity: 2,
  capacityPerClient: 2,
  maxWaiting: 4,
  maxWaitingPerClient: 3,
  maxWaitMs: 1_000,
}
const settle = () => vi.advanceTimersByTimeAsync(0)
const unavailable = { code: 'temporarily_unavailable' }

/** Requests a slot for each client in order, and records which were admitted. */
async function acquireAll(queue: FairQueue, ...clients: string[]) {
  const admitted: string[] = []
  const releases: (() => void)[] = []
  const requests = clients.map(async (client, index) => {
    releases[index] = await queue.acquire(client)
    admitted.push(client)
  })
  for (const each of requests) each.catch(() => {})
  await settle()
  return { admitted, requests, release: (index: number) => releases[index]?.() }
}

describe('FairQueue', () => {
  it('admits requests while slots are free, and waiting ones when a slot is released', async () => {
    const { admitted, release } = await acquireAll(new FairQueue(limits), 'a', 'b', 'c')
    expect(admitted).toEqual(['a', 'b'])
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('gives a released slot to the waiting client that holds the fewest', async () => {
    const { admitted, release } = await acquireAll(new FairQueue(limits), 'a', 'a', 'a', 'a', 'b')
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'a', 'b'])
    release(1)
    await settle()
    expect(admitted).toEqual(['a', 'a', 'b', 'a'])
  })

  it('limits the slots of one client even when nobody else waits', async () => {
    const { admitted } = await acquireAll(new FairQueue({ ...limits, capacityPerClient: 1 }), 'a', 'a', 'b')
    expect(admitted).toEqual(['a', 'b'])
  })

  it('refuses requests beyond the limit of waiting ones, per client and in total', async () => {
    const { requests } = await acquireAll(new FairQueue(limits), 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'c')
    await expect(requests[5]).rejects.toMatchObject(unavailable)
    await expect(requests[7]).rejects.toMatchObject(unavailable)
  })

  it('rejects a request that has waited too long and removes it', async () => {
    const { admitted, requests, release } = await acquireAll(new FairQueue(limits), 'a', 'a', 'b')
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(requests[2]).rejects.toMatchObject(unavailable)
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'a'])
  })

  it('removes a waiting request when its signal aborts', async () => {
    const queue = new FairQueue(limits)
    const { admitted, release } = await acquireAll(queue, 'a', 'a')
    const gone = new AbortController()
    const requests = queue.acquire('b', gone.signal)
    requests.catch(() => {})
    gone.abort(new Error('left'))
    await expect(requests).rejects.toThrow('left')
    const later = await acquireAll(queue, 'c')
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'a'])
    expect(later.admitted).toEqual(['c'])
    await expect(queue.acquire('d', gone.signal)).rejects.toThrow('left')
  })

  it('executes tasks of unnamed clients in order, also after one that failed', async () => {
    const queue = new FairQueue({ capacity: 1 })
    const order: number[] = []
    const tasks = [1, 2, 3].map(number =>
      queue.run(async () => {
        order.push(number)
        if (number === 1) throw new Error('broken')
        return number
      }),
    )
    expect(await Promise.allSettled(tasks)).toMatchObject([
      { status: 'rejected' },
      { status: 'fulfilled', value: 2 },
      { status: 'fulfilled', value: 3 },
    ])
    expect(order).toEqual([1, 2, 3])
  })

  it('frees a slot once, however often it is released', async () => {
    const { admitted, release } = await acquireAll(new FairQueue(limits), 'a', 'b', 'c', 'd')
    release(0)
    release(0)
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })
})
