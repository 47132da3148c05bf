const WRAP = 2 ** 16

/** Sequence numbers without their wrap at 16 bits. */
export class Sequence {
  #highest: number | null = null

  extend(sequenceNumber: number): number {
    if (this.#highest === null) {
      this.#highest = sequenceNumber + WRAP // so that what comes late before the first is positive
      return this.#highest
    }
    const ahead = (((sequenceNumber - this.#highest) % WRAP) + WRAP + WRAP / 2) % WRAP
    const extended = this.#highest + ahead - WRAP / 2
    this.#highest = Math.max(this.#highest, extended)
    return extended
  }
}
