/** How often, and for how long, a person had a hand up. Two devices at the same time count once. */
export class RaisedHands {
  count = 0
  readonly #up = new Map<string, number>()
  #totalMs = 0
  #sinceMs = 0
  #loweredMs = Number.NEGATIVE_INFINITY

  /** Since when the hand of a participant is up; null while it is not. */
  upSince(participantId: string): number | null {
    return this.#up.get(participantId) ?? null
  }

  /** A repeated report of the same hand has no effect. */
  raise(participantId: string, fromMs: number): void {
    if (this.#up.get(participantId) === fromMs) return
    if (this.#up.size === 0) this.#sinceMs = Math.max(fromMs, this.#loweredMs)
    this.#up.set(participantId, fromMs)
    this.count += 1
  }

  lower(participantId: string, atMs: number): void {
    if (!this.#up.delete(participantId) || this.#up.size > 0) return
    this.#totalMs += Math.max(0, atMs - this.#sinceMs)
    this.#loweredMs = atMs
  }

  /** A hand that is still up counts until then. */
  durationMs(untilMs: number): number {
    return this.#totalMs + (this.#up.size > 0 ? Math.max(0, untilMs - this.#sinceMs) : 0)
  }
}
