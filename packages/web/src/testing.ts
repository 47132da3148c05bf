/** An in-memory storage. */
export function makeStorage(): Storage {
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

/** A storage that the browser blocks. */
export const blockedStorage = (): Storage => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
