import { describe, expect, it } from 'vitest'
import { StoredValue } from './stored-value.ts'
import { blockedStorage, makeStorage } from './testing.ts'

const storedIn = (storage: () => Storage) => new StoredValue('token', storage)

describe('StoredValue', () => {
  it('finds the text again after a reload of the tab', () => {
    const tab = makeStorage()
    storedIn(() => tab).set('secret')
    expect(storedIn(() => tab).get()).toBe('secret')
  })

  it('keeps the text in memory where storage is blocked', () => {
    const stored = storedIn(blockedStorage)
    expect(stored.get()).toBeNull()
    stored.set('secret')
    expect(stored.get()).toBe('secret')
    stored.remove()
    expect(stored.get()).toBeNull()
  })

  it('prefers the new text when a full storage still holds an old one', () => {
    const tab = makeStorage()
    storedIn(() => tab).set('old')
    const full = {
      ...tab,
      setItem: () => {
        throw new DOMException('Full.', 'QuotaExceededError')
      },
    }
    const stored = storedIn(() => full)
    stored.set('new')
    expect(stored.get()).toBe('new')
  })

  it('leaves nothing behind after remove()', () => {
    const tab = makeStorage()
    const stored = storedIn(() => tab)
    stored.set('secret')
    stored.remove()
    expect(stored.get()).toBeNull()
    expect(tab).toHaveLength(0)
  })
})
