import type { IncomingTrack, SenderReport, TrackListener } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { SenderClock } from '../clock/shared-clock.ts'
import type { JournalWriter } from './journal-writer.ts'
import { LossDetector } from './loss-detector.ts'

const RTP_HEAD = 12

/** Writes one track to its journal. */
export class CapturedTrack implements TrackListener {
  readonly #gaps = new LossDetector()
  isPaused: boolean
  hasEnded = false
  #closing: Promise<void> | null = null

  readonly track: IncomingTrack
  private readonly journal: JournalWriter
  private readonly clock: SenderClock

  constructor(track: IncomingTrack, journal: JournalWriter, clock: SenderClock) {
    this.track = track
    this.journal = journal
    this.clock = clock
    const { publicationId, participantId, source, kind, codec, ssrc, isPaused } = track
    this.isPaused = isPaused
    const head = { publicationId, participantId, source, kind, codec, ssrc, isPaused }
    journal.add({ is: 'begin', atMs: nowMs(), head })
    track.setListener(this)
    track.requestKeyFrame()
  }

  packet(rtp: Buffer, arrivedAtMs: number) {
    if (rtp.length < RTP_HEAD) return
    if (this.track.kind === 'video') this.#gaps.onPacket(rtp.readUInt16BE(2), arrivedAtMs)
    this.journal.add({ is: 'packet', atMs: arrivedAtMs, rtp })
  }

  report({ ntp, rtpTimestamp }: SenderReport, arrivedAtMs: number) {
    const sentAtMs = this.clock.unixMs(ntp, arrivedAtMs)
    this.journal.add({ is: 'report', atMs: arrivedAtMs, rtpTimestamp, sentAtMs })
  }

  paused(isPaused: boolean, atMs: number) {
    this.isPaused = isPaused
    this.journal.add({ is: 'paused', atMs, isPaused })
    if (!isPaused) this.track.requestKeyFrame()
  }

  ended(atMs: number) {
    this.hasEnded = true
    this.journal.add({ is: 'ended', atMs })
  }

  /** After a loss, frames are corrupt until the next key frame. */
  requestKeyFrameAfterLoss(atMs: number) {
    if (this.#gaps.hasLost(atMs)) this.track.requestKeyFrame()
  }

  flush() {
    return this.journal.flush()
  }

  sync() {
    return this.journal.sync()
  }

  /** Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.journal.close()
    return this.#closing
  }
}
