import { describe, expect, it } from 'vitest'
import { StoredValue } from '../../stored-value.ts'
import { makeStorage } from '../../testing.ts'
import { Volumes } from './volumes.ts'

describe('Volumes', () => {
  it('are full until the viewer changes them, apart for voice and screen, also after a reload', () => {
    const storage = makeStorage()
    const stored = new StoredValue('volumes', () => storage)
    const volumes = new Volumes(stored)
    expect(volumes.of('9', 'voice')).toBe(1)
    volumes.choose('9', 'voice', 0.3)
    volumes.choose('9', 'screen', 0)
    volumes.choose('10', 'voice', 0.5)
    volumes.choose('10', 'voice', 1)
    const reloaded = new Volumes(stored)
    expect([reloaded.of('9', 'voice'), reloaded.of('9', 'screen'), reloaded.of('10', 'voice')]).toEqual([
      0.3, 0, 1,
    ])
  })

  it.each(['', 'x', '7', '{}', '[1,[2],["a","b"],["c",7],["d",-1],["e",null]]'])(
    'survive %s in the storage',
    text => {
      const storage = makeStorage()
      storage.setItem('volumes', text)
      const volumes = new Volumes(new StoredValue('volumes', () => storage))
      for (const id of ['a', 'c', 'd']) expect(volumes.of(id, 'voice')).toBe(1)
    },
  )

  it('are kept for a bounded number of people', () => {
    const storage = makeStorage()
    const volumes = new Volumes(new StoredValue('volumes', () => storage))
    for (let id = 0; id < 300; id++) volumes.choose(String(id), 'voice', 0.5)
    expect(volumes.get().size).toBe(200)
    expect([volumes.of('0', 'voice'), volumes.of('299', 'voice')]).toEqual([1, 0.5])
  })
})
