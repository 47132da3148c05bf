/** For each the server sends fewer layers of simulcast (media/layers.ts). */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 640, height: 360 },
  { width: 320, height: 180 },
] as const

/** Qualities of a connection are 0 (lost) to 10; they follow losses within some seconds. */
const LOSSY = 6
const CLEAN = 9
/** The quality reflects the last change after this time. */
const SETTLED_AFTER_MS = 10_000
/** How long there must be no losses before more is sent; twice as long after each time that this was too much. */
const RAISE_AFTER_MS = 15_000
const RAISE_AFTER_MAX_MS = 240_000

/**
 * The size in which a player that gives no feedback about its bandwidth gets video: smaller while much is lost. More is
 * tried after a time without losses.
 */
export class LossAdaptation {
  #level = 0
  #quality = CLEAN
  #cleanSinceMs = Number.NEGATIVE_INFINITY
  #changedAtMs = Number.NEGATIVE_INFINITY
  #raisedAtMs = Number.NEGATIVE_INFINITY
  #raiseAfterMs = RAISE_AFTER_MS

  get size(): (typeof SIZES)[number] {
    return SIZES[this.#level] ?? SIZES[0]
  }

  /** The quality of the connection has changed. */
  setQuality(quality: number, nowMs: number): void {
    if (quality >= CLEAN && this.#quality < CLEAN) this.#cleanSinceMs = nowMs
    this.#quality = quality
  }

  /** Whether the size changes now. MUST be called every few seconds. */
  tick(nowMs: number): boolean {
    const isSettled = nowMs - this.#changedAtMs >= SETTLED_AFTER_MS
    const isLossy = this.#quality > 0 && this.#quality <= LOSSY
    if (isLossy && isSettled && this.#level < SIZES.length - 1) {
      const wasTooMuch = nowMs - this.#raisedAtMs < RAISE_AFTER_MAX_MS / 4
      this.#raiseAfterMs = wasTooMuch ? Math.min(2 * this.#raiseAfterMs, RAISE_AFTER_MAX_MS) : RAISE_AFTER_MS
      this.#level += 1
      this.#changedAtMs = nowMs
      return true
    }
    const since = Math.max(this.#changedAtMs, this.#cleanSinceMs)
    if (this.#quality < CLEAN || this.#level === 0 || nowMs - since < this.#raiseAfterMs) return false
    this.#level -= 1
    this.#changedAtMs = nowMs
    this.#raisedAtMs = nowMs
    return true
  }
}
