import { concat, durationMs } from '../audio/samples.ts'
import type { EngineStream } from '../engines/port.ts'

/** Receives the results of one stream. */
export interface RecognitionListener {
  /** The current hypothesis for the phrase in progress; empty when it turned out to be no speech. */
  partial(text: string): void
  /** `isCut`: the phrase ended because the stream ended, not with a pause of the speaker. */
  final(text: string, isCut: boolean): void
  /** The engine failed. The phrase in progress is recognised again, unless this was the last attempt: then it is dropped. */
  failed(error: unknown, isDropped: boolean): void
}

/** Audio that was dropped under overload, or because the engine failed on it again and again. */
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
  /** Failures of the engine since the last phrase. */
  failures = 0
  /** Not scheduled before this time, after a failure. */
  retryAtMs = 0
  scheduledAtMs = 0
  pushedAtMs = 0
  /** When words were last recognised. */
  spokeAtMs = 0
  #queued: Int16Array[] = []
  #queuedMs = 0
  /** What the engine has of the phrase in progress. */
  #accepted: Int16Array[] = []
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

  /** The oldest queued audio, up to maxMs. It is kept until its phrase is final: see `requeue`. */
  dequeue(maxMs: number): Int16Array {
    const taken = this.#take(maxMs)
    this.#accepted.push(...taken)
    for (let ms = total(this.#accepted); ms > KEPT_MAX_MS; )
      ms -= durationMs(this.#accepted.shift() as Int16Array)
    return concat(taken)
  }

  /** Puts the audio of the phrase in progress back, for another engine stream. */
  requeue(): void {
    this.#queued.unshift(...this.#accepted)
    this.#queuedMs += total(this.#accepted)
    this.#accepted = []
  }

  /** Drops the oldest queued piece. */
  dropOldest(): void {
    this.dropped.droppedMs += total(this.#take(1))
  }

  /** Drops the phrase in progress, and with `all` what is queued, too. */
  dropPhrase(all: boolean): void {
    const dropped = [...this.#accepted.splice(0), ...(all ? this.#take(Infinity) : [])]
    this.dropped.droppedMs += total(dropped)
  }

  #take(maxMs: number): Int16Array[] {
    const taken: Int16Array[] = []
    for (let ms = 0; ms < maxMs && this.#queued.length > 0; ) {
      const samples = this.#queued.shift() as Int16Array
      taken.push(samples)
      ms += durationMs(samples)
      this.#queuedMs -= durationMs(samples)
    }
    return taken
  }

  /** Emits partial results at most every PARTIAL_INTERVAL_MS, and none when recognition lags: then the final phrase matters more. */
  onPartial(text: string, nowMs: number, isLate: boolean): void {
    if (text === this.#partial) return
    if (isLate) this.dropped.droppedPartials += 1
    else if (nowMs - this.#partialAtMs >= PARTIAL_INTERVAL_MS) this.#emitPartial(text, nowMs)
  }

  onFinal(text: string, nowMs: number, isCut = false): void {
    this.#accepted = []
    this.failures = 0
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
/** Engines end a phrase before; what is older of one that does not is recognised once only. */
const KEPT_MAX_MS = 60_000

const total = (pieces: Int16Array[]) => pieces.reduce((ms, samples) => ms + durationMs(samples), 0)
