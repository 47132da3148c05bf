import { describe, expect, it } from 'vitest'
import { StoredValue } from './stored-value.ts'
import { blockedStorage, makeStorage } from './testing.ts'

const keep = (storage: () => Storage) => new StoredValue('token', storage)

describe('StoredValue', () => {
  it('finds the text again after a reload of the tab', () => {
    const tab = makeStorage()
    keep(() => tab).set('secret')
    expect(keep(() => tab).get()).toBe('secret')
  })

  it('keeps the text in memory where storage is blocked', () => {
    const kept = keep(blockedStorage)
    expect(kept.get()).toBeNull()
    kept.set('secret')
    expect(kept.get()).toBe('secret')
    kept.remove()
    expect(kept.get()).toBeNull()
  })

  it('prefers the new text when a full storage still holds an old one', () => {
    const tab = makeStorage()
    keep(() => tab).set('old')
    const full = {
      ...tab,
      setItem: () => {
        throw new DOMException('Full.', 'QuotaExceededError')
      },
    }
    const kept = keep(() => full)
    kept.set('new')
    expect(kept.get()).toBe('new')
  })

  it('leaves nothing behind after remove()', () => {
    const tab = makeStorage()
    const kept = keep(() => tab)
    kept.set('secret')
    kept.remove()
    expect(kept.get()).toBeNull()
    expect(tab).toHaveLength(0)
  })
})
