import { type IncomingTrack, readRtp, type SenderReport, type TrackListener } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { SenderClock } from '../clock/shared-clock.ts'
import { videoCodec } from '../frames/codecs.ts'
import { FrameJoiner } from '../frames/frame-joiner.ts'
import type { JournalWriter } from './journal-writer.ts'
import { LossDetector } from './loss-detector.ts'

const RTP_HEAD = 12

/** Chromium ignores what is requested within 300 ms after a key frame, as when a viewer has just come in, too. */
const KEY_FRAME_RETRY_MS = 500

/** Writes one track to its journal. */
export class CapturedTrack implements TrackListener {
  readonly #gaps = new LossDetector()
  /** Looks for the key frame before which nothing can be shown; null: it has arrived, or none is expected. */
  #search: FrameJoiner | null = null
  #requestedAtMs = 0
  #hasFrames = false
  isPaused: boolean
  hasEnded = false
  #closing: Promise<void> | null = null

  readonly track: IncomingTrack
  readonly #journal: JournalWriter
  readonly #clock: SenderClock

  constructor(track: IncomingTrack, journal: JournalWriter, clock: SenderClock) {
    this.track = track
    this.#journal = journal
    this.#clock = clock
    const { publicationId, participantId, source, kind, codec, ssrc, isPaused } = track
    this.isPaused = isPaused
    const head = { publicationId, participantId, source, kind, codec, ssrc, isPaused }
    journal.add({ is: 'begin', atMs: nowMs(), head })
    track.setListener(this)
    this.#begin()
  }

  packet(rtp: Buffer, arrivedAtMs: number) {
    if (rtp.length < RTP_HEAD) return
    if (this.track.kind === 'video') this.#gaps.onPacket(rtp.readUInt16BE(2), arrivedAtMs)
    if (this.#search) this.#lookForKeyFrame(this.#search, rtp, arrivedAtMs)
    this.#journal.add({ is: 'packet', atMs: arrivedAtMs, rtp })
  }

  #lookForKeyFrame(search: FrameJoiner, rtp: Buffer, arrivedAtMs: number) {
    const packet = readRtp(rtp)
    if (!packet || packet.payload.length === 0) return
    this.#hasFrames = true
    if (search.add(packet, arrivedAtMs).length > 0) this.#search = null
  }

  report({ ntp, rtpTimestamp }: SenderReport, arrivedAtMs: number) {
    const sentAtMs = this.#clock.unixMs(ntp, arrivedAtMs)
    this.#journal.add({ is: 'report', atMs: arrivedAtMs, rtpTimestamp, sentAtMs })
  }

  paused(isPaused: boolean, atMs: number) {
    this.isPaused = isPaused
    this.#journal.add({ is: 'paused', atMs, isPaused })
    if (!isPaused) this.#begin()
  }

  #begin() {
    const { kind, codec } = this.track
    const video = kind === 'video' ? videoCodec(codec.mimeType) : undefined
    this.#search = video ? new FrameJoiner(video.depacketize) : null
    this.requestKeyFrame()
  }

  requestKeyFrame() {
    this.#requestedAtMs = nowMs()
    this.#hasFrames = false
    this.track.requestKeyFrame()
  }

  ended(atMs: number) {
    this.hasEnded = true
    this.#journal.add({ is: 'ended', atMs })
  }

  /** Frames are worth nothing until the first key frame, and after a loss until the next one. */
  requestKeyFrameIfNeeded(atMs: number) {
    const isMissing = this.#search && this.#hasFrames && atMs - this.#requestedAtMs >= KEY_FRAME_RETRY_MS
    if (isMissing || this.#gaps.hasLost(atMs)) this.requestKeyFrame()
  }

  flush() {
    return this.#journal.flush()
  }

  sync() {
    return this.#journal.sync()
  }

  /** Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#journal.close()
    return this.#closing
  }
}
