/**
 * A text in a storage of the browser. Storage may be blocked in frames, or full; then memory serves until the tab
 * is closed or reloaded.
 */
export class StoredValue {
  readonly #key: string
  readonly #storage: () => Storage
  #memory: string | null = null

  /** Called for each access: where storage is blocked, the getter throws. */
  constructor(key: string, storage: () => Storage) {
    this.#key = key
    this.#storage = storage
  }

  get(): string | null {
    return this.#memory ?? this.#try(storage => storage.getItem(this.#key))
  }

  /** False: the text is in memory only, and lost when the page is left. */
  set(text: string): boolean {
    const stored = this.#try(storage => {
      storage.setItem(this.#key, text)
      return true
    })
    this.#memory = stored ? null : text
    return stored === true
  }

  remove(): void {
    this.#memory = null
    this.#try(storage => storage.removeItem(this.#key))
  }

  #try<T>(use: (storage: Storage) => T): T | null {
    try {
      return use(this.#storage())
    } catch {
      return null
    }
  }
}
