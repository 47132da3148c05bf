import { decodePoints, encodePoints, type InkPoint, type StrokeKind } from '@lectern/board'
import { Emitter, type Lifetime } from '@lectern/common'
import { INK_NUMBERS_MAX, POINT_NUMBERS } from '@lectern/protocol/control/client'
import type { BoardLink, PageSignal } from '../../../call/board/board-link.ts'

/** A stroke that is being drawn. */
export interface Ink {
  pageId: string
  id: string
  kind: StrokeKind
  color: string
  width: number
  points: InkPoint[]
}

/** The interval that the server permits. */
const INTERVAL_MS = 100
/** A stroke begins with a few points. */
const FIRST_AFTER_MS = 20
const POINTS_MAX = INK_NUMBERS_MAX / POINT_NUMBERS
/** A longer stroke of somebody else is shown when it is stored: all of it is drawn again in every frame. */
const SHOWN_POINTS_MAX = 2_000
/** While the pen rests, its last point is sent again: otherwise others would forget the stroke. */
const REPEATED_AFTER_MS = 2_000
/** Ink of others that is not continued, nor arrives as an element, disappears. */
const FORGOTTEN_AFTER_MS = 4_000

/** Strokes while they are drawn: the own one for the others, and the others'. They are not stored. */
export class LiveInk {
  readonly #link: BoardLink
  readonly #others = new Map<string, { ink: Ink; sourceId: string; timer: ReturnType<typeof setTimeout> }>()
  readonly #changed = new Emitter<void>()
  #own: Ink | null = null
  #sent = 0
  #sentAtMs = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(link: BoardLink, lifetime: Lifetime) {
    this.#link = link
    lifetime.defer(link.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(
      link.onPage(({ pageId, ids }) => {
        for (const id of ids ?? []) if (this.#others.get(id)?.ink.pageId === pageId) this.#forget(id)
      }),
    )
    lifetime.defer(() => {
      this.end()
      for (const { timer } of this.#others.values()) clearTimeout(timer)
    })
  }

  readonly onChange = this.#changed.on

  others(pageId: string): Ink[] {
    return [...this.#others.values()].map(({ ink }) => ink).filter(each => each.pageId === pageId)
  }

  /** The caller adds points to the ink until `end`. */
  begin(ink: Ink): void {
    this.end()
    this.#own = ink
    this.#sent = 0
    const waitMs = Math.max(FIRST_AFTER_MS, this.#sentAtMs + INTERVAL_MS - performance.now())
    this.#timer = setTimeout(() => this.#send(), waitMs)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#own = null
  }

  #send(): void {
    this.#timer = setTimeout(() => this.#send(), INTERVAL_MS)
    const own = this.#own
    if (!own) return
    const isResting = this.#sent === own.points.length
    if (isResting && performance.now() - this.#sentAtMs < REPEATED_AFTER_MS) return
    const first_index = isResting ? this.#sent - 1 : this.#sent
    const points = own.points.slice(first_index, first_index + POINTS_MAX)
    const { pageId, id: element_id, kind, color, width } = own
    this.#link.signal('board.ink', pageId, {
      ...{ element_id, kind, color, width, first_index },
      points: encodePoints(points),
    })
    this.#sent = first_index + points.length
    this.#sentAtMs = performance.now()
  }

  #onSignal(signal: PageSignal): void {
    if (signal.name !== 'board.ink') return
    const { element_id: id, kind, color, width, points } = signal.body
    const { pageId, sourceId } = signal
    // The stroke was committed before its last signal arrived.
    if (this.#link.page(pageId)?.has(id)) return
    const known = this.#others.get(id)
    // A stroke is continued only by the person who has begun it.
    if (known && known.sourceId !== sourceId) return
    clearTimeout(known?.timer)
    const ink = known?.ink ?? { pageId, id, kind, color, width, points: [] }
    ink.points.push(...decodePoints(points).slice(0, SHOWN_POINTS_MAX - ink.points.length))
    this.#others.set(id, { ink, sourceId, timer: setTimeout(() => this.#forget(id), FORGOTTEN_AFTER_MS) })
    this.#changed.emit()
  }

  #forget(id: string): void {
    clearTimeout(this.#others.get(id)?.timer)
    if (this.#others.delete(id)) this.#changed.emit()
  }
}
