import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IceRecovery } from './ice-recovery.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aRecovery(restart: (signal: AbortSignal) => Promise<void> = async () => {}) {
  const done = { restarts: 0, reopens: 0 }
  const ice = new IceRecovery({
    restart: signal => {
      done.restarts++
      return restart(signal)
    },
    reopen: () => {
      done.reopens++
    },
  })
  return { ice, done }
}

describe('IceRecovery', () => {
  it('waits out a short interruption', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('disconnected')
    await vi.advanceTimersByTimeAsync(499)
    ice.onTransportState('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 0, reopens: 0 })
  })

  it('restarts ICE soon, and is idle when that succeeds', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('disconnected')
    await vi.advanceTimersByTimeAsync(500)
    expect(done.restarts).toBe(1)
    ice.onTransportState('connecting')
    ice.onTransportState('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('reopens the endpoint when a restart does not help within five seconds', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('failed')
    ice.onTransportState('connecting')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual({ restarts: 1, reopens: 1 })
  })

  it('reopens at once when the server no longer has the endpoint', async () => {
    const { ice, done } = aRecovery(() => Promise.reject(new Error('refused')))
    ice.restart()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual({ restarts: 1, reopens: 1 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps an endpoint that carries media when the restart cannot be requested', async () => {
    const { ice, done } = aRecovery(() => Promise.reject(new Error('deadline_exceeded')))
    ice.onTransportState('connected')
    ice.restart()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('keeps an endpoint that has nothing to carry', async () => {
    const { ice, done } = aRecovery()
    ice.restart()
    ice.restart()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('does nothing without the control channel, and restarts as soon as it is back', async () => {
    for (const state of ['disconnected', 'failed'] as const) {
      const { ice, done } = aRecovery()
      ice.onControl(false)
      ice.onTransportState(state)
      ice.restart()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(done).toEqual({ restarts: 0, reopens: 0 })
      ice.onControl(true)
      expect(done).toEqual({ restarts: 1, reopens: 0 })
    }
  })

  it('aborts a restart when the control channel is lost, and starts another one afterwards', async () => {
    const signals: AbortSignal[] = []
    const { ice, done } = aRecovery(signal => {
      signals.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', reject))
    })
    ice.onTransportState('failed')
    ice.onControl(false)
    await vi.advanceTimersByTimeAsync(60_000)
    ice.onControl(true)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(done).toEqual({ restarts: 2, reopens: 0 })
  })

  it('leaves a transport alone that the lost control channel did not affect', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('connected')
    ice.onControl(false)
    ice.onControl(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 0, reopens: 0 })
  })
})
