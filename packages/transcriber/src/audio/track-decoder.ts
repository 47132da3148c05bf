import { readRtp } from '@lectern/worker-kit'
import { JitterBuffer } from './jitter-buffer.ts'
import { OpusTrackDecoder } from './opus.ts'
import { durationMs } from './samples.ts'
import { VoiceActivityGate } from './voice-activity-gate.ts'

/** Without a packet for this long, one was lost or the sender is silent (DTX). */
const OVERDUE_MS = 200
/**
 * Audio that may arrive at once, as after a stall. A sender of more than real time beyond that would take the recognition of
 * everybody else: the rest is dropped.
 */
const BURST_MAX_MS = 30_000

/** Decodes the RTP packets of one track into samples in real time, silence included. */
export class TrackDecoder {
  readonly #opus: OpusTrackDecoder
  readonly #onSamples: (samples: Int16Array) => void
  readonly #jitterBuffer = new JitterBuffer()
  readonly #gate = new VoiceActivityGate()
  #arrivedAtMs: number | null = null
  #allowedMs = BURST_MAX_MS
  #isClosed = false

  private constructor(opus: OpusTrackDecoder, onSamples: (samples: Int16Array) => void) {
    this.#opus = opus
    this.#onSamples = onSamples
  }

  static async open(onSamples: (samples: Int16Array) => void): Promise<TrackDecoder> {
    return new TrackDecoder(await OpusTrackDecoder.open(), onSamples)
  }

  /** Ignored after close(): a track may send on while its run ends. */
  packet(rtp: Buffer): void {
    if (this.#isClosed) return
    const nowMs = performance.now()
    this.#allowedMs = Math.min(BURST_MAX_MS, this.#allowedMs + nowMs - (this.#arrivedAtMs ?? nowMs))
    this.#arrivedAtMs = nowMs
    const packet = this.#allowedMs > 0 ? readRtp(rtp) : null
    if (!packet) return
    for (const next of this.#jitterBuffer.add(packet)) this.#emit(this.#opus.decode(next))
  }

  /** Call about ten times a second: a sender that pauses counts as silent, and silence ends phrases. */
  tick(): void {
    if (this.#arrivedAtMs === null) return
    const sinceMs = performance.now() - this.#arrivedAtMs
    if (sinceMs < OVERDUE_MS) return
    this.#flush()
    this.#emit(this.#opus.fillGap(sinceMs - OVERDUE_MS))
  }

  /** The engine has recognised the end of a phrase. */
  phraseEnded(): void {
    this.#gate.phraseEnded()
  }

  close(): void {
    this.#flush()
    this.#isClosed = true
    this.#opus.close()
  }

  #flush(): void {
    for (const packet of this.#jitterBuffer.flush()) this.#emit(this.#opus.decode(packet))
  }

  #emit(audio: Iterable<Int16Array>): void {
    for (const samples of audio) {
      this.#allowedMs -= durationMs(samples)
      for (const audible of this.#gate.filter(samples)) this.#onSamples(audible)
    }
  }
}
