import {
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
  #index: BoardIndex | null = null

  constructor(from: BoardState | null = null) {
    this.#pages = new Map(from ? [...from.#pages].map(([id, elements]) => [id, new Map(elements)]) : [])
    if (from) this.#index = from.#index
  }

  get pages(): readonly BoardPage[] {
    return this.#index ? this.#index.pages : []
  }

  get shownPage(): BoardPage | undefined {
    return this.pages.find(({ page_id }) => page_id === this.#index?.shown_page_id)
  }

  elementsOf(pageId: string): PageElements {
    return this.#pages.get(pageId) ?? new Map<string, BoardElement>()
  }

  apply({ name, body }: LogLine): void {
    if (name === INDEX_CHANGED) {
      this.#index = body as unknown as BoardIndex
      return
    }
    const { page_id } = body
    if (typeof page_id !== 'string') return
    if (name === PAGE_OPENED) this.#pages.set(page_id, new Map())
    const page = this.#pages.get(page_id)
    if (page) applyPageEvent(page, name, body)
  }
}
