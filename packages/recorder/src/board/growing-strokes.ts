import type { BoardListener } from '@lectern/worker-kit'
import { elementsIn, type Growth } from './stroke-growth.ts'

/** After the last sign of a stroke: it is in the log of the board by then, or was given up. */
const FORGOTTEN_AFTER_MS = 5_000
/** A stroke that takes longer begins late in the recording. */
export const STROKE_MAX_MS = 60_000
/** Beyond what a class draws at once; anybody may send ink of any number. */
const STROKES_MAX = 10_000
/** A minute of ink. */
const STEPS_MAX = 600

/**
 * The strokes that are being drawn. How they have grown is known when they are stored: what is recorded since the first of them
 * began is not final before.
 */
export class GrowingStrokes {
  readonly #strokes = new Map<string, [points: number, atMs: number][]>()

  /** Some of its points have arrived. */
  readonly inked = (pageId: string, elementId: string, points: number, atMs: number): void => {
    const key = keyOf(pageId, elementId)
    const known = this.#strokes.get(key)
    if (known) {
      if (known.length >= STEPS_MAX) known.pop()
      known.push([points, atMs])
    } else if (this.#strokes.size < STROKES_MAX) this.#strokes.set(key, [[points, atMs]])
  }

  /** The strokes among these elements are complete. Returns how they have grown, by element. */
  stored(pageId: string, elementIds: readonly string[]): Record<string, Growth> {
    const grown: Record<string, Growth> = {}
    for (const id of elementIds) {
      const growth = this.#strokes.get(keyOf(pageId, id))
      if (growth) grown[id] = growth
      this.#strokes.delete(keyOf(pageId, id))
    }
    return grown
  }

  /** When the first of them began that are drawn at that time, or were a moment ago; infinite: none is. */
  sinceMs(nowMs: number): number {
    let firstMs = Number.POSITIVE_INFINITY
    for (const [key, growth] of this.#strokes) {
      const sinceMs = growth[0]?.[1] ?? 0
      const atMs = growth.at(-1)?.[1] ?? 0
      if (nowMs - atMs > FORGOTTEN_AFTER_MS || nowMs - sinceMs > STROKE_MAX_MS) this.#strokes.delete(key)
      else firstMs = Math.min(firstMs, sinceMs)
    }
    return firstMs
  }
}

const keyOf = (pageId: string, elementId: string): string => `${pageId} ${elementId}`

/** Passes what happens on; with strokes that are stored, how they have grown. */
export const withGrowth = (listener: BoardListener, strokes: GrowingStrokes): BoardListener => ({
  ...listener,
  inked: strokes.inked,
  happened(pageId, name, body, atMs) {
    const ids = elementsIn({ name, body }).map(({ element_id }) => element_id)
    const grown = strokes.stored(pageId, ids)
    listener.happened(pageId, name, Object.keys(grown).length > 0 ? { ...body, grown } : body, atMs)
  },
})
