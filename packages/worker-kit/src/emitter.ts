/** A typed list of listeners. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()

  /** Returns a function that removes the listener. */
  on(listener: (value: T) => void): () => void {
    const own = (value: T) => listener(value)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) listener(value)
  }
}
