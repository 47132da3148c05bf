import { tryEach } from '@lectern/common'
import { ensure } from '@lectern/protocol'
import type { Logger } from 'pino'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import type {
  BlobStore,
  OwnRecording,
  OwnRecordingPage,
  RecordedFile,
  RecordingRemoval,
  Transcript,
  UnfinishedRecording,
} from './ports.ts'
import type { OwnRecordingStore } from './stores/own-recordings.ts'
import type { RecordingRemovalStore } from './stores/recording-removals.ts'

interface OwnRecordingsOptions {
  store: OwnRecordingStore
  removals: RecordingRemovalStore
  blobs: Pick<BlobStore, 'remove'>
  clock: Clock
  log: Pick<Logger, 'error'>
}

const DAY_S = 24 * 3600
/** How long a failed recording is listed. */
const FAILED_SHOWN_MS = 7 * DAY_S * 1000
const UNFINISHED_MAX = 50
/** More runs than a session has in practice. */
const TRANSCRIPTS_MAX = 50
/** Longer than jobs are stored, so that no late result of a job restores anything. */
const REMOVALS_KEPT_S = 90 * DAY_S

/** Recordings of users' conferences, for the owner of the conference (docs/http-api.md#own-recordings). */
export class OwnRecordings {
  readonly #parts: OwnRecordingsOptions

  constructor(parts: OwnRecordingsOptions) {
    this.#parts = parts
  }

  list(page: OwnRecordingPage): Promise<OwnRecording[]> {
    return this.#parts.store.list(page)
  }

  /** Recordings that are still made, and those that failed in the last days. */
  listUnfinished(ownerId: number): Promise<UnfinishedRecording[]> {
    const { store, clock } = this.#parts
    return store.listUnfinished(ownerId, clock() - FAILED_SHOWN_MS, UNFINISHED_MAX)
  }

  /** Throws `recording_not_found`, as for another user's. */
  async find(ownerId: number, id: string): Promise<OwnRecording> {
    const recording = await this.#parts.store.find(ownerId, id)
    ensure(recording, 'recording_not_found')
    return recording
  }

  /** Throws `recording_not_found` or `blob_not_found`. */
  async findFile(ownerId: number, id: string, blobId: string): Promise<RecordedFile> {
    const { files } = await this.find(ownerId, id)
    const file = files.find(each => each.blobId === blobId)
    ensure(file, 'blob_not_found')
    return file
  }

  /** The transcripts made during the recording. Throws `recording_not_found`. */
  async transcripts(ownerId: number, id: string): Promise<{ recording: OwnRecording; runs: Transcript[] }> {
    const recording = await this.find(ownerId, id)
    return { recording, runs: await this.#parts.store.listTranscripts(recording, TRANSCRIPTS_MAX) }
  }

  /**
   * Removes the record and its transcript at once, then its files; what an interruption leaves is removed by `sweep`.
   * Idempotent. Throws `recording_not_found`.
   */
  async remove(ownerId: number, id: string): Promise<void> {
    if (await this.#isPresent(ownerId, id)) await this.removeAny(id)
    else {
      const removal = await this.#parts.removals.findPending(id)
      if (removal) await this.#removeFiles(removal)
    }
  }

  /** `remove` for administrators: the record of any owner. False when there is none, and no removal to complete. */
  async removeAny(id: string): Promise<boolean> {
    const { removals, clock, log } = this.#parts
    // An earlier request may have been interrupted.
    const removal = (await removals.begin(id, unixSeconds(clock))) ?? (await removals.findPending(id))
    if (!removal) return false
    await this.#removeFiles(removal).catch(error =>
      log.error(
        { err: error, job_id: id },
        'files of a removed recording could not be removed: retried by the next sweep',
      ),
    )
    return true
  }

  /** Completes interrupted removals; rejects when all have been tried. */
  async sweep(): Promise<void> {
    const { removals, clock } = this.#parts
    await removals.sweep(unixSeconds(clock) - REMOVALS_KEPT_S)
    const pending = await removals.listPending()
    await tryEach(pending, removal => this.#removeFiles(removal))
  }

  /** False: it was removed. Throws `recording_not_found`. */
  async #isPresent(ownerId: number, id: string): Promise<boolean> {
    const { store, removals } = this.#parts
    if (await store.find(ownerId, id)) return true
    ensure(await removals.isRemoved(ownerId, id), 'recording_not_found')
    return false
  }

  async #removeFiles({ jobId, blobIds }: RecordingRemoval): Promise<void> {
    const { blobs, removals, clock } = this.#parts
    await tryEach(blobIds, id => blobs.remove(id))
    await removals.complete(jobId, unixSeconds(clock))
  }
}
