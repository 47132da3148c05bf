import {
  ensure,
  parseJson,
  TRANSCRIPT_MAX_BYTES,
  TranscriptDocument,
  TranscriptionResult,
} from '@lectern/protocol'
import type { JsonObject } from '@lectern/protocol/control'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { shape } from '../platform/shape.ts'
import type { Job } from './jobs/ports.ts'
import type { BlobStore, Transcript } from './ports.ts'
import { readAll } from './read-all.ts'
import { transcriptScope } from './scope.ts'
import type { TranscriptStore } from './stores/transcripts.ts'

interface TranscriptsOptions {
  store: TranscriptStore
  blobs: BlobStore
  clock: Clock
  /** Called when a transcript was added. */
  onAdded: () => void
}

const readResult = shape('result', TranscriptionResult)
const readDocument = shape('transcript', TranscriptDocument)

/** The transcripts of finished jobs. */
export class Transcripts {
  readonly #parts: TranscriptsOptions

  constructor(parts: TranscriptsOptions) {
    this.#parts = parts
  }

  /**
   * Stores the uploaded document of a finished job and deletes the upload; idempotent, the first transcript remains.
   * Throws `blob_not_found`, or `invalid_argument` for an invalid result or document.
   */
  async save(job: Job, result: JsonObject): Promise<void> {
    const { store, blobs, onAdded } = this.#parts
    const { blob_id: blobId } = readResult(result)
    if (!(await store.has(job.id))) {
      await store.add(await this.#read(job, blobId))
      onAdded()
    }
    const blob = await blobs.find(blobId)
    if (blob?.scope === transcriptScope(job.id)) await blobs.remove(blobId)
  }

  find(jobId: string): Promise<Transcript | null> {
    return this.#parts.store.find(jobId)
  }

  async #read(job: Job, blobId: string): Promise<Transcript> {
    const { blobs, clock } = this.#parts
    const blob = await blobs.find(blobId)
    ensure(blob, 'blob_not_found')
    ensure(blob.scope === transcriptScope(job.id), 'invalid_argument', `${blobId} belongs to something else.`)
    ensure(blob.size <= TRANSCRIPT_MAX_BYTES, 'invalid_argument', 'The transcript is too large.')
    const transcript = readDocument(parseJson((await readAll(await blobs.read(blob))).toString()))
    return {
      jobId: job.id,
      conferenceTag: job.conferenceTag,
      conferenceSessionId: job.conferenceSessionId,
      status: transcript.status,
      language: transcript.language,
      engine: transcript.engine,
      startedAtMs: transcript.started_at_ms,
      endedAtMs: transcript.ended_at_ms,
      reason: transcript.reason,
      text: transcript.text,
      segments: transcript.segments,
      indexedAt: unixSeconds(clock),
    }
  }
}
