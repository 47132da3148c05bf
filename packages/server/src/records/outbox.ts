import { coalesced } from '@lectern/common'
import type { Logger } from 'pino'
import { type Clock, unixSeconds } from '../clock.ts'
import type { Integration, PartnerEvent } from '../hooks.ts'
import { recordingReady, transcriptionReady } from './news.ts'
import type { Recording, Transcript, Untold } from './ports.ts'

interface Parts {
  recordings: Untold<Recording>
  transcripts: Untold<Transcript>
  announce: Integration['notifyPartner']
  clock: Clock
  log: Logger
}

/** Few, because a transcript may be large. */
const AT_ONCE = 20
const AGAIN_AFTER_MS = 5_000

/**
 * Tells partners of what was stored. Records and deliveries are in two stores, so each record remembers whether it
 * was told: one that a crash left untold is told at the next start, and one told twice is the same news.
 */
export class Outbox {
  readonly #parts: Parts
  #againAtMs: number | null = null
  #isStopped = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** There may be something to tell. Resolves when it was tried; never rejects. */
  readonly look = coalesced(() => this.#look())

  /** Tries again what failed. To be called about every second. */
  async tick(): Promise<void> {
    if (this.#againAtMs !== null && this.#parts.clock() >= this.#againAtMs) await this.look()
  }

  /** Resolves when nothing is under way; the rest is told after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.look()
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return
    const { recordings, transcripts, clock, log } = this.#parts
    this.#againAtMs = null
    try {
      await this.#tell(recordings, recordingReady)
      await this.#tell(transcripts, transcriptionReady)
    } catch (error) {
      this.#againAtMs = clock() + AGAIN_AFTER_MS
      log.error({ err: error }, 'partners could not be told of a record yet')
    }
  }

  /** Ends when everything is told, or when there is no module to tell it to. */
  async #tell<T extends Recording | Transcript>(
    store: Untold<T>,
    about: (item: T) => PartnerEvent,
  ): Promise<void> {
    const { announce, clock } = this.#parts
    for (;;) {
      const untold = await store.untold(AT_ONCE)
      for (const item of untold) {
        if (this.#isStopped || !(await announce(item.conferenceTag, about(item)))) return
        await store.markTold(item.jobId, unixSeconds(clock))
      }
      if (untold.length < AT_ONCE) return
    }
  }
}
