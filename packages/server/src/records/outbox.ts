import { coalesced } from '@lectern/common'
import type { Logger } from 'pino'
import type { Integration, PartnerEvent } from '../hooks.ts'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { recordingReady, transcriptionReady } from './partner-events.ts'
import type { NotificationStore, Recording, Transcript } from './ports.ts'
import type { RecordingStore } from './stores/recordings.ts'

interface OutboxOptions {
  recordings: Pick<RecordingStore, keyof NotificationStore<Recording> | 'setOwner'>
  transcripts: NotificationStore<Transcript>
  notifyPartner: Integration['notifyPartner']
  withdraw: Integration['withdraw']
  ownerOf: Integration['ownerOf']
  clock: Clock
  /** For durations: it never goes back. */
  monotonicMs: Clock
  log: Logger
}

/** Small, because transcripts may be large. */
const BATCH_SIZE = 20
const RETRY_DELAY_MS = 5_000
/** Records that another server stored and did not report are found within this time. */
const POLL_INTERVAL_MS = 30_000

/**
 * Emits partner events for stored records (transactional outbox). Records and deliveries are in two databases, so each
 * record is marked once its event was accepted. After a crash it is emitted again, which the event's subject deduplicates.
 * Whoever deletes a record removes its deliveries afterwards: one that was accepted later is withdrawn here.
 */
export class Outbox {
  readonly #parts: OutboxOptions
  #nextPollAtMs = 0
  #isStopped = false

  constructor(parts: OutboxOptions) {
    this.#parts = parts
  }

  /** Emits events for all records without one. Never rejects: failures are logged and retried. */
  readonly poll = coalesced(() => this.#poll())

  /** Polls when a retry or the next regular poll is due. Call it about every second. */
  async tick(): Promise<void> {
    if (this.#parts.monotonicMs() >= this.#nextPollAtMs) await this.poll()
  }

  /** Resolves when the present poll has stopped; the rest follows after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.poll()
  }

  async #poll(): Promise<void> {
    if (this.#isStopped) return
    const { recordings, transcripts, monotonicMs, log } = this.#parts
    this.#nextPollAtMs = monotonicMs() + POLL_INTERVAL_MS
    try {
      await this.#notify(recordings, recordingReady, recording => this.#setOwner(recording))
      await this.#notify(transcripts, transcriptionReady)
    } catch (error) {
      this.#nextPollAtMs = monotonicMs() + RETRY_DELAY_MS
      log.error({ err: error }, 'partners could not be notified of a record: retried in seconds')
    }
  }

  /** A record that was stored while the partner module was disabled has no owner yet, in whose archive it must be listed. */
  async #setOwner({ jobId, ownerId, conferenceTag }: Recording): Promise<void> {
    if (ownerId !== null) return
    const owner = await this.#parts.ownerOf(conferenceTag)
    if (owner !== null) await this.#parts.recordings.setOwner(jobId, owner)
  }

  /** Returns when all records are notified, or when the partner module is disabled. */
  async #notify<T extends Recording | Transcript>(
    store: NotificationStore<T>,
    toEvent: (item: T) => PartnerEvent,
    prepare: (item: T) => Promise<void> = async () => {},
  ): Promise<void> {
    const { notifyPartner, withdraw, clock } = this.#parts
    for (;;) {
      const unnotified = await store.listUnnotified(BATCH_SIZE)
      for (const item of unnotified) {
        if (this.#isStopped) return
        await prepare(item)
        const event = toEvent(item)
        if (!(await notifyPartner(item.conferenceTag, event).catch(naming(item)))) return
        if (!(await store.markNotified(item.jobId, unixSeconds(clock)))) await withdraw(event.subject)
      }
      if (unnotified.length < BATCH_SIZE) return
    }
  }
}

/** The log writes enumerable properties of an error: the line names the job. */
const naming =
  ({ jobId, conferenceSessionId }: Recording | Transcript) =>
  (error: unknown): never => {
    const about = { job_id: jobId, conference_session_id: conferenceSessionId }
    throw error instanceof Error ? Object.assign(error, about) : error
  }
