import type { RtpPacket } from '@lectern/worker-kit'
import type { TrackHead } from '../capture/records.ts'
import { videoCodec } from '../frames/codecs.ts'
import { FrameJoiner } from '../frames/frame-joiner.ts'
import { Spans } from './spans.ts'
import type { TrackStats } from './track-stats.ts'

/** A frame and when it was sent. */
export interface TimedFrame {
  data: Buffer
  isKey: boolean
  atMs: number
}

/** A camera without new frames for this long is gone; a screen may be static. */
const STALE_CAMERA_MS = 3000

/** Bound on frames kept since the last key frame. */
const FRAMES_MAX = 6000

/** Frames of a track that were read and not yet released, and when the track is visible. */
export class VideoTrack {
  readonly kind = 'video'
  readonly #joiner: FrameJoiner | null
  readonly #staleMs: number
  #isPaused: boolean
  #lastMs: number | null = null
  #endedMs: number | null = null
  readonly visible = new Spans()
  frames: TimedFrame[] = []
  readonly #stats: TrackStats

  constructor(head: TrackHead, stats: TrackStats) {
    this.#stats = stats
    const codec = videoCodec(head.codec.mimeType)
    this.#joiner = codec ? new FrameJoiner(codec.depacketize) : null
    this.#staleMs = head.source === 'camera' ? STALE_CAMERA_MS : Number.POSITIVE_INFINITY
    this.#isPaused = head.isPaused
  }

  get broken() {
    return this.#joiner?.broken ?? 0
  }

  packet(
    packet: RtpPacket,
    arrivedAtMs: number,
    followsLoss: boolean,
    timeOf: (timestamp: number) => number,
  ) {
    if (!this.#joiner) {
      this.#stats.unknown += 1
      return
    }
    if (followsLoss) this.#joiner.loss()
    // Padding-only probes occupy a sequence number and carry no data.
    if (packet.payload.length === 0) return
    for (const frame of this.#joiner.add(packet, arrivedAtMs)) {
      this.#frame({ data: frame.data, isKey: frame.isKey, atMs: timeOf(frame.timestamp) })
    }
  }

  paused(isPaused: boolean, atMs: number) {
    this.knownUntil(atMs)
    this.#isPaused = isPaused
    if (isPaused) this.visible.end(atMs)
  }

  ended(atMs: number) {
    this.knownUntil(atMs)
    this.visible.end(atMs)
    this.#endedMs = Math.max(atMs, this.#lastMs ?? atMs)
  }

  /** Nothing more is read: releases what waits for further packets. */
  close() {
    this.#joiner?.close()
  }

  /** No earlier frame can arrive any more. */
  knownUntil(atMs: number) {
    if (this.#lastMs !== null && atMs - this.#lastMs > this.#staleMs) {
      this.visible.end(this.#lastMs + this.#staleMs)
    }
  }

  /** Keeps the frames needed to decode the one at that time; none of a track that had ended by then. */
  prune(beforeMs: number) {
    if (this.#endedMs !== null && beforeMs > this.#endedMs) {
      this.frames = []
      return
    }
    const keep = this.frames.findLastIndex(frame => frame.isKey && frame.atMs <= beforeMs)
    if (keep > 0) this.frames.splice(0, keep)
    if (this.frames.length > FRAMES_MAX) this.frames = []
  }

  /** Releases everything read so far. */
  take(): TimedFrame[] {
    return this.frames.splice(0)
  }

  #frame(frame: TimedFrame) {
    // Containers require increasing timestamps, even if the clock jumps.
    const atMs = Math.max(frame.atMs, (this.#lastMs ?? Number.NEGATIVE_INFINITY) + 1)
    this.knownUntil(atMs)
    this.#lastMs = atMs
    this.#stats.frames += 1
    if (frame.isKey) this.#stats.keyFrames += 1
    this.#stats.onMedia(atMs, 0)
    this.frames.push({ ...frame, atMs })
    if (!this.#isPaused) this.visible.begin(atMs)
  }
}
