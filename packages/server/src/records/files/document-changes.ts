import type { DocumentNotice } from '../ports.ts'

/** For each page that is done: how long the next change of the document waits. */
const PAUSE_PER_PAGE_MS = 10
const PAUSE_MAX_MS = 2_000

interface DocumentChangesParts {
  /** Returns how many pages are done. MUST NOT reject. */
  publish: (fileId: string) => Promise<number>
  pause: (ms: number) => Promise<void>
}

/**
 * Publishes that documents have changed: the first page and the end of the conversion at once, the pages between them
 * together with those that are done within a time that grows with their number, up to two seconds. Each time all pages are
 * read, and the board's index with all of them is sent to everybody: one by one, the cost would grow with their square.
 */
export class DocumentChanges {
  readonly #parts: DocumentChangesParts
  /** Documents that were published a moment ago. */
  readonly #turns = new Map<string, { isDue: boolean }>()

  constructor(parts: DocumentChangesParts) {
    this.#parts = parts
  }

  add({ fileId, hasEnded = false }: Pick<DocumentNotice, 'fileId' | 'hasEnded'>): void {
    const turn = this.#turns.get(fileId)
    if (turn && !hasEnded) turn.isDue = true
    else void this.#run(fileId)
  }

  /** Takes the place of another run: what that one waited for is published now. */
  async #run(fileId: string): Promise<void> {
    const turn = { isDue: true }
    this.#turns.set(fileId, turn)
    while (turn.isDue) {
      turn.isDue = false
      const pages = await this.#parts.publish(fileId)
      await this.#parts.pause(Math.min(PAUSE_PER_PAGE_MS * pages, PAUSE_MAX_MS))
      if (this.#turns.get(fileId) !== turn) return
    }
    this.#turns.delete(fileId)
  }
}
