import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.useRealTimers())

describe('the setup lock', () => {
  it('runs one task at a time', async () => {
    const file = join(folder, 'one')
    /** @type {string[]} */
    const seen = []
    const work = (/** @type {string} */ name) => async () => {
      seen.push(`${name} begins`)
      await nextTurn()
      seen.push(`${name} ends`)
    }
    await Promise.all([withLock(file, work('first')), withLock(file, work('second'))])
    expect(seen).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  it('is released after a task fails', async () => {
    const file = join(folder, 'failed')
    const work = () => Promise.reject(new Error('no'))
    await expect(withLock(file, work)).rejects.toThrow('no')
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['whose owner has exited', 2 ** 22 + 1, 0], // above the maximum process id
    ['without a recent heartbeat', process.pid, 60],
  ])('takes over a stale lock %s', async (_, owner, secondsAgo) => {
    const file = join(folder, `stale-${owner}`)
    writeFileSync(file, String(owner))
    const then = Date.now() / 1000 - secondsAgo
    utimesSync(file, then, then)
    expect(await withLock(file, async () => 'worked')).toBe('worked')
  })

  it('is touched while the work lasts, and survives its removal by somebody else', async () => {
    const file = join(folder, 'removed')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const worked = withLock(file, async () => {
      utimesSync(file, 1, 1)
      vi.advanceTimersByTime(5_000)
      expect(statSync(file).mtimeMs).toBeGreaterThan(1_000_000)
      rmSync(file)
      vi.advanceTimersByTime(5_000)
      return 'worked'
    })
    expect(await worked).toBe('worked')
    expect(existsSync(file)).toBe(false)
  })

  it('stays with the process that has taken it over', async () => {
    const file = join(folder, 'taken')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await withLock(file, async () => {
      writeFileSync(file, '1')
      utimesSync(file, 1, 1)
      vi.advanceTimersByTime(5_000)
      expect(statSync(file).mtimeMs).toBe(1_000)
    })
    expect(readFileSync(file, 'utf8')).toBe('1')
    rmSync(file)
  })
})
