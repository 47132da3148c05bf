/** A typed list of listeners. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()

  /** Returns a function that removes the listener. */
  readonly on = (listener: (value: T) => void): (() => void) => {
    const own = (value: T) => listener(value) // the same function may be added twice
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** A listener that throws stops neither the others nor the caller: its error becomes an uncaught one. */
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

  get listenerCount(): number {
    return this.#listeners.size
  }
}
