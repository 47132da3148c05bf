import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorker } from 'mediasoup'
import type { Worker } from 'mediasoup/types'
import { afterEach, describe, expect, it } from 'vitest'
import { watchWorker } from './worker-watch.ts'

const ROUND_MS = 100
const LONG_MS = 8 * ROUND_MS

let worker: Worker
let stop = () => {}
afterEach(async () => {
  stop()
  if (worker.died) return
  process.kill(worker.pid, 'SIGKILL')
  await once(worker, 'subprocessclose')
})

/** A real worker, and how often it was said to hang. */
async function watched() {
  worker = await createWorker({ logLevel: 'none' })
  const seen = { hangs: 0 }
  stop = watchWorker(worker, () => seen.hangs++, ROUND_MS)
  return seen
}

const signal = (name: NodeJS.Signals) => process.kill(worker.pid, name)

/** Nothing runs here meanwhile, as on a machine that sleeps. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('a worker that is watched', () => {
  it('is told of once when it hangs', async () => {
    const seen = await watched()
    signal('SIGSTOP')
    await sleep(2 * LONG_MS)
    expect(seen.hangs).toBe(1)
  })

  it('is left alone while it answers, however late', async () => {
    const seen = await watched()
    for (let i = 0; i < 5; i++) {
      signal('SIGSTOP')
      await sleep(1.5 * ROUND_MS)
      signal('SIGCONT')
      await sleep(1.5 * ROUND_MS)
    }
    expect(seen.hangs).toBe(0)
  })

  it('is left alone when it has a lot to do', async () => {
    const seen = await watched()
    const routers = Array.from({ length: 2_000 }, () => worker.createRouter())
    await Promise.all(routers)
    const dumps = Array.from({ length: 20 }, () => worker.dump())
    await Promise.all(dumps)
    expect(seen.hangs).toBe(0)
  })

  it('is not blamed for what held up this process, or the machine', async () => {
    const seen = await watched()
    for (let i = 0; i < 3; i++) {
      signal('SIGSTOP')
      holdUp(LONG_MS)
      signal('SIGCONT')
      await sleep(ROUND_MS)
    }
    expect(seen.hangs).toBe(0)
  })

  it('is asked no more after it died, or when nobody watches', async () => {
    const seen = await watched()
    stop()
    signal('SIGSTOP')
    await sleep(LONG_MS)
    signal('SIGKILL')
    await once(worker, 'died')
    stop = watchWorker(worker, () => seen.hangs++, ROUND_MS)
    await sleep(LONG_MS)
    expect(seen.hangs).toBe(0)
  })
})
