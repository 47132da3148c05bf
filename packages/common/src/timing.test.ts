import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { interruptibleSleep, pollUntil, withTimeout } from './timing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Whether the promise has settled by now. */
async function hasSettled(promise: Promise<unknown>) {
  let settled = false
  promise.then(
    () => (settled = true),
    () => (settled = true),
  )
  await vi.advanceTimersByTimeAsync(0)
  return settled
}

describe('interruptibleSleep', () => {
  it('resolves after its time', async () => {
    const sleep = interruptibleSleep(1_000, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(999)
    expect(await hasSettled(sleep)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await hasSettled(sleep)).toBe(true)
  })

  it('resolves when the signal aborts, and leaves no timer behind', async () => {
    const controller = new AbortController()
    const sleep = interruptibleSleep(1_000, controller.signal)
    controller.abort()
    await sleep
    await interruptibleSleep(1_000, controller.signal)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('withTimeout', () => {
  const late = () => new Error('late')

  it('settles like work that is in time, and leaves no timer behind', async () => {
    expect(await withTimeout(Promise.resolve(1), 1_000, late)).toBe(1)
    await expect(withTimeout(Promise.reject(new Error('broken')), 1_000, late)).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects when the work takes longer', async () => {
    const limited = withTimeout(new Promise(() => {}), 1_000, late)
    const rejected = expect(limited).rejects.toThrow('late')
    await vi.advanceTimersByTimeAsync(1_000)
    await rejected
  })
})

describe('pollUntil', () => {
  it('returns the first truthy result', async () => {
    const results = [null, 0, 'found']
    const polled = pollUntil(() => results.shift(), { intervalMs: 50, timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(100)
    expect(await polled).toBe('found')
  })

  it('returns null after the timeout', async () => {
    const polled = pollUntil(() => false, { intervalMs: 50, timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(999)
    expect(await hasSettled(polled)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await polled).toBe(null)
  })

  it('polls less often the longer it takes, if requested', async () => {
    const poll = vi.fn(() => false)
    const polled = pollUntil(poll, { intervalMs: 20, maxIntervalMs: 200, timeoutMs: 10_000 })
    await vi.advanceTimersByTimeAsync(200)
    expect(poll).toHaveBeenCalledTimes(11)
    await vi.advanceTimersByTimeAsync(1_800)
    expect(poll.mock.calls.length).toBeLessThan(40)
    poll.mockClear()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(poll).toHaveBeenCalledTimes(10)
    await vi.runAllTimersAsync()
    expect(await polled).toBe(null)
  })
})
