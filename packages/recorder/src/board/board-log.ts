import { join } from 'node:path'
import type { JsonObject } from '@lectern/protocol/control'
import type { BoardElement, BoardIndex } from '@lectern/protocol/control/client'
import { type Dropped, LogFile } from '../session/log-file.ts'
import { linesOf } from '../session/log-reader.ts'

const BOARD_LOG = 'board.jsonl'

/** Names of lines beside the events of pages, whose bodies have a `page_id` here. The first has the whole index. */
export const INDEX_CHANGED = 'board.changed'
/** All elements of the page follow: what it had before does not count. */
export const PAGE_OPENED = 'page.opened'

/** The length of a line is limited, and a page has up to four megabytes. */
const LINE_CHARACTERS = 256 * 1024

/**
 * `board.jsonl`: the index of the board and what happened on the pages that were shown, in all attempts. Elements are
 * logged when the server has stored them.
 */
export class BoardLog extends LogFile {
  constructor(folder: string, onDropped?: (dropped: Dropped) => void) {
    super(join(folder, BOARD_LOG), onDropped)
  }

  changed(index: BoardIndex, atMs: number): void {
    this.add(INDEX_CHANGED, index as unknown as JsonObject, atMs)
  }

  /** The content of a page at the time when its stream was opened, or opened again. */
  opened(pageId: string, elements: readonly BoardElement[], atMs: number): void {
    this.add(PAGE_OPENED, { page_id: pageId }, atMs)
    for (const part of inParts(elements))
      this.add('board.elements', { page_id: pageId, elements: part } as unknown as JsonObject, atMs)
  }

  happened(pageId: string, name: string, body: JsonObject, atMs: number): void {
    this.add(name, { page_id: pageId, ...body }, atMs)
  }

  /** The pages that were followed so far, also by earlier attempts; the one that was opened last comes last. */
  followedPages(): string[] {
    const ids = new Set<string>()
    for (const { name, body } of linesOf(this.file)) {
      if (name !== PAGE_OPENED || typeof body.page_id !== 'string') continue
      ids.delete(body.page_id)
      ids.add(body.page_id)
    }
    return [...ids]
  }

  /** Nothing else has it. */
  protected override isEssential(): boolean {
    return true
  }
}

function* inParts(elements: readonly BoardElement[]): Generator<BoardElement[]> {
  let part: BoardElement[] = []
  let characters = 0
  for (const element of elements) {
    const length = JSON.stringify(element).length
    if (part.length > 0 && characters + length > LINE_CHARACTERS) {
      yield part
      part = []
      characters = 0
    }
    part.push(element)
    characters += length
  }
  if (part.length > 0) yield part
}
