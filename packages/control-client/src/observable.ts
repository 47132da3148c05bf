/** A value that views read and watch; it fits React's useSyncExternalStore as it is. */
export interface Readable<T> {
  get: () => T
  subscribe: (listener: () => void) => () => void
}

export class Observable<T> implements Readable<T> {
  #value: T
  #changed = new Emitter<T>()

  constructor(value: T) {
    this.#value = value
  }

  get = () => this.#value
  subscribe = (listener: () => void) => this.#changed.on(listener)

  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    this.#changed.emit(value)
  }
}

/** Listeners for something that happens. */
export class Emitter<T> {
  #listeners = new Set<(value: T) => void>()

  /** Returns what takes the listener away again. */
  on = (listener: (value: T) => void): (() => void) => {
    const own = (value: T) => listener(value)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** A listener that throws is told to the platform, and neither stops the others nor the client. */
  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
