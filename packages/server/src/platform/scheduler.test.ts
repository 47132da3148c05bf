import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Scheduler } from './scheduler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const errors: unknown[] = []
  const scheduler = new Scheduler({ error: (...line: unknown[]) => void errors.push(line) })
  return { scheduler, errors }
}

describe('the scheduler', () => {
  it('runs a task in every period, and first after its own delay', async () => {
    const { scheduler } = open()
    const runs: string[] = []
    scheduler.add({ everyMs: 100, run: () => runs.push('plain'), onFailure: '' })
    scheduler.add({ everyMs: 100, firstAfterMs: 10, run: () => runs.push('early'), onFailure: '' })
    await vi.advanceTimersByTimeAsync(99)
    expect(runs).toEqual(['early'])
    await vi.advanceTimersByTimeAsync(1)
    expect(runs).toEqual(['early', 'plain', 'early'])
  })

  it('logs a run that fails, and runs the task again', async () => {
    const { scheduler, errors } = open()
    const failure = new Error('broken')
    scheduler.add({ everyMs: 100, run: () => Promise.reject(failure), onFailure: 'sweep failed' })
    await vi.advanceTimersByTimeAsync(200)
    const logged = [{ err: failure }, 'sweep failed']
    expect(errors).toEqual([logged, logged])
  })

  it('does not run a task again while it is running, and reports one that never ends', async () => {
    const { scheduler, errors } = open()
    const ends: (() => void)[] = []
    const run = () => new Promise<void>(resolve => void ends.push(resolve))
    scheduler.add({ everyMs: 100, firstAfterMs: 10, run, onFailure: 'sweep failed' })
    await vi.advanceTimersByTimeAsync(59_000)
    expect(ends).toHaveLength(1)
    expect(errors).toEqual([])
    await vi.advanceTimersByTimeAsync(59_000)
    expect(errors).toMatchObject([[{ err: { message: 'still running after 60 s' } }, 'sweep failed']])
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(100)
    expect(ends).toHaveLength(2)
  })

  it('runs hourly tasks at different times, none in the first hour', async () => {
    const { scheduler } = open()
    const runs: string[] = []
    for (const name of ['one', 'two', 'three'])
      scheduler.addHourly({ run: () => runs.push(`${name} ${Date.now() - begunAt}`), onFailure: '' })
    const begunAt = Date.now()
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(runs).toEqual(['one 3600000', 'two 3620000', 'three 3640000', 'one 7200000'])
    scheduler.addHourly({ run: () => runs.push('four'), onFailure: '' })
    scheduler.stop()
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(runs).toHaveLength(4)
  })

  it('runs nothing after it is stopped', async () => {
    const { scheduler } = open()
    const runs: string[] = []
    scheduler.add({ everyMs: 100, firstAfterMs: 10, run: () => runs.push('run'), onFailure: '' })
    scheduler.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(runs).toEqual([])
  })
})
