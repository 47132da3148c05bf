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
  it('waits out a short gap', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('disconnected')
    await vi.advanceTimersByTimeAsync(499)
    ice.onTransportState('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 0, reopens: 0 })
  })

  it('looks for another way soon, and is content when that is found', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('disconnected')
    await vi.advanceTimersByTimeAsync(500)
    expect(done.restarts).toBe(1)
    ice.onTransportState('connecting')
    ice.onTransportState('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('gives the endpoint up when that does not heal it within five seconds', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('failed')
    ice.onTransportState('connecting')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual({ restarts: 1, reopens: 1 })
  })

  it('gives it up at once when the server knows it no more', async () => {
    const { ice, done } = aRecovery(() => Promise.reject(new Error('refused')))
    ice.restart()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual({ restarts: 1, reopens: 1 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps an endpoint that carries media when the server cannot be asked', async () => {
    const { ice, done } = aRecovery(() => Promise.reject(new Error('deadline_exceeded')))
    ice.onTransportState('connected')
    ice.restart()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('does no harm to an endpoint that has nothing to carry', async () => {
    const { ice, done } = aRecovery()
    ice.restart()
    ice.restart()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('does nothing without the control channel, and begins at once when that is back', async () => {
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

  it('withdraws a restart that the loss of the channel has overtaken, and begins another one', async () => {
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

  it('leaves a transport alone that the loss of the channel did not touch', async () => {
    const { ice, done } = aRecovery()
    ice.onTransportState('connected')
    ice.onControl(false)
    ice.onControl(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 0, reopens: 0 })
  })
})
