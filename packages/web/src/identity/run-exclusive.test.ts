import { describe, expect, it } from 'vitest'
import { createRunExclusive } from './run-exclusive.ts'

/** Work that counts how many run at the same time. */
function worker() {
  const seen = { now: 0, most: 0 }
  const work = async () => {
    seen.most = Math.max(seen.most, ++seen.now)
    await new Promise(setImmediate)
    seen.now--
    return 'done'
  }
  return { seen, work }
}

const refusing = {
  request: async () => {
    throw new DOMException('Storage is blocked.', 'SecurityError')
  },
} as unknown as LockManager

describe('createRunExclusive', () => {
  it.each([
    ['without locks', undefined],
    ['where locks are refused', refusing],
  ])('runs one at a time %s', async (_, locks) => {
    const { seen, work } = worker()
    const runExclusive = createRunExclusive('x', locks)
    expect(await Promise.all([runExclusive(work), runExclusive(work), runExclusive(work)])).toContain('done')
    expect(seen.most).toBe(1)
  })

  it('continues after work that fails', async () => {
    const runExclusive = createRunExclusive('x', undefined)
    await expect(runExclusive(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await runExclusive(async () => 'yes')).toBe('yes')
  })
})
