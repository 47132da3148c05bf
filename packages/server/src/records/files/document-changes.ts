import type { Clock } from '../../platform/clock.ts'
import type { DocumentNotice } from '../ports.ts'

/** For each page that is done: how long the next change of the document waits. */
const PAUSE_PER_PAGE_MS = 10
const PAUSE_MAX_MS = 2_000
/** After the death of its owner a session runs again within this time. */
const MISSED_MS = 120_000

interface DocumentChangesParts {
  /** Returns how many pages are done. MUST NOT reject. */
  publish: (fileId: string) => Promise<number>
  pause: (ms: number) => Promise<void>
  /** Whether this server runs the session of the conference. */
  isHere: (conferenceTag: string) => boolean
  clock: Clock
}

/**
 * Publishes that documents have changed: the first page and the end of the conversion at once, the pages between them
 * together with those that are done within a time that grows with their number, up to two seconds. Each time all pages are
 * read, and the board's index with all of them is sent to everybody: one by one, the cost would grow with their square.
 *
 * Every server gets every notice, and the one that runs the session publishes it.
 */
export class DocumentChanges {
  readonly #parts: DocumentChangesParts
  /** Documents that were published a moment ago. */
  readonly #turns = new Map<string, { isDue: boolean }>()
  /** By file, of sessions that do not run here: their owner may just have died, and this server be the next. */
  readonly #missed = new Map<string, { notice: DocumentNotice; atMs: number }>()

  constructor(parts: DocumentChangesParts) {
    this.#parts = parts
  }

  add(notice: DocumentNotice): void {
    const { isHere, clock } = this.#parts
    if (isHere(notice.conferenceTag)) this.#publish(notice)
    else this.#missed.set(notice.fileId, { notice, atMs: clock() })
  }

  /** MUST be called once a second. Publishes what was missed of sessions that run here by now. */
  tick(): void {
    const { isHere, clock } = this.#parts
    for (const [fileId, { notice, atMs }] of this.#missed) {
      const isFound = isHere(notice.conferenceTag)
      if (isFound) this.#publish(notice)
      if (isFound || clock() - atMs >= MISSED_MS) this.#missed.delete(fileId)
    }
  }

  #publish({ fileId, hasEnded = false }: DocumentNotice): void {
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
