import type { Readable } from 'node:stream'
import type { ConversionFailure, FilePurpose, PageWidth, TranscriptionSegment } from '@lectern/protocol'
import type { User } from '../accounts/ports.ts'

/** Metadata of a file, as announced before its upload. */
export interface NewBlob {
  /** The owner of the conference, else the uploading account. */
  ownerId: number
  /** Grants access to others than the owner: `recording:<conference_tag>` (docs/uploads.md). */
  scope: string
  /** The job that uploaded it; null for blobs from before this was stored. */
  jobId: string | null
  /** Logical path inside the recording, e.g. `tracks/audio/device_7.ogg`. */
  name: string
  contentType: string
  size: number
  /** Lowercase hex. */
  sha256: string
}

/** A stored file. It is immutable. */
export interface Blob extends NewBlob {
  /** `b_<hex>`, with 128 random bits. */
  id: string
  /** Unix seconds. */
  createdAt: number
}

export type StoredBytes = Pick<Blob, 'id' | 'size'>

/** A range of bytes, both ends included. */
export interface Span {
  start: number
  end: number
}

/** Stored files. An upload is not visible before it is finished. */
export interface BlobStore {
  find(id: string): Promise<Blob | null>
  /**
   * Streams the bytes; callers MUST finish or close the iteration. A chunk is valid until the next one is requested. The
   * iteration throws when bytes are missing; the call throws `blob_not_found` when the file is.
   */
  read(blob: StoredBytes, span?: Span): Promise<AsyncIterable<Buffer>>
  /** Whether there is a file to read. */
  exists(blob: StoredBytes): Promise<boolean>
  /** The path of a complete file in the folder of the store; null if there is none, as in an object storage. */
  locate(blob: StoredBytes): Promise<string | null>
  remove(id: string): Promise<void>
}

/** Resumable uploads, also across a restart. */
export interface BlobIntake {
  /** Whether calls for one upload MAY overlap, in this process and in others. */
  readonly canOverlap: boolean
  /** Creates an upload and returns its id. Throws `insufficient_storage`. */
  begin(blob: NewBlob): Promise<string>
  /** Null when there is no such upload. */
  progress(id: string): Promise<Progress | null>
  /**
   * Appends bytes and returns the new length; whole pieces (`uploadPieceBytes`) received before an interruption remain,
   * and a store MAY keep whole pieces only. Throws `insufficient_storage`, `temporarily_unavailable`, `blob_not_found`, or
   * `invalid_argument` for a wrong `offset`, too many bytes, or less than a piece where that is required.
   */
  append(id: string, offset: number, bytes: Readable): Promise<number>
  /**
   * Verifies and stores the upload durably; idempotent. Throws `blob_not_found`, or `invalid_argument` when bytes are
   * missing or do not match the hash; the upload is deleted in the latter case.
   */
  finish(id: string): Promise<Blob>
}

export interface Progress {
  blob: Blob
  received: number
}

export interface RecordedFile {
  path: string
  blobId: string
  size: number
  contentType: string
  sha256: string
}

/** The record of a finished recording job: at most one per job, immutable but for a missing owner. */
export interface Recording {
  jobId: string
  /** The technical user who owns the room; null for ordinary conferences, and for rooms while the partner module is disabled. */
  ownerId: number | null
  conferenceTag: string
  /** 0 when unknown. */
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

/** Marks the records that partners were notified of. */
export interface NotificationStore<T> {
  /** Oldest first. */
  listUnnotified(limit: number): Promise<T[]>
  /** `at` in Unix seconds. False: the record was deleted. */
  markNotified(jobId: string, at: number): Promise<boolean>
}

/** A phrase of a transcript and its speaker (docs/webhooks.md#transcriptionready). */
export type Segment = TranscriptionSegment

/** The transcript of a finished job: at most one per job, immutable. */
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

/** Whether the speech of a recording was written down; `processing`: a transcriber has not finished yet. */
export type TranscriptState = 'none' | 'processing' | 'ready'

/** A recording of a user's conference. */
export interface OwnRecording extends Recording {
  /** Grows with every record that is added. */
  position: number
  /** The conference's title, also after the conference was removed. */
  title: string
  transcript: TranscriptState
}

/** A recording job of a user's conference without a record. `processing`: the files are being made. */
export interface UnfinishedRecording {
  jobId: string
  conferenceTag: string
  title: string
  state: 'recording' | 'processing' | 'failed'
  createdAtMs: number
}

export interface OwnRecordingPage {
  ownerId: number
  /** Only records with a lower position. */
  before?: number | undefined
  limit: number
}

/** Files of a removed recording that may still exist. */
export interface RecordingRemoval {
  jobId: string
  blobIds: string[]
}

export interface NewFile {
  /** Empty: it belongs to a conversation of two people. */
  conferenceTag: string
  /** The session in which it is uploaded; 0: none. */
  sessionId: number
  userId: number
  displayName: string
  name: string
  size: number
  purpose: FilePurpose
  /** The chat of a file that was sent in one. */
  chatId: string | null
  createdAtMs: number
}

/** The message of a file. */
export interface MessageKey {
  chatId: string
  userId: number
  commandId: string
}

/** `uploading` and `removing` are not visible to others. */
export type FileState = 'uploading' | 'stored' | 'converting' | 'ready' | 'failed' | 'removing'

/** A file of a conference or of a conversation. Its blob has the same id. */
export interface ConferenceFile extends NewFile {
  id: string
  /** By content; empty until the upload is complete. */
  contentType: string
  state: FileState
  failure: ConversionFailure | null
  pageCount: number | null
}

/** A blob of a page: a picture, by its width, or `text`: its lines. `content`, of page 0: the file without metadata. */
export type PagePart = PageWidth | 'text' | 'content'

export interface DocumentPage {
  pageNumber: number
  /** Pixels of the largest picture. */
  width: number
  height: number
  failure: ConversionFailure | null
}

export interface NewDocumentPage extends DocumentPage {
  blobIds: Partial<Record<PagePart, string>>
}

/** A document as it is received. */
export interface SlidesUpload {
  /** The account that uploads the slides. */
  userId: number
  displayName: string
  name: string
  /** The announced size; undefined: none was announced. */
  size: number | undefined
  body: Readable
}

/** Somebody who is in a live session. */
export interface Insider {
  sessionId: number
  displayName: string
  isModerator: boolean
  /** Whether they may write in the chat. */
  mayWrite: boolean
  /** Whether they may send files there. */
  maySendFiles: boolean
  chatId: string
  /** Whether the board began empty with the session. */
  hasFreshBoard: boolean
}

/** The people in conferences, as files need them. */
export interface FileMembers {
  /** On whichever server; null: they are not inside. Throws `temporarily_unavailable` when it cannot be asked. */
  findInside(tag: string, userId: number): Promise<Insider | null>
  /** Whether they were in that session. */
  wasInside(sessionId: number, userId: number): Promise<boolean>
  /** The account that owns the conference; null when it no longer exists. */
  ownerOf(tag: string): Promise<number | null>
  /** Throws a refusal unless the account may send a file to the conversation. */
  assertMaySendTo(user: User, chatId: string): Promise<void>
  /** Whether the account may read the conversation. */
  mayReadChat(user: User, chatId: string): Promise<boolean>
}

/** A change of a document; published on every server. */
export interface DocumentNotice {
  fileId: string
  conferenceTag: string
  /** The conversion has ended; absent from servers of an earlier version. */
  hasEnded?: boolean
}
