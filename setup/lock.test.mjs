import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lectern-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the setup lock', () => {
  it('runs one task at a time', async () => {
    const file = join(folder, 'one')
    const seen = []
    const work = name => async () => {
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
})
