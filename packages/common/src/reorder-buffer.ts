interface Ordered<T> {
  item: T
  sequence: number
  /** Numbers that are missing directly before it. */
  missingBefore: number
}

/** Restores the order of items by their (extended) sequence numbers. What is taken too early to be complete leaves gaps. */
export class ReorderBuffer<T> {
  #waiting: { sequence: number; item: T }[] = []
  #lastTaken: number | null = null

  get size(): number {
    return this.#waiting.length
  }

  /** `late`: an item with this number or a later one has been taken. `repeated`: it waits already. */
  add(sequence: number, item: T): 'added' | 'late' | 'repeated' {
    if (this.#lastTaken !== null && sequence <= this.#lastTaken) return 'late'
    let index = this.#waiting.length
    while (index > 0 && (this.#waiting[index - 1]?.sequence ?? 0) > sequence) index -= 1
    if (this.#waiting[index - 1]?.sequence === sequence) return 'repeated'
    this.#waiting.splice(index, 0, { sequence, item })
    return 'added'
  }

  /** Takes items in order, as long as the next one `isDue`. */
  take(isDue: (next: Ordered<T>, waiting: number) => boolean): Ordered<T>[] {
    const taken: Ordered<T>[] = []
    for (const { sequence, item } of this.#waiting) {
      const missingBefore = this.#lastTaken === null ? 0 : sequence - this.#lastTaken - 1
      const next = { item, sequence, missingBefore }
      if (!isDue(next, this.#waiting.length - taken.length)) break
      this.#lastTaken = sequence
      taken.push(next)
    }
    this.#waiting = this.#waiting.slice(taken.length)
    return taken
  }
}
