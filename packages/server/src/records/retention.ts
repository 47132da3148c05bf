import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { tryEach } from '@lectern/common'
import type { Logger } from 'pino'
import type { RetentionStore } from '../operations/stores/retention.ts'
import type { Clock } from '../platform/clock.ts'

interface RetentionOptions {
  store: RetentionStore
  /** Removes the record of a recording, its files and its transcript, with a row in the audit log. */
  removeRecording: (jobId: string) => Promise<unknown>
  /** Deletes guests as `users.anonymizeGuests` does. */
  anonymizeGuests: (beforeMs: number, limit: number) => Promise<number>
  /** Null: for ever. */
  days: { recordings: number | null; chats: number | null; guests: number | null }
  clock: Clock
  log: Pick<Logger, 'info'>
}

const DAY_MS = 86_400_000
const BATCH = 200
const BATCHES = 50

/** Removes what is older than the operator wants it to be (`[Retention]`). */
export class Retention {
  readonly #parts: RetentionOptions

  constructor(parts: RetentionOptions) {
    this.#parts = parts
  }

  /** Rejects when everything has been tried. */
  async sweep(): Promise<void> {
    const sweeps = [
      () => this.#sweepRecordings(),
      () => this.#sweepTranscripts(),
      () => this.#sweepChats(),
      () => this.#sweepGuests(),
    ]
    await tryEach(sweeps, each => each())
  }

  async #sweepRecordings(): Promise<void> {
    const { store, removeRecording, days, log } = this.#parts
    const beforeMs = this.#before(days.recordings)
    if (beforeMs === null) return
    const jobs = await store.listRecordings(beforeMs, BATCH * BATCHES)
    await tryEach(jobs, job => removeRecording(job))
    if (jobs.length > 0) log.info({ recordings: jobs.length }, 'old recordings were removed')
  }

  async #sweepTranscripts(): Promise<void> {
    const { store, days, log } = this.#parts
    const beforeMs = this.#before(days.recordings)
    if (beforeMs === null) return
    const transcripts = await inBatches(limit => store.removeTranscripts(beforeMs, limit))
    if (transcripts > 0) log.info({ transcripts }, 'old transcripts were removed')
  }

  async #sweepChats(): Promise<void> {
    const { store, days, log } = this.#parts
    const beforeMs = this.#before(days.chats)
    if (beforeMs === null) return
    const messages = await inBatches(limit => store.removeMessages(beforeMs, limit))
    if (messages > 0) log.info({ messages }, 'old messages were removed')
  }

  async #sweepGuests(): Promise<void> {
    const { anonymizeGuests, days, log } = this.#parts
    const beforeMs = this.#before(days.guests)
    if (beforeMs === null) return
    const guests = await inBatches(limit => anonymizeGuests(beforeMs, limit))
    if (guests > 0) log.info({ guests }, 'guests who have not come for long were removed')
  }

  #before(days: number | null): number | null {
    return days === null ? null : this.#parts.clock() - days * DAY_MS
  }
}

/** Other work runs between the batches. The rest of a large backlog is left to the next sweep. */
async function inBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let total = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const removed = await remove(BATCH)
    total += removed
    if (removed < BATCH) break
    await yieldToEventLoop()
  }
  return total
}
