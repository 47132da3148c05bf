import { concat, durationMs } from '../audio/samples.ts'
import type { EngineStream } from '../engines/port.ts'

/** Receives the results of one stream. */
export interface RecognitionListener {
  /** The current hypothesis for the phrase in progress; empty when it turned out to be no speech. */
  partial(text: string): void
  /** `isCut`: the phrase ended because the stream ended, not with a pause of the speaker. */
  final(text: string, isCut: boolean): void
}

/** Audio that was dropped under overload. */
export interface DroppedAudio {
  droppedMs: number
  droppedPartials: number
}

/** One speaker's audio on its way to an engine. */
export class SpeakerStream {
  readonly listener: RecognitionListener
  readonly dropped: DroppedAudio = { droppedMs: 0, droppedPartials: 0 }
  /** Null while the speaker is silent, or while no engine stream is free. */
  engineStream: EngineStream | null = null
  isBusy = false
  /** The engine failed on this stream. */
  failure: { error: unknown } | null = null
  scheduledAtMs = 0
  pushedAtMs = 0
  /** When words were last recognised. */
  spokeAtMs = 0
  #queued: Int16Array[] = []
  #queuedMs = 0
  #partial = ''
  #partialAtMs = 0
  /** Called when all audio is recognised; null until the stream is ended. */
  onEnd: (() => void) | null = null

  constructor(listener: RecognitionListener) {
    this.listener = listener
  }

  get queuedMs(): number {
    return this.#queuedMs
  }

  push(samples: Int16Array, nowMs: number): void {
    this.#queued.push(samples)
    this.#queuedMs += durationMs(samples)
    this.pushedAtMs = nowMs
  }

  /** The oldest queued audio, up to maxMs. */
  dequeue(maxMs: number): Int16Array {
    const taken: Int16Array[] = []
    for (let ms = 0; ms < maxMs && this.#queued.length > 0; ) {
      const samples = this.#queued.shift() as Int16Array
      taken.push(samples)
      ms += durationMs(samples)
      this.#queuedMs -= durationMs(samples)
    }
    return concat(taken)
  }

  /** Drops the oldest queued piece. */
  dropOldest(): void {
    this.dropped.droppedMs += durationMs(this.dequeue(1))
  }

  /** Emits partial results at most every PARTIAL_INTERVAL_MS, and none when recognition lags: then the final phrase matters more. */
  onPartial(text: string, nowMs: number, isLate: boolean): void {
    if (text === this.#partial) return
    if (isLate) this.dropped.droppedPartials += 1
    else if (nowMs - this.#partialAtMs >= PARTIAL_INTERVAL_MS) this.#emitPartial(text, nowMs)
  }

  onFinal(text: string, nowMs: number, isCut = false): void {
    if (text !== '') {
      this.spokeAtMs = nowMs
      this.#partial = ''
      this.listener.final(text, isCut)
    } else if (this.#partial !== '') this.#emitPartial('', nowMs)
  }

  #emitPartial(text: string, nowMs: number): void {
    this.#partial = text
    this.#partialAtMs = nowMs
    if (text !== '') this.spokeAtMs = nowMs
    this.listener.partial(text)
  }
}

const PARTIAL_INTERVAL_MS = 300
