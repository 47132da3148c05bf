/** A value that tells when it changes. Rules extend it; views read it through `useValue`. */
export class Observable<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  readonly get = (): T => this.#value

  /** Returns the way to stop listening. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.onFirst()
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.onLast()
    }
  }

  protected set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }

  /** Someone has begun to listen: the moment to start whatever feeds the value. */
  protected onFirst(): void {}

  /** Nobody listens any more. */
  protected onLast(): void {}
}
