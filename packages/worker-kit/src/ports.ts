import type { SessionView } from '@lectern/control-client'
import type {
  JobOutcome,
  JobView,
  JsonObject,
  MediaSource,
  RecognizedPartial,
  RecognizedPhrase,
} from '@lectern/protocol/control'
import type { BoardElement, BoardIndex } from '@lectern/protocol/control/client'

/** A codec as negotiated. */
export interface TrackCodec {
  /** The name in RTP: `audio/opus`, `video/VP8`, `video/VP9`, `video/H264`, `video/AV1`. */
  mimeType: string
  payloadType: number
  clockRate: number
  channels?: number
  /** fmtp, e.g. `packetization-mode` and `profile-level-id`. */
  parameters: Record<string, string | number>
}

/** An RTCP sender report: maps RTP time to the clock of the sender. */
export interface SenderReport {
  ssrc: number
  /** 32.32 fixed point seconds, as in RFC 3550 6.4.1. All tracks of one media worker share this clock. */
  ntp: bigint
  rtpTimestamp: number
}

/** Receives a track. Times are Unix milliseconds with fractions, from a monotonic clock. */
export interface TrackListener {
  /**
   * An RTP packet as it arrived: possibly out of order, possibly with unknown header extensions. The listener owns the
   * buffer.
   */
  packet(rtp: Buffer, arrivedAtMs: number): void
  report(report: SenderReport, arrivedAtMs: number): void
  /** The sender has paused or resumed the track. */
  paused(isPaused: boolean, atMs: number): void
  /** The track has ended. */
  ended(atMs: number): void
}

export interface Size {
  width: number
  height: number
}

/**
 * A subscribed publication with one codec and one SSRC. When the publication is renewed (its sender or the media worker
 * was replaced, or the codec changed), a new track of the same publication begins.
 */
export interface IncomingTrack {
  publicationId: string
  participantId: string
  source: MediaSource
  kind: 'audio' | 'video'
  codec: TrackCodec
  ssrc: number
  isPaused: boolean
  /** For video: requests a key frame, at most once a second. */
  requestKeyFrame(): void
  /**
   * For video: the size at which it is displayed, in pixels. The server sends the smallest sufficient layer; by default the
   * best one. Call repeatedly: a size that could not be sent is sent with the next call.
   */
  setDisplaySize(size: Size): void
  /** Buffered packets are delivered first. Exactly one listener. */
  setListener(listener: TrackListener): void
}

/** An event on the stream of the session. */
export interface ObservedEvent {
  name: string
  body: JsonObject
  /** Arrival at this worker, Unix milliseconds. */
  atMs: number
}

/** The final outcome of a job. A thrown error leads to another attempt instead. */
export interface JobEnd {
  outcome: JobOutcome
  result: JsonObject
}

/** Why a job must stop: on request (rule J8), or because another worker holds it. */
export type StopReason = 'requested' | 'lost'

/** A file to upload. */
export interface UploadFile {
  /** Local path. */
  file: string
  /** Logical path in the recording, e.g. `tracks/audio/device_7.ogg`. */
  path: string
  contentType: string
}

/** A file stored by the server. */
export interface StoredFile {
  path: string
  blobId: string
}

/** Follows a board. Times are of the arrival at this worker, Unix milliseconds. */
export interface BoardListener {
  /** The index is known, or has changed. */
  changed(index: BoardIndex, atMs: number): void
  /** A page was shown for the first time, or may have changed while the connection was lost. */
  opened(pageId: string, elements: readonly BoardElement[], atMs: number): void
  /** An event of a page, with its name and body. */
  happened(pageId: string, name: string, body: JsonObject, atMs: number): void
  /** Somebody draws a stroke that is not stored yet, and has so many points now. Some of these are lost. */
  inked?(pageId: string, elementId: string, points: number, atMs: number): void
}

/** A leased job and its session. */
export interface HeldJob {
  readonly job: JobView
  /** Persistent working folder, the same in each attempt of the job. */
  readonly folder: string
  /**
   * Aborted with a StopReason. `requested`: finish and return. `lost`: leave everything as it is and return soon; the
   * result is discarded.
   */
  readonly stop: AbortSignal
  /** Aborted when this process shuts down: reach a resumable state and throw. */
  readonly drain: AbortSignal
  /** Its lines name the job. */
  readonly log: Record<'warn' | 'error', (about: object, message: string) => void>
  /** The current session state; null until it is known, and once the session has ended. */
  session(): SessionView | null
  onSession(listener: (event: ObservedEvent) => void): () => void
  /**
   * Reports changes of the pages of the board that are shown, from then on, and of those that an earlier attempt has
   * followed. One listener at most.
   */
  followBoard(listener: BoardListener, followed?: readonly string[]): () => void
  /** Existing tracks are passed immediately. */
  onTrack(listener: (track: IncomingTrack) => void): () => void
  /** Reports progress; retried until the server has it. Never rejects. */
  progress(changes: { active: boolean; details?: JsonObject }): void
  /**
   * Publishes transcribed phrases. Retried across disconnects until the server has them; rejects once the job is `lost`.
   * Works while draining.
   */
  publishPhrases(recognized: { phrases: RecognizedPhrase[]; partials: RecognizedPartial[] }): Promise<void>
  /**
   * The ids that the partner of the room has for accounts; others, as guests, are left out. Retried until the server has
   * answered. Rejects on `drain` and on `lost`.
   */
  externalIds(userIds: readonly string[]): Promise<Map<string, string>>
  /** Downloads a file of the HTTP API, such as `/api/v1.0/files/b_1/content`. Rejects on `drain` and on `lost`. */
  download(path: string, file: string): Promise<void>
  /**
   * Resolves when the server has verified and stored every file, resuming after disconnects; files stored by an earlier
   * attempt are not sent again. Rejects on `drain`, on `lost`, and when the server refuses a file for good.
   * `alsoWhenDraining`: for work that another process cannot resume and that must finish before the process exits.
   */
  upload(files: UploadFile[], options?: { alsoWhenDraining?: boolean }): Promise<StoredFile[]>
}

/** Runs a job to its end, resuming after earlier attempts. */
export type Work = (held: HeldJob) => Promise<JobEnd>
