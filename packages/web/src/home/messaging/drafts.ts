import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** The most drafts that are kept; the oldest are dropped. */
const DRAFTS_MAX = 50

/** Texts that were written and not sent, by conversation. They survive a reload of the page. */
export class Drafts extends Observable<ReadonlyMap<string, string>> {
  readonly #stored: StoredValue

  /** `stored` is in session storage: drafts end with the tab. */
  constructor(stored: StoredValue) {
    super(read(stored.get()))
    this.#stored = stored
  }

  readonly write = (chatId: string, text: string): void => {
    const drafts = new Map(this.get())
    drafts.delete(chatId)
    if (text !== '') drafts.set(chatId, text)
    const kept = [...drafts].slice(-DRAFTS_MAX)
    this.#stored.set(JSON.stringify(kept))
    this.set(new Map(kept))
  }
}

function read(text: string | null): Map<string, string> {
  try {
    const entries: unknown = JSON.parse(text ?? '[]')
    const isEntry = (each: unknown): each is [string, string] =>
      Array.isArray(each) && each.length === 2 && each.every(part => typeof part === 'string')
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}
