import type { IncomingTrack, Size, TrackListener } from '@lectern/worker-kit'
import type { RtpStream } from './real-rtp.ts'

/** Moments are milliseconds from the beginning of the recording. */
interface Played {
  publicationId: string
  participantId: string
  source: IncomingTrack['source']
  stream: RtpStream
  fromMs: number
  /** How long a packet is on its way; null: it is lost. */
  delayOf?: (sentMs: number, index: number) => number | null
}

/** The clock of the media worker, which is not the wall clock. */
const UPTIME_MS = 1_000_000

const REPORT_EVERY_MS = 1500

/** A track that plays what ffmpeg has sent, as if it arrived over the last seconds. */
export class FakeTrack implements IncomingTrack {
  readonly publicationId
  readonly participantId
  readonly source
  readonly kind
  readonly codec
  readonly ssrc
  isPaused = false
  keyFramesAsked = 0
  shownAs = ''
  #listener: TrackListener | null = null
  readonly #played: Played

  constructor(played: Played) {
    this.#played = played
    this.publicationId = played.publicationId
    this.participantId = played.participantId
    this.source = played.source
    this.kind = played.stream.codec.mimeType.startsWith('audio/') ? ('audio' as const) : ('video' as const)
    this.codec = { ...played.stream.codec, parameters: {} }
    this.ssrc = played.stream.ssrc
  }

  requestKeyFrame() {
    this.keyFramesAsked += 1
  }

  setDisplaySize({ width, height }: Size) {
    this.shownAs = `${width}x${height}`
  }

  setListener(listener: TrackListener) {
    this.#listener = listener
  }

  get hasListener() {
    return this.#listener !== null
  }

  /** Delivers the packets of that time to a recording that began at `startedAtMs`. */
  play(startedAtMs: number, fromMs: number, toMs: number) {
    let reportedMs = Number.NEGATIVE_INFINITY
    for (const [index, { rtp, sentMs }] of this.#played.stream.packets.entries()) {
      const atMs = this.#played.fromMs + sentMs
      if (atMs < fromMs || atMs >= toMs) continue
      const delayMs = this.#played.delayOf ? this.#played.delayOf(atMs, index) : 5
      if (delayMs !== null) this.#listener?.packet(rtp, startedAtMs + atMs + delayMs)
      if (atMs - reportedMs < REPORT_EVERY_MS) continue
      reportedMs = atMs
      this.#report(rtp.readUInt32BE(4), startedAtMs + atMs, UPTIME_MS + atMs)
    }
  }

  pause(isPaused: boolean, atMs: number) {
    this.#listener?.paused(isPaused, atMs)
  }

  end(atMs: number) {
    this.#listener?.ended(atMs)
  }

  #report(rtpTimestamp: number, atMs: number, ownMs: number) {
    const seconds = Math.floor(ownMs / 1000)
    const fraction = Math.round(((ownMs % 1000) / 1000) * 2 ** 32)
    const ntp = (BigInt(seconds) << 32n) | BigInt(fraction)
    this.#listener?.report({ ssrc: this.ssrc, ntp, rtpTimestamp }, atMs + 1)
  }
}
