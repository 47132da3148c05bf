import type { Clock } from '../../platform/clock.ts'
import type { DocumentNotice } from '../ports.ts'

/** For each page that is done: how long the next change of the document waits. */
const PAUSE_PER_PAGE_MS = 10
const PAUSE_MAX_MS = 2_000
/** After the death of its owner a session runs again within this time; a failure lasts no longer, or for good. */
const MISSED_MS = 120_000

interface DocumentChangesParts {
  /** Resolves with the number of pages that are done. Rejects when the document cannot be read. */
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
  /**
   * By file, notices of sessions that do not run here, whose owner may just have died, so that this server may be the next;
   * and those that could not be published.
   */
  readonly #missed = new Map<string, { notice: DocumentNotice; atMs: number }>()
  /** By file, the time of the first failure. */
  readonly #failing = new Map<string, number>()

  constructor(parts: DocumentChangesParts) {
    this.#parts = parts
  }

  add(notice: DocumentNotice): void {
    const { isHere, clock } = this.#parts
    this.#failing.delete(notice.fileId)
    if (isHere(notice.conferenceTag)) this.#publish(notice)
    else this.#missed.set(notice.fileId, { notice, atMs: clock() })
  }

  /** The pages of a document did not reach the board: they are published again, for a while. */
  failed(notice: DocumentNotice): void {
    const atMs = this.#failing.get(notice.fileId) ?? this.#parts.clock()
    this.#failing.set(notice.fileId, atMs)
    this.#missed.set(notice.fileId, { notice, atMs })
  }

  /** MUST be called once a second. Publishes what was missed of sessions that run here by now, and what has failed. */
  tick(): void {
    const { isHere, clock } = this.#parts
    const isOver = (atMs: number) => clock() - atMs >= MISSED_MS
    for (const [fileId, { notice, atMs }] of this.#missed) {
      const isDue = !isOver(atMs) && isHere(notice.conferenceTag)
      if (isDue || isOver(atMs)) this.#missed.delete(fileId)
      if (isDue) this.#publish(notice)
    }
    for (const [fileId, atMs] of this.#failing) if (isOver(atMs)) this.#failing.delete(fileId)
  }

  #publish(notice: DocumentNotice): void {
    const turn = this.#turns.get(notice.fileId)
    if (turn && !notice.hasEnded) turn.isDue = true
    else void this.#run(notice)
  }

  /** Takes the place of another run: what that one waited for is published now. */
  async #run(notice: DocumentNotice): Promise<void> {
    const { fileId } = notice
    const turn = { isDue: true }
    this.#turns.set(fileId, turn)
    while (turn.isDue) {
      turn.isDue = false
      const pages = await this.#parts.publish(fileId).catch(() => {
        this.failed(notice)
        return 0
      })
      await this.#parts.pause(Math.min(PAUSE_PER_PAGE_MS * pages, PAUSE_MAX_MS))
      if (this.#turns.get(fileId) !== turn) return
    }
    this.#turns.delete(fileId)
  }
}
