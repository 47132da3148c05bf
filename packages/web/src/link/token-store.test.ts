import { describe, expect, it } from 'vitest'
import { TokenStore } from './token-store.ts'

function tabStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: key => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: key => void items.delete(key),
    clear: () => items.clear(),
    key: index => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

const blocked = (): Storage => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

describe('TokenStore', () => {
  it('finds the token again after a reload of the tab', () => {
    const tab = tabStorage()
    new TokenStore(() => tab).set('secret')
    expect(new TokenStore(() => tab).get()).toBe('secret')
  })

  it('keeps the token in memory where storage is blocked', () => {
    const store = new TokenStore(blocked)
    expect(store.get()).toBeNull()
    store.set('secret')
    expect(store.get()).toBe('secret')
    store.forget()
    expect(store.get()).toBeNull()
  })

  it('prefers the new token when a full storage still holds an old one', () => {
    const tab = tabStorage()
    new TokenStore(() => tab).set('old')
    const full = {
      ...tab,
      setItem: () => {
        throw new DOMException('Full.', 'QuotaExceededError')
      },
    }
    const store = new TokenStore(() => full)
    store.set('new')
    expect(store.get()).toBe('new')
  })

  it('forgets the token of a link that was left', () => {
    const tab = tabStorage()
    const store = new TokenStore(() => tab)
    store.set('secret')
    store.forget()
    expect(store.get()).toBeNull()
    expect(tab).toHaveLength(0)
  })
})
