/** Work in progress. What has ended is forgotten, so that a long life of its owner takes no memory. */
export class RunningWork {
  readonly #running = new Set<Promise<unknown>>()

  get size(): number {
    return this.#running.size
  }

  /** Returns the work itself: whoever started it handles its failure. */
  add<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const remove = () => void this.#running.delete(work)
    work.then(remove, remove)
    return work
  }

  /** Resolves when everything that is in progress now has ended, however. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
