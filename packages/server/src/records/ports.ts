import type { Readable } from 'node:stream'
import type { TranscriptionSegment } from '@lectern/protocol'

/** What an uploader says of a file before its bytes come. */
export interface NewBlob {
  /** The account that it belongs to: the owner of the conference, else whoever uploads. */
  ownerId: number
  /** Whose the bytes are beside their owner's: `recording:<conference_tag>` (docs/uploads.md). */
  scope: string
  /** Who brought it; null: not known, as of blobs that came before this was kept. */
  jobId: string | null
  /** Logical path inside the recording, e.g. `tracks/audio/device_7.ogg`. */
  name: string
  contentType: string
  size: number
  /** Lowercase hex. */
  sha256: string
}

/** A stored file. It never changes. */
export interface Blob extends NewBlob {
  /** `b_<hex>`; cannot be guessed. */
  id: string
  /** Unix seconds. */
  createdAt: number
}

/** What has to be known of a blob to read it. */
export type StoredBytes = Pick<Blob, 'id' | 'size'>

/** Bytes of a blob, both ends included. */
export interface Span {
  start: number
  end: number
}

/** Where the bytes of recordings are. What is being uploaded is not found until it is whole. */
export interface BlobStore {
  find(id: string): Promise<Blob | null>
  /**
   * Opens the bytes; whoever takes them goes through them, or ends the iteration. A piece is good until the next is
   * asked for, and throws when bytes are missing. Throws `blob_not_found` when all are.
   */
  read(blob: StoredBytes, span?: Span): Promise<AsyncIterable<Buffer>>
  remove(id: string): Promise<void>
}

/** How bytes come in, maybe in several pieces and over a restart. One call at a time for each upload. */
export interface BlobIntake {
  /** Makes room for an upload and gives its id. Throws `insufficient_storage`. */
  begin(blob: NewBlob): Promise<string>
  /** How far an upload has come; null when there is no such upload. */
  progress(id: string): Promise<Progress | null>
  /**
   * Adds bytes at the end and gives the new length; what came before a break stays. Throws
   * `insufficient_storage`, `blob_not_found`, or `invalid_argument` when the upload is not at `offset` or there
   * are too many bytes.
   */
  append(id: string, offset: number, bytes: Readable): Promise<number>
  /**
   * Checks the bytes and stores them for good; may be repeated. Throws `blob_not_found`, or `invalid_argument`
   * when bytes are missing or wrong. Wrong ones are forgotten, together with the upload.
   */
  finish(id: string): Promise<Blob>
}

export interface Progress {
  blob: Blob
  received: number
}

/** A file of a recording, as it was stored. */
export interface RecordedFile {
  path: string
  blobId: string
  size: number
  contentType: string
  sha256: string
}

/** A finished recording job. There is one record for each job, and it never changes. */
export interface Recording {
  jobId: string
  /** The technical user who owns the room; null for conferences that are no partner's. */
  ownerId: number | null
  conferenceTag: string
  /** 0 when it is not known. */
  conferenceSessionId: number
  profile: string
  status: string
  startedAtMs: number
  endedAtMs: number
  durationMs: number
  outputDir: string
  files: RecordedFile[]
  /** The recorder's own report. */
  artifact: Record<string, unknown>
  /** Unix seconds. */
  indexedAt: number
}

/** What partners are told of: each store remembers of which records they were. */
export interface Untold<T> {
  /** Those that nobody was told of, oldest first. */
  untold(limit: number): Promise<T[]>
  /** `at` in Unix seconds. */
  markTold(jobId: string, at: number): Promise<void>
}

export interface RecordingStore extends Untold<Recording> {
  /** False when the job has its record already; that one stays. */
  add(recording: Recording): Promise<boolean>
  find(jobId: string): Promise<Recording | null>
  /** Last indexed first; of one owner, or of everybody. */
  list(limit: number, ownerId?: number): Promise<Recording[]>
  count(): Promise<number>
}

/** Who said what: a phrase of a transcript, as partners get it (docs/webhooks.md#transcriptionready). */
export type Segment = TranscriptionSegment

/** What one run of a transcriber heard. There is one for each job, and it never changes. */
export interface Transcript extends TranscriptHead {
  text: string
  segments: Segment[]
}

export interface TranscriptHead {
  jobId: string
  conferenceTag: string
  conferenceSessionId: number
  status: string
  language: string
  engine: string
  startedAtMs: number
  endedAtMs: number
  reason: string
  /** Unix seconds. */
  indexedAt: number
}

export interface TranscriptStore extends Untold<Transcript> {
  /** False when the job has its transcript already; that one stays. */
  add(transcript: Transcript): Promise<boolean>
  find(jobId: string): Promise<Transcript | null>
  has(jobId: string): Promise<boolean>
  /** Last stored first; of one conference, or of all. */
  list(limit: number, conferenceTag?: string): Promise<TranscriptHead[]>
}
