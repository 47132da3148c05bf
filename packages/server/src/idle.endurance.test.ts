import { queryObjects } from 'node:v8'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestServer } from './testing/server.ts'

const TICK_MS = 1_000

/** Kinds of objects that work of every second could leave behind. */
const KINDS = { Array, Promise, Map, Set, Function, Object }

it('a server without work keeps nothing in memory, however many seconds pass', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const countAfter = async (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) {
      vi.advanceTimersByTime(TICK_MS)
      server.advance(TICK_MS)
      await new Promise(resolve => setTimeout(resolve, 5)) // for the database
    }
    return Object.entries(KINDS).map(([name, kind]) => ({
      name,
      count: Number(queryObjects(kind as never, { format: 'count' })),
    }))
  }
  const before = await countAfter(300)
  const after = await countAfter(3_000)
  for (const [index, { name, count }] of after.entries())
    expect(count - (before[index]?.count ?? 0), name).toBeLessThan(1_000)
})
