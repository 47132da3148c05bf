import type { SessionView } from '@lectern/control-client'
import type {
  JobOutcome,
  JobView,
  JsonObject,
  MediaSource,
  RecognizedPartial,
  RecognizedPhrase,
} from '@lectern/protocol/control'

/** A codec as it is on the wire. */
export interface TrackCodec {
  /** As in RTP: `audio/opus`, `video/VP8`, `video/VP9`, `video/H264`, `video/AV1`. */
  mimeType: string
  payloadType: number
  clockRate: number
  channels?: number
  /** fmtp, e.g. `packetization-mode` and `profile-level-id`. */
  parameters: Record<string, string | number>
}

/** What an RTCP sender report says: this RTP time was that moment of the sender's clock. */
export interface SenderReport {
  ssrc: number
  /** 32.32 fixed point seconds, as in RFC 3550 6.4.1. All tracks of one media worker share this clock. */
  ntp: bigint
  rtpTimestamp: number
}

/** Hears a track. Moments are Unix milliseconds, with fractions, on a clock that never goes back. */
export interface TrackListener {
  /**
   * A whole RTP packet, as it arrived: maybe out of order, maybe with header extensions that mean nothing. The
   * buffer is the listener's.
   */
  packet(rtp: Buffer, arrivedAtMs: number): void
  report(report: SenderReport, arrivedAtMs: number): void
  /** No packets come for a while, by the wish of the sender; or they come again. */
  paused(isPaused: boolean, atMs: number): void
  /** Nothing comes any more. */
  ended(atMs: number): void
}

export interface Size {
  width: number
  height: number
}

/**
 * One publication on its way to this worker, with one codec and one SSRC. When the publication comes anew (its
 * sender or the media worker was away, or the codec changed), it is another track of the same publication.
 */
export interface IncomingTrack {
  publicationId: string
  participantId: string
  source: MediaSource
  kind: 'audio' | 'video'
  codec: TrackCodec
  ssrc: number
  isPaused: boolean
  /** For video: the sender is asked for a whole picture. At most one a second gets through. */
  requestKeyFrame(): void
  /**
   * For video: how large it is going to be shown, in pixels. The server sends no more than that takes; until it is
   * told, the best there is. To be repeated: what could not be told is told then.
   */
  showAs(size: Size): void
  /** Packets that came meanwhile are handed over first. Exactly one listener. */
  listen(listener: TrackListener): void
}

/** Something that happened on the stream of the session, as the server told it. */
export interface SessionHappening {
  name: string
  body: JsonObject
  /** Unix milliseconds, of this worker's clock. */
  atMs: number
}

/** What comes of a job. Thrown errors are another attempt's; this is the end of it. */
export interface JobEnd {
  outcome: JobOutcome
  result: JsonObject
}

/** Why a job is to come to its end: it was asked to (rule J8), or the lease is another worker's now. */
export type StopReason = 'asked' | 'lost'

/** A file on its way to the archive (contract §2.6). */
export interface UploadFile {
  /** On this machine. */
  file: string
  /** Logical path in the recording, e.g. `tracks/audio/device_7.ogg`. */
  path: string
  contentType: string
}

/** A file as the server has it now. */
export interface StoredFile {
  path: string
  blobId: string
}

/** A job that this worker holds, and the session that it is about. */
export interface HeldJob {
  readonly job: JobView
  /** Where what must survive this process is kept: the same folder in each attempt of the job. */
  readonly folder: string
  /**
   * Aborted with a StopReason. `asked`: come to the end, and return. `lost`: leave everything as it is, and
   * return soon; what is returned is not told.
   */
  readonly stop: AbortSignal
  /** Aborted when this process is to end: leave everything so that the next process can go on, and throw. */
  readonly drain: AbortSignal
  /** The session as it is now; null until it is known, and when it is over. */
  session(): SessionView | null
  onSession(listener: (happening: SessionHappening) => void): () => void
  /** Those that are there already come at once. */
  onTrack(listener: (track: IncomingTrack) => void): () => void
  /** Told as often as it changes; repeated by the kit until the server has heard it. Never rejects. */
  progress(told: { active: boolean; details?: JsonObject }): void
  /**
   * Tells the session what a transcriber hears. Resolves when the server has it, however often the connection breaks
   * meanwhile, and rejects at `lost`. It works while draining, too.
   */
  say(heard: { phrases: RecognizedPhrase[]; partials: RecognizedPartial[] }): Promise<void>
  /**
   * Resolves when the server has checked and stored each of them, however often the connection breaks meanwhile;
   * what was stored by an earlier attempt is not sent again. Rejects at `drain`, at `lost`, and when the server
   * refuses a file for good. `alsoWhenDraining`: for work that another process could not go on with, and that is
   * ended instead, within the time that is left.
   */
  upload(files: UploadFile[], options?: { alsoWhenDraining?: boolean }): Promise<StoredFile[]>
}

/** Does one job from its beginning, or from where an earlier attempt came to, to its end. */
export type Work = (held: HeldJob) => Promise<JobEnd>
