/** After the last sign of a stroke: it is in the log of the board by then, or was given up. */
const FORGOTTEN_AFTER_MS = 5_000
/** A stroke that takes longer begins late in the recording. */
export const STROKE_MAX_MS = 60_000
/** Beyond what a class draws at once; anybody may send ink of any number. */
const STROKES_MAX = 10_000

/**
 * The strokes that are being drawn. How they have grown is known when they are stored: what is recorded since the first of them
 * began is not final before.
 */
export class GrowingStrokes {
  readonly #strokes = new Map<string, { sinceMs: number; atMs: number }>()

  /** Some of its points have arrived. */
  readonly inked = (pageId: string, elementId: string, atMs: number): void => {
    const key = `${pageId} ${elementId}`
    const known = this.#strokes.get(key)
    if (known) known.atMs = atMs
    else if (this.#strokes.size < STROKES_MAX) this.#strokes.set(key, { sinceMs: atMs, atMs })
  }

  /** When the first of them began that are drawn at that time, or were a moment ago; infinite: none is. */
  sinceMs(nowMs: number): number {
    let firstMs = Number.POSITIVE_INFINITY
    for (const [key, { sinceMs, atMs }] of this.#strokes)
      if (nowMs - atMs > FORGOTTEN_AFTER_MS || nowMs - sinceMs > STROKE_MAX_MS) this.#strokes.delete(key)
      else firstMs = Math.min(firstMs, sinceMs)
    return firstMs
  }
}
