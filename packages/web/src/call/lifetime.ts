/** Things begun together and ended together, the last one first. */
export class Lifetime {
  #closers: (() => unknown)[] = []
  #over = false

  /** What is added after the end is ended at once. */
  own(close: () => unknown): void {
    if (this.#over) close()
    else this.#closers.push(close)
  }

  close(): void {
    this.#over = true
    for (const close of this.#closers.splice(0).reverse()) close()
  }
}
