const KEY = 'lectern.link-token'

/**
 * Where a signed link's token lives: in this tab's session storage and nowhere else (contract §2.2 rule 2).
 * A page in a frame may find storage blocked; then memory serves until the tab is closed or reloaded.
 */
export class TokenStore {
  readonly #storage: () => Storage
  #memory: string | null = null

  /** The getter itself throws where storage is blocked, so it is asked each time. */
  constructor(storage: () => Storage) {
    this.#storage = storage
  }

  get(): string | null {
    return this.#memory ?? this.#try(storage => storage.getItem(KEY))
  }

  set(token: string): void {
    const stored = this.#try(storage => {
      storage.setItem(KEY, token)
      return true
    })
    this.#memory = stored ? null : token
  }

  forget(): void {
    this.#memory = null
    this.#try(storage => storage.removeItem(KEY))
  }

  #try<T>(use: (storage: Storage) => T): T | null {
    try {
      return use(this.#storage())
    } catch {
      return null
    }
  }
}
