const WRAP = 2 ** 16

/** Extends 16-bit sequence numbers beyond their wrap (RFC 3550, appendix A.1). */
export class SequenceExtender {
  #highest: number | null = null

  extend(sequenceNumber: number): number {
    if (this.#highest === null) {
      this.#highest = sequenceNumber + WRAP // keeps late packets before the first one positive
      return this.#highest
    }
    const ahead = (((sequenceNumber - this.#highest) % WRAP) + WRAP + WRAP / 2) % WRAP
    const extended = this.#highest + ahead - WRAP / 2
    this.#highest = Math.max(this.#highest, extended)
    return extended
  }
}
