import type { RtpPacket } from '@lectern/worker-kit'
import { OpusDecoder } from 'opus-decoder'
import { SAMPLE_RATE } from '../engines/port.ts'
import { durationMs, fromFloats, silence } from './samples.ts'

/** The RTP clock of Opus is 48 kHz whatever the audio bandwidth (RFC 7587 §4.1). */
const TICKS_PER_MS = 48
/** Long enough to end any phrase; longer gaps need not be filled. */
const GAP_MAX_MS = 3_000
const SILENCE_MS = 100
/** The decoder logs each error; a track that sends more is ignored. */
const ERRORS_MAX = 100

/** Decodes one track in its own time: lost or unsent packets become silence. */
export class OpusTrackDecoder {
  readonly #decoder = new OpusDecoder({
    sampleRate: SAMPLE_RATE,
    channels: 1,
    streamCount: 1,
    coupledStreamCount: 0,
  })
  /** RTP timestamp expected next. */
  #nextTicks: number | null = null
  #errors = 0
  /** Silence already emitted since the last packet. */
  #filledMs = 0

  static async open(): Promise<OpusTrackDecoder> {
    const audio = new OpusTrackDecoder()
    await audio.#decoder.ready
    return audio
  }

  /** Packets must be in sequence order. */
  *decode({ timestamp, payload }: RtpPacket): Generator<Int16Array> {
    if (payload.length === 0 || this.#errors >= ERRORS_MAX) return
    const gapMs = this.#nextTicks === null ? 0 : ((timestamp - this.#nextTicks) | 0) / TICKS_PER_MS
    if (gapMs > 0) yield* this.fillGap(gapMs)
    const { channelData, samplesDecoded, errors } = this.#decoder.decodeFrame(payload)
    this.#errors += errors.length
    const samples = fromFloats((channelData[0] ?? new Float32Array()).subarray(0, samplesDecoded))
    this.#nextTicks = (timestamp + durationMs(samples) * TICKS_PER_MS) >>> 0
    this.#filledMs = 0
    yield samples
  }

  /** Emits silence for a gap of this length, minus what was filled before. */
  *fillGap(gapMs: number): Generator<Int16Array> {
    const missingMs = Math.floor(Math.min(gapMs, GAP_MAX_MS) - this.#filledMs)
    for (let left = missingMs; left > 0; left -= SILENCE_MS) yield silence(Math.min(left, SILENCE_MS))
    this.#filledMs += Math.max(missingMs, 0)
  }

  close(): void {
    this.#decoder.free()
  }
}
