import type { Vector } from '@lectern/board'
import { Emitter, type Lifetime } from '@lectern/common'
import type { BoardLink, PageSignal } from '../../../call/board/board-link.ts'

const INTERVAL_MS = 100
/** One that rests is sent again before the others forget it. */
const REST_MS = 1_000

/** The positions of people's pointers on pages: the own laser pointer, and those of the others. */
export class Laser {
  readonly #link: BoardLink
  readonly #others = new Map<string, { pageId: string; at: Vector; timer: ReturnType<typeof setTimeout> }>()
  readonly #changed = new Emitter<void>()
  #own: { pageId: string; at: Vector } | null = null
  #sentAtMs = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(link: BoardLink, lifetime: Lifetime) {
    this.#link = link
    lifetime.defer(link.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(() => {
      clearTimeout(this.#timer)
      for (const { timer } of this.#others.values()) clearTimeout(timer)
    })
  }

  readonly onChange = this.#changed.on

  /** All pointers on a page. */
  points(pageId: string): Vector[] {
    const own = this.#own?.pageId === pageId ? [this.#own.at] : []
    return [...own, ...[...this.#others.values()].filter(each => each.pageId === pageId).map(({ at }) => at)]
  }

  /** Null: nowhere any more. */
  point(pageId: string, at: Vector | null): void {
    if (!at && !this.#own) return
    this.#own = at && { pageId, at }
    this.#changed.emit()
    clearTimeout(this.#timer)
    if (at)
      this.#timer = setTimeout(() => this.#send(pageId), this.#sentAtMs + INTERVAL_MS - performance.now())
    else this.#send(pageId)
  }

  #send(pageId: string): void {
    const at = this.#own?.at
    const position = at ? { x: Math.round(at.x), y: Math.round(at.y) } : null
    this.#sentAtMs = performance.now()
    this.#link.signal('board.pointer', pageId, { position })
    if (at) this.#timer = setTimeout(() => this.#send(pageId), REST_MS)
  }

  #onSignal({ name, pageId, sourceId, ttlMs, body }: PageSignal): void {
    if (name !== 'board.pointer') return
    clearTimeout(this.#others.get(sourceId)?.timer)
    const forget = () => {
      this.#others.delete(sourceId)
      this.#changed.emit()
    }
    const { position } = body
    if (!position) {
      forget()
      return
    }
    this.#others.set(sourceId, { pageId, at: position, timer: setTimeout(forget, ttlMs) })
    this.#changed.emit()
  }
}
