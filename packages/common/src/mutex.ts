/** Runs one piece of work after another, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => {})
    return run
  }
}

/** A mutex for each key; work on different keys does not wait for each other. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()

  run<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const run = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const release = () => {
      if (this.#last.get(key) === done) this.#last.delete(key)
    }
    const done: Promise<void> = run.then(release, release)
    this.#last.set(key, done)
    return run
  }

  /** Keys with work that runs or waits. */
  get size(): number {
    return this.#last.size
  }
}
