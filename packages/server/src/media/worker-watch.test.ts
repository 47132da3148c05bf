import { once } from 'node:events'
import { createWorker } from 'mediasoup'
import type { Worker, WorkerResourceUsage } from 'mediasoup/types'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { watchWorker } from './worker-watch.ts'

const ROUND_MS = 100
const LONG_MS = 8 * ROUND_MS

let stop = () => {}
afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** A worker that answers when the test says so, on a clock that the test advances. */
function watchedFake() {
  vi.useFakeTimers()
  const requests: (() => void)[] = []
  const worker = {
    closed: false,
    getResourceUsage: () =>
      new Promise<WorkerResourceUsage>(resolve => requests.push(() => resolve({} as WorkerResourceUsage))),
  }
  const onHang = vi.fn()
  stop = watchWorker(worker, onHang, ROUND_MS)
  const pass = (rounds: number) => vi.advanceTimersByTimeAsync(rounds * ROUND_MS)
  return { worker, requests, onHang, pass }
}

describe('a watched worker', () => {
  it('is reported once when it hangs', async () => {
    const { onHang, pass } = watchedFake()
    await pass(3)
    expect(onHang).not.toHaveBeenCalled()
    await pass(20)
    expect(onHang).toHaveBeenCalledTimes(1)
  })

  it('is not reported while it answers, however late', async () => {
    const { requests, onHang, pass } = watchedFake()
    for (let i = 0; i < 5; i++) {
      await pass(3)
      requests[i]?.()
    }
    expect(requests).toHaveLength(5)
    expect(onHang).not.toHaveBeenCalled()
  })

  it('gets no requests after it died, or when nobody watches', async () => {
    for (const end of ['died', 'unwatched']) {
      const { worker, requests, onHang, pass } = watchedFake()
      await pass(1)
      requests[0]?.()
      await pass(0.5)
      if (end === 'died') worker.closed = true
      else stop()
      await pass(20)
      expect(requests).toHaveLength(1)
      expect(onHang).not.toHaveBeenCalled()
      expect(vi.getTimerCount()).toBe(0)
    }
  })
})

describe('a watched process', () => {
  let worker: Worker
  afterEach(async () => {
    process.kill(worker.pid, 'SIGKILL')
    await once(worker, 'subprocessclose')
  })

  const start = async (onHang: () => void, roundMs?: number) => {
    worker = await createWorker({ logLevel: 'none' })
    stop = watchWorker(worker, onHang, roundMs)
  }
  const signal = (name: NodeJS.Signals) => process.kill(worker.pid, name)

  /** Nothing runs in this process meanwhile, as on a machine that sleeps. */
  const blockFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

  it('is reported when it hangs', async () => {
    const reported = new Promise<void>(resolve => void start(resolve, ROUND_MS).then(() => signal('SIGSTOP')))
    await reported
  })

  it('is not reported when it has a lot to do', async () => {
    const onHang = vi.fn()
    await start(onHang)
    await Promise.all(Array.from({ length: 2_000 }, () => worker.createRouter()))
    await Promise.all(Array.from({ length: 20 }, () => worker.dump()))
    expect(onHang).not.toHaveBeenCalled()
  })

  it('is not reported for what held up this process, or the machine', async () => {
    const onHang = vi.fn()
    await start(onHang, ROUND_MS)
    for (let i = 0; i < 3; i++) {
      signal('SIGSTOP')
      blockFor(LONG_MS)
      signal('SIGCONT')
      await worker.getResourceUsage()
    }
    expect(onHang).not.toHaveBeenCalled()
  })
})
