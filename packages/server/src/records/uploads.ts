import type { Readable } from 'node:stream'
import {
  type Capability,
  ensure,
  TRANSCRIPT_MAX_BYTES,
  UPLOAD_MAX_BYTES,
  UploadMetadata,
} from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import type { User } from '../accounts/ports.ts'
import type { Job } from '../jobs/ports.ts'
import { shape } from '../shape.ts'
import type { Blob, BlobIntake, NewBlob, Progress } from './ports.ts'
import { recordingScope, transcriptScope } from './scope.ts'

interface Parts {
  blobs: BlobIntake
  /** What workers of the account hold. */
  heldBy: (userId: number) => Promise<Job[]>
  /** Whose conference it is; null when it is nobody's any more. */
  ownerOf: (tag: string) => Promise<number | null>
}

const readMetadata = shape('metadata', UploadMetadata)

/** What files of a job of each kind are: who brings them, how large they may be, and for whom they are. */
const kinds: Record<JobKind, { needs: Capability; max: number; scope: (job: Job) => string }> = {
  recording: {
    needs: 'jobs.recorder',
    max: UPLOAD_MAX_BYTES,
    scope: ({ conferenceTag }) => recordingScope(conferenceTag),
  },
  transcription: {
    needs: 'jobs.transcriber',
    max: TRANSCRIPT_MAX_BYTES,
    scope: ({ id }) => transcriptScope(id),
  },
}

/** Files that workers bring: only of jobs that they hold, while they hold them. */
export class Uploads implements BlobIntake {
  readonly #parts: Parts
  readonly #traffic = { underWay: 0, bytes: 0 }
  readonly #finishing = new Map<string, Promise<Blob>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * What a new upload would be. Throws `invalid_argument`, `permission_denied` or `payload_too_large`.
   */
  async plan(user: User, size: number, metadata: unknown): Promise<NewBlob> {
    const { job_id, path, content_type, sha256 } = readMetadata(metadata)
    const held = await this.#heldBy(user)
    const job = held.find(({ id }) => id === job_id)
    ensure(job, 'permission_denied', 'This account does not hold that job.')
    const { max, scope } = kinds[job.kind]
    ensure(size <= max, 'payload_too_large', `A file of this job may have ${max} bytes.`)
    const ownerId = (await this.#parts.ownerOf(job.conferenceTag)) ?? user.id
    return { ownerId, scope: scope(job), jobId: job.id, name: path, contentType: content_type, size, sha256 }
  }

  /** How far it has come. Throws `blob_not_found`, or `permission_denied` when the user does not hold its job. */
  async look(user: User, id: string): Promise<Progress> {
    const progress = await this.progress(id)
    ensure(progress, 'blob_not_found')
    const held = await this.#heldBy(user)
    const isOfTheirs = held.some(job => kinds[job.kind].scope(job) === progress.blob.scope)
    ensure(isOfTheirs, 'permission_denied', 'This account does not hold the job of this upload.')
    return progress
  }

  begin = (blob: NewBlob) => this.#parts.blobs.begin(blob)

  progress = (id: string) => this.#parts.blobs.progress(id)

  async append(id: string, offset: number, bytes: Readable): Promise<number> {
    this.#traffic.underWay++
    try {
      const end = await this.#parts.blobs.append(id, offset, bytes)
      this.#traffic.bytes += end - offset
      return end
    } finally {
      this.#traffic.underWay--
    }
  }

  /** May be repeated also while it is being done. */
  finish(id: string): Promise<Blob> {
    const finishing =
      this.#finishing.get(id) ?? this.#parts.blobs.finish(id).finally(() => this.#finishing.delete(id))
    this.#finishing.set(id, finishing)
    return finishing
  }

  get readings() {
    return {
      uploads_under_way: { help: 'Requests that bring bytes.', read: () => this.#traffic.underWay },
      uploads_received_bytes: { help: 'Bytes since the start.', read: () => this.#traffic.bytes },
    }
  }

  async #heldBy({ id, capabilities }: User): Promise<Job[]> {
    const held = await this.#parts.heldBy(id)
    return held.filter(({ kind }) => capabilities.includes(kinds[kind].needs))
  }
}
