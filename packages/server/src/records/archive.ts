import { ensure, RECORDINGS_MAX } from '@lectern/protocol'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import type { Blob, BlobStore, RecordedFile, Recording } from './ports.ts'
import { recordingScope } from './scope.ts'
import type { RecordingStore } from './stores/recordings.ts'

/** A recorder's report of a finished job; its files are uploaded already. */
export type FinishedRecording = Omit<Recording, 'ownerId' | 'files' | 'indexedAt'> & { blobIds: string[] }

interface ArchiveOptions {
  store: RecordingStore
  blobs: BlobStore
  /** The technical user who owns a partner's room; null for other conferences. */
  ownerOf: (tag: string) => Promise<number | null>
  clock: Clock
  /** Called when a record was added. */
  onAdded: () => void
}

/** The archive of finished recordings (docs/partner-api.md#recordings). */
export class Archive {
  readonly #parts: ArchiveOptions

  constructor(parts: ArchiveOptions) {
    this.#parts = parts
  }

  /**
   * Adds the record of a job; false when the job has or had one already. Throws `blob_not_found` when a file is not stored,
   * `invalid_argument` when it belongs to another conference or another job.
   */
  async add({ blobIds, ...finished }: FinishedRecording): Promise<boolean> {
    const { store, ownerOf, clock, onAdded } = this.#parts
    if (await store.wasRemoved(finished.jobId)) return false // its files are gone
    const files = await Promise.all(blobIds.map(id => this.#file(id, finished)))
    const ownerId = await ownerOf(finished.conferenceTag)
    const isNew = await store.add({ ...finished, files, ownerId, indexedAt: unixSeconds(clock) })
    if (isNew) onAdded()
    return isNew
  }

  /** The newest records, of one owner's rooms or of all. */
  list(ownerId?: number): Promise<Recording[]> {
    return this.#parts.store.list(RECORDINGS_MAX, ownerId)
  }

  async #file(
    id: string,
    { conferenceTag, jobId }: Omit<FinishedRecording, 'blobIds'>,
  ): Promise<RecordedFile> {
    const blob = await this.#parts.blobs.find(id)
    ensure(blob, 'blob_not_found')
    const isOfConference = blob.scope === recordingScope(conferenceTag)
    ensure(isOfConference, 'invalid_argument', `${id} belongs to another conference.`)
    // The sweep searches for a file only in the record of its own job.
    const isOfJob = blob.jobId === null || blob.jobId === jobId
    ensure(isOfJob, 'invalid_argument', `${id} belongs to another job.`)
    return toFile(blob)
  }
}

const toFile = ({ id, name, size, contentType, sha256 }: Blob): RecordedFile => ({
  path: name,
  blobId: id,
  size,
  contentType,
  sha256,
})
