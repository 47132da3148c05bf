import { describe, expect, it } from 'vitest'
import { KeyedMutex, Mutex } from './mutex.ts'

/** Work that notes its start and ends when the test says so. */
function makeWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<string>(resolve => ends.set(name, () => resolve(name)))
  }
  return { started, work, end: (name: string) => ends.get(name)?.() }
}

describe('Mutex', () => {
  it('runs work in the order of the calls, one at a time', async () => {
    const { started, work, end } = makeWork()
    const mutex = new Mutex()
    const [first, second] = [mutex.run(work('first')), mutex.run(work('second'))]
    await Promise.resolve()
    expect(started).toEqual(['first'])
    end('first')
    expect(await first).toBe('first')
    await new Promise(resolve => setTimeout(resolve))
    end('second')
    expect(await second).toBe('second')
  })

  it('continues after work that failed, and reports the failure to its caller only', async () => {
    const mutex = new Mutex()
    const failed = mutex.run(() => {
      throw new Error('broken')
    })
    const next = mutex.run(() => 'done')
    await expect(failed).rejects.toThrow('broken')
    expect(await next).toBe('done')
  })
})

describe('KeyedMutex', () => {
  it('runs work on one key one at a time, and on different keys concurrently', async () => {
    const { started, work, end } = makeWork()
    const mutex = new KeyedMutex()
    const a = mutex.run('a', work('a1'))
    const next = mutex.run('a', work('a2'))
    void mutex.run('b', work('b1'))
    await Promise.resolve()
    expect(started).toEqual(['a1', 'b1'])
    end('a1')
    await a
    await new Promise(resolve => setTimeout(resolve))
    expect(started).toEqual(['a1', 'b1', 'a2'])
    end('a2')
    await next
  })

  it('removes a key when its work is done, even if it failed', async () => {
    const mutex = new KeyedMutex()
    await expect(mutex.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await mutex.run('a', () => 1)).toBe(1)
    await Promise.resolve()
    expect(mutex.size).toBe(0)
  })
})
