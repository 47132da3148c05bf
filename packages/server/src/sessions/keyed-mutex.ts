/** Work on one thing is done one piece after another; different things do not wait for each other. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  run<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const over: Promise<void> = turn.then(
      () => this.#forget(key, over),
      () => this.#forget(key, over),
    )
    this.#last.set(key, over)
    return turn
  }

  #forget(key: string, over: Promise<void>): void {
    if (this.#last.get(key) === over) this.#last.delete(key)
  }
}
