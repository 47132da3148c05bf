import { OpusDecoder } from 'opus-decoder'
import type { RtpPacket } from 'werift-rtp'
import { SAMPLE_RATE } from '../engines/port.ts'
import { fromFloats, msOf, silence } from './samples.ts'

/** Opus in RTP counts like this, whatever is inside (RFC 7587). */
const TICKS_PER_MS = 48
/** So much silence ends a phrase for certain: longer gaps say no more. */
const GAP_MAX_MS = 3_000
const SILENCE_MS = 100
/** The decoder writes each into the log: who sends more nonsense is not listened to. */
const WRONG_MAX = 100

/** The samples of one track in the time in which they were spoken: what was lost, or not sent, is silent. */
export class OpusAudio {
  readonly #decoder = new OpusDecoder({
    sampleRate: SAMPLE_RATE,
    channels: 1,
    streamCount: 1,
    coupledStreamCount: 0,
  })
  /** The timestamp of the packet that comes next, if none is missing. */
  #nextTicks: number | null = null
  #wrong = 0
  /** How much of the gap after the last packet was filled already. */
  #filledMs = 0

  static async open(): Promise<OpusAudio> {
    const audio = new OpusAudio()
    await audio.#decoder.ready
    return audio
  }

  /** In the order of sending. */
  *decode({ header: { timestamp }, payload }: RtpPacket): Generator<Int16Array> {
    if (payload.length === 0 || this.#wrong >= WRONG_MAX) return
    const gapMs = this.#nextTicks === null ? 0 : ((timestamp - this.#nextTicks) | 0) / TICKS_PER_MS
    if (gapMs > 0) yield* this.fill(gapMs)
    const { channelData, samplesDecoded, errors } = this.#decoder.decodeFrame(payload)
    this.#wrong += errors.length
    const samples = fromFloats((channelData[0] ?? new Float32Array()).subarray(0, samplesDecoded))
    this.#nextTicks = (timestamp + msOf(samples) * TICKS_PER_MS) >>> 0
    this.#filledMs = 0
    yield samples
  }

  /** Nothing has come for so long: silence up to now. */
  *fill(gapMs: number): Generator<Int16Array> {
    const missingMs = Math.floor(Math.min(gapMs, GAP_MAX_MS) - this.#filledMs)
    for (let left = missingMs; left > 0; left -= SILENCE_MS) yield silence(Math.min(left, SILENCE_MS))
    this.#filledMs += Math.max(missingMs, 0)
  }

  close(): void {
    this.#decoder.free()
  }
}
