import type { Readable } from 'node:stream'
import {
  type Capability,
  CONVERTED_FILE_MAX_BYTES,
  ensure,
  TRANSCRIPT_MAX_BYTES,
  UPLOAD_MAX_BYTES,
  UploadMetadata,
} from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import type { User } from '../accounts/ports.ts'
import { shape } from '../platform/shape.ts'
import type { ConferenceFiles } from './files/conference-files.ts'
import { type Documents, scopeOfJob } from './files/documents.ts'
import type { Job } from './jobs/ports.ts'
import type { Blob, BlobIntake, NewBlob, Progress } from './ports.ts'
import { FILE_SCOPE, recordingScope, transcriptScope } from './scope.ts'

interface UploadsOptions {
  blobs: BlobIntake
  /** Jobs that workers of the account hold. */
  listLeasedJobs: (userId: number) => Promise<Job[]>
  /** The owner of the conference; null when it no longer exists. */
  ownerOf: (tag: string) => Promise<number | null>
  files: Pick<ConferenceFiles, 'plan' | 'begin' | 'isPlanned' | 'isOwn' | 'complete'>
  documents: Pick<Documents, 'onUploaded'>
}

const readMetadata = shape('metadata', UploadMetadata)

/** By kind of job: the capability to upload, the maximum size and the scope of its files. */
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
  conversion: { needs: 'jobs.converter', max: CONVERTED_FILE_MAX_BYTES, scope: scopeOfJob },
}

/** Uploads of workers, which are accepted only for jobs that the worker holds, and of participants. */
export class Uploads implements BlobIntake {
  readonly #parts: UploadsOptions
  readonly #traffic = { active: 0, bytes: 0 }
  readonly #finishing = new Map<string, Promise<Blob>>()

  constructor(parts: UploadsOptions) {
    this.#parts = parts
  }

  get canOverlap(): boolean {
    return this.#parts.blobs.canOverlap
  }

  /**
   * Validates a new upload. Throws `invalid_argument`, `permission_denied` or `payload_too_large`; for participants, also what
   * ConferenceFiles.plan throws.
   */
  async plan(user: User, address: string, size: number, metadata: unknown): Promise<NewBlob> {
    if (isOfParticipant(metadata)) return this.#parts.files.plan(user, address, size, metadata)
    const { job_id, path, content_type, sha256 } = readMetadata(metadata)
    const held = await this.#leasedJobs(user)
    const job = held.find(({ id }) => id === job_id)
    ensure(job, 'permission_denied', 'This account does not hold that job.')
    const { max, scope } = kinds[job.kind]
    ensure(size <= max, 'payload_too_large', `A file of this job may have ${max} bytes.`)
    const ownerId = (await this.#parts.ownerOf(job.conferenceTag)) ?? user.id
    return { ownerId, scope: scope(job), jobId: job.id, name: path, contentType: content_type, size, sha256 }
  }

  /** The progress of an upload. Throws `blob_not_found`, or `permission_denied` when the user does not hold its job. */
  async progressFor(user: User, id: string): Promise<Progress> {
    const progress = await this.progress(id)
    ensure(progress, 'blob_not_found')
    if (progress.blob.scope === FILE_SCOPE) {
      ensure(await this.#parts.files.isOwn(user, id), 'permission_denied', 'This is not your upload.')
      return progress
    }
    const held = await this.#leasedJobs(user)
    const isOfTheirs = held.some(job => kinds[job.kind].scope(job) === progress.blob.scope)
    ensure(isOfTheirs, 'permission_denied', 'This account does not hold the job of this upload.')
    return progress
  }

  begin(blob: NewBlob): Promise<string> {
    const { files, blobs } = this.#parts
    return files.isPlanned(blob) ? files.begin(blob) : blobs.begin(blob)
  }

  progress = (id: string) => this.#parts.blobs.progress(id)

  async append(id: string, offset: number, bytes: Readable): Promise<number> {
    this.#traffic.active++
    try {
      const end = await this.#parts.blobs.append(id, offset, bytes)
      this.#traffic.bytes += end - offset
      return end
    } finally {
      this.#traffic.active--
    }
  }

  /** Concurrent calls share one execution. */
  finish(id: string): Promise<Blob> {
    const finishing = this.#finishing.get(id) ?? this.#finish(id).finally(() => this.#finishing.delete(id))
    this.#finishing.set(id, finishing)
    return finishing
  }

  /**
   * Completes an upload, and at once gives the file to its purpose; also when a crash came in between and the client
   * repeats the request.
   */
  async #finish(id: string): Promise<Blob> {
    const { blobs, files, documents } = this.#parts
    const blob = await blobs.finish(id)
    if (blob.scope === FILE_SCOPE) await files.complete(blob)
    else await documents.onUploaded(blob)
    return blob
  }

  get metrics() {
    return {
      uploads_under_way: { help: 'Upload requests in progress.', read: () => this.#traffic.active },
      uploads_received_bytes: {
        help: 'Bytes received by uploads since the start.',
        type: 'counter' as const,
        read: () => this.#traffic.bytes,
      },
    }
  }

  async #leasedJobs({ id, capabilities }: User): Promise<Job[]> {
    const held = await this.#parts.listLeasedJobs(id)
    return held.filter(({ kind }) => capabilities.includes(kinds[kind].needs))
  }
}

/** Workers name their job instead. */
const isOfParticipant = (metadata: unknown): boolean =>
  typeof metadata === 'object' && metadata !== null && 'purpose' in metadata
