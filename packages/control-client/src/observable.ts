/** A value with change notification, as React's useSyncExternalStore expects it. */
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

/** A typed event with its listeners. */
export class Emitter<T> {
  #listeners = new Set<(value: T) => void>()

  /** Returns a function that removes the listener. */
  on = (listener: (value: T) => void): (() => void) => {
    const own = (value: T) => listener(value)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** An error in a listener is rethrown in a microtask, so that it stops neither the other listeners nor the client. */
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
