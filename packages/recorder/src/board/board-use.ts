import type { BoardIndex } from '@lectern/protocol/control/client'
import type { LogLine } from '../session/log-reader.ts'
import { INDEX_CHANGED, PAGE_OPENED } from './board-log.ts'
import { begunAtMs, elementsIn } from './stroke-growth.ts'

/** A page was shown, the board was closed, or somebody changed the page that is shown. */
export interface Use {
  atMs: number
  isOpen: boolean
}

/** Finds in the lines of a board's log, in order, when it was used. */
export class BoardUse {
  #shown: { pageId: string | null; sinceMs: number } = { pageId: null, sinceMs: 0 }
  /** The page that was opened last: its content was logged at the same time, and nobody drew it then. */
  #opened: { pageId: unknown; atMs: number } = { pageId: null, atMs: 0 }

  /** Null: the board was not used. */
  next(line: LogLine): Use | null {
    const { name, body, at_ms } = line
    if (name === INDEX_CHANGED) {
      const pageId = (body as unknown as BoardIndex).shown_page_id
      if (pageId === this.#shown.pageId) return null
      this.#shown = { pageId, sinceMs: at_ms }
      return { atMs: at_ms, isOpen: pageId !== null }
    }
    if (name === PAGE_OPENED) this.#opened = { pageId: body.page_id, atMs: at_ms }
    const isContent = this.#opened.pageId === body.page_id && this.#opened.atMs === at_ms
    if (isContent || body.page_id !== this.#shown.pageId) return null
    // A stroke may have begun before its page was shown: nobody saw it then.
    return { atMs: Math.max(beginOf(line), this.#shown.sinceMs), isOpen: true }
  }
}

/** The time at which the logged change began. */
const beginOf = (line: LogLine): number =>
  Math.min(line.at_ms, ...elementsIn(line).map(element => begunAtMs(line, element)))
