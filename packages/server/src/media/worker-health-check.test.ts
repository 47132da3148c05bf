import { once } from 'node:events'
import { createWorker } from 'mediasoup'
import type { Worker, WorkerResourceUsage } from 'mediasoup/types'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startHealthCheck } from './worker-health-check.ts'

const INTERVAL_MS = 100
const LONG_MS = 8 * INTERVAL_MS

let stop = () => {}
afterEach(() => {
  stop()
  vi.useRealTimers()
})

/** A worker whose answers the test controls, on a fake clock. */
function checkFakeWorker() {
  vi.useFakeTimers()
  const requests: (() => void)[] = []
  const worker = {
    closed: false,
    getResourceUsage: () =>
      new Promise<WorkerResourceUsage>(resolve => requests.push(() => resolve({} as WorkerResourceUsage))),
  }
  const onHang = vi.fn()
  stop = startHealthCheck(worker, onHang, INTERVAL_MS)
  const pass = (intervals: number) => vi.advanceTimersByTimeAsync(intervals * INTERVAL_MS)
  return { worker, requests, onHang, pass }
}

describe('startHealthCheck', () => {
  it('reports a hanging worker once', async () => {
    const { onHang, pass } = checkFakeWorker()
    await pass(3)
    expect(onHang).not.toHaveBeenCalled()
    await pass(20)
    expect(onHang).toHaveBeenCalledTimes(1)
  })

  it('tolerates late answers', async () => {
    const { requests, onHang, pass } = checkFakeWorker()
    for (let i = 0; i < 5; i++) {
      await pass(3)
      requests[i]?.()
    }
    expect(requests).toHaveLength(5)
    expect(onHang).not.toHaveBeenCalled()
  })

  it('sends no requests after the worker died or the check was stopped', async () => {
    for (const end of ['died', 'stopped']) {
      const { worker, requests, onHang, pass } = checkFakeWorker()
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

describe('startHealthCheck with a real worker', () => {
  let worker: Worker
  afterEach(async () => {
    process.kill(worker.pid, 'SIGKILL')
    await once(worker, 'subprocessclose')
  })

  const start = async (onHang: () => void, intervalMs?: number) => {
    worker = await createWorker({ logLevel: 'none' })
    stop = startHealthCheck(worker, onHang, intervalMs)
  }
  const signal = (name: NodeJS.Signals) => process.kill(worker.pid, name)

  /** Blocks this process, as when the machine is suspended. */
  const blockFor = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

  it('reports a hanging process', async () => {
    const reported = new Promise<void>(
      resolve => void start(resolve, INTERVAL_MS).then(() => signal('SIGSTOP')),
    )
    await reported
  })

  it('tolerates a busy process', async () => {
    const onHang = vi.fn()
    await start(onHang)
    await Promise.all(Array.from({ length: 2_000 }, () => worker.createRouter()))
    await Promise.all(Array.from({ length: 20 }, () => worker.dump()))
    expect(onHang).not.toHaveBeenCalled()
  })

  it('tolerates a blocked event loop or a suspended machine', async () => {
    const onHang = vi.fn()
    await start(onHang, INTERVAL_MS)
    for (let i = 0; i < 3; i++) {
      signal('SIGSTOP')
      blockFor(LONG_MS)
      signal('SIGCONT')
      await worker.getResourceUsage()
    }
    expect(onHang).not.toHaveBeenCalled()
  })
})
