import {
  applyBoardChanged,
  applyPageEvent,
  type BoardElement,
  type BoardIndex,
  type BoardPage,
  type PageElements,
} from '@lectern/protocol/control/client'
import type { LogLine } from '../session/log-reader.ts'
import { INDEX_CHANGED, PAGE_OPENED } from './board-log.ts'

/** The board at a time, from the lines of its log until then. */
export class BoardState {
  readonly #pages: Map<string, PageElements>
  #index: BoardIndex | undefined
  /** What a page had when its stream was opened was logged at the same time. */
  #opening: { pageId: string; atMs: number } | null = null
  /** When the board was opened, or somebody last drew, erased or turned a page; null: never in this session. */
  #activeAtMs: number | null = null

  constructor(from: BoardState | null = null) {
    this.#pages = new Map(from ? [...from.#pages].map(([id, elements]) => [id, new Map(elements)]) : [])
    this.#index = from ? from.#index : undefined
    this.#activeAtMs = from ? from.#activeAtMs : null
  }

  get index(): BoardIndex | undefined {
    return this.#index
  }

  get activeAtMs(): number | null {
    return this.#activeAtMs
  }

  /** Whether a page is shown to everybody. */
  get isOpen(): boolean {
    return this.shownPage !== undefined
  }

  get shownPage(): BoardPage | undefined {
    return this.#index?.pages.find(({ page_id }) => page_id === this.#index?.shown_page_id)
  }

  elementsOf(pageId: string): PageElements {
    return this.#pages.get(pageId) ?? new Map<string, BoardElement>()
  }

  apply({ name, body, at_ms }: LogLine): void {
    if (name === INDEX_CHANGED) {
      const before = this.#index ? this.#index.shown_page_id : null
      this.#index = applyBoardChanged(this.#index, body as Partial<BoardIndex>)
      const shown = this.#index ? this.#index.shown_page_id : null
      if (shown !== null && shown !== before) this.#activeAtMs = at_ms
      return
    }
    const { page_id } = body
    if (typeof page_id !== 'string') return
    if (name === PAGE_OPENED) {
      this.#pages.set(page_id, new Map())
      this.#opening = { pageId: page_id, atMs: at_ms }
      return
    }
    const page = this.#pages.get(page_id)
    if (!page) return
    applyPageEvent(page, name, body)
    const isContent = this.#opening?.pageId === page_id && this.#opening.atMs === at_ms
    if (!isContent && page_id === this.#index?.shown_page_id) this.#activeAtMs = at_ms
  }
}
