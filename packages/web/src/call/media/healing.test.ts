import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Healing } from './healing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aHealing(restart: () => Promise<void> = async () => {}) {
  const done = { restarts: 0, reopens: 0 }
  const healing = new Healing({
    restart: () => {
      done.restarts++
      return restart()
    },
    reopen: () => {
      done.reopens++
    },
  })
  return { healing, done }
}

describe('Healing', () => {
  it('waits out a short gap', async () => {
    const { healing, done } = aHealing()
    healing.is('disconnected')
    await vi.advanceTimersByTimeAsync(499)
    healing.is('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 0, reopens: 0 })
  })

  it('looks for another way soon, and is content when that is found', async () => {
    const { healing, done } = aHealing()
    healing.is('disconnected')
    await vi.advanceTimersByTimeAsync(500)
    expect(done.restarts).toBe(1)
    healing.is('connecting')
    healing.is('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('gives the endpoint up when that does not heal it within five seconds', async () => {
    const { healing, done } = aHealing()
    healing.is('failed')
    healing.is('connecting')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual({ restarts: 1, reopens: 1 })
  })

  it('gives it up at once when the server knows it no more', async () => {
    const { healing, done } = aHealing(() => Promise.reject(new Error('refused')))
    healing.restart()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual({ restarts: 1, reopens: 1 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps an endpoint that carries media when the server cannot be asked', async () => {
    const { healing, done } = aHealing(() => Promise.reject(new Error('deadline_exceeded')))
    healing.is('connected')
    healing.restart()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })

  it('does no harm to an endpoint that has nothing to carry', async () => {
    const { healing, done } = aHealing()
    healing.restart()
    healing.restart()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(done).toEqual({ restarts: 1, reopens: 0 })
  })
})
