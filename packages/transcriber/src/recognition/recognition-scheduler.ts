import { backoffMs } from '@lectern/common'
import type { Engine } from '../engines/port.ts'
import { type RecognitionListener, SpeakerStream } from './speaker-stream.ts'

export interface RecognitionLimits {
  /** Engine calls that may run concurrently. */
  threads: number
  /** Engine streams open at once; further speakers queue until one of them is idle. */
  streams: number
  /** Queued audio of all speakers together, in milliseconds. */
  queuedMs: number
}

/** Audio per engine call: smaller chunks cost more for the same text. */
const CHUNK_MS = 200
const CHUNK_MAX_MS = 1_000
/** A speaker whose queue is longer than this gets no partial results. */
const LATE_MS = 1_500
/** A stream without audio for this long may give its engine stream to another speaker. */
const IDLE_MS = 1_000
/** After a failure of the engine. */
const RETRY = { firstMs: 250, maxMs: 5_000 }
/** About 50 s: an engine that is restarted takes a while, and what is said meanwhile is queued. */
const ATTEMPTS_MAX = 14
/** A stream that has ended is waited for. */
const ATTEMPTS_MAX_AT_END = 4

/**
 * Shares one engine among all speakers. Under overload it first drops partial results, then queues audio, and when
 * the queue is full drops audio of the speaker who spoke least recently.
 * A phrase during which the engine failed is recognised again from its beginning; after the last attempt it is dropped.
 */
export class RecognitionScheduler {
  readonly #engine: Engine
  readonly #limits: RecognitionLimits
  readonly #streams = new Set<SpeakerStream>()
  #running = 0

  constructor(engine: Engine, limits: RecognitionLimits) {
    this.#engine = engine
    this.#limits = limits
  }

  open(listener: RecognitionListener): SpeakerStream {
    const stream = new SpeakerStream(listener)
    this.#streams.add(stream)
    return stream
  }

  push(stream: SpeakerStream, samples: Int16Array): void {
    if (stream.onEnd) return
    stream.push(samples, performance.now())
    this.#dropExcess()
    this.#schedule()
  }

  /** Resolves when all queued audio is recognised and reported, or dropped. */
  end(stream: SpeakerStream): Promise<void> {
    return new Promise(resolve => {
      stream.onEnd = resolve
      stream.retryAtMs = 0
      this.#schedule()
    })
  }

  #schedule(): void {
    while (this.#running < this.#limits.threads) {
      const stream = this.#next()
      if (!stream) return
      void this.#run(stream)
    }
  }

  /** The runnable stream that was scheduled least recently and can get an engine stream. */
  #next(): SpeakerStream | undefined {
    const nowMs = performance.now()
    const ready = [...this.#streams].filter(
      stream =>
        !stream.isBusy && stream.retryAtMs <= nowMs && (stream.onEnd !== null || stream.queuedMs >= CHUNK_MS),
    )
    ready.sort((a, b) => a.scheduledAtMs - b.scheduledAtMs)
    const [next] = ready.filter(
      stream => stream.engineStream || stream.queuedMs === 0 || this.#hasFreeEngineStream(),
    )
    return next ?? (ready.length > 0 ? this.#idlest() : undefined)
  }

  #hasFreeEngineStream = () => this.#active().length < this.#limits.streams

  #active = () => [...this.#streams].filter(stream => stream.engineStream || stream.isBusy)

  /** A stream that holds an engine stream without using it. */
  #idlest(): SpeakerStream | undefined {
    const quietSince = performance.now() - IDLE_MS
    return this.#active()
      .filter(stream => !stream.isBusy && stream.queuedMs < CHUNK_MS && stream.pushedAtMs < quietSince)
      .sort((a, b) => a.spokeAtMs - b.spokeAtMs)[0]
  }

  async #run(stream: SpeakerStream): Promise<void> {
    this.#running += 1
    stream.isBusy = true
    try {
      if (stream.queuedMs >= (stream.onEnd ? 1 : CHUNK_MS)) await this.#recognise(stream)
      else await this.#finish(stream)
    } catch (error) {
      this.#onFailure(stream, error)
    } finally {
      stream.isBusy = false
      stream.scheduledAtMs = performance.now()
      this.#running -= 1
      this.#schedule()
    }
  }

  async #recognise(stream: SpeakerStream): Promise<void> {
    stream.engineStream ??= await this.#engine.stream()
    const { final, partial } = await stream.engineStream.accept(stream.dequeue(CHUNK_MAX_MS))
    const nowMs = performance.now()
    if (final === null) stream.onPartial(partial, nowMs, stream.queuedMs > LATE_MS)
    else stream.onFinal(final, nowMs)
  }

  async #finish(stream: SpeakerStream): Promise<void> {
    if (stream.engineStream && stream.queuedMs > 0) await this.#recognise(stream)
    const { engineStream } = stream
    stream.engineStream = null
    if (engineStream) stream.onFinal(await engineStream.finish(), performance.now(), stream.onEnd !== null)
    if (stream.onEnd && stream.queuedMs === 0) this.#close(stream)
  }

  #onFailure(stream: SpeakerStream, error: unknown): void {
    // Frees what it holds, if it still can.
    void stream.engineStream?.finish().catch(() => {})
    stream.engineStream = null
    stream.failures += 1
    const isDropped = stream.failures >= (stream.onEnd ? ATTEMPTS_MAX_AT_END : ATTEMPTS_MAX)
    if (isDropped) stream.dropPhrase(stream.onEnd !== null)
    else stream.requeue()
    stream.listener.failed(error, isDropped)
    const waitMs = isDropped && stream.onEnd ? 0 : backoffMs(stream.failures - 1, RETRY)
    stream.retryAtMs = performance.now() + waitMs
    setTimeout(() => this.#schedule(), waitMs + 1) // timers may be a fraction early
  }

  #close(stream: SpeakerStream): void {
    this.#streams.delete(stream)
    stream.onEnd?.()
  }

  #dropExcess(): void {
    const totalMs = () => [...this.#streams].reduce((sum, stream) => sum + stream.queuedMs, 0)
    while (totalMs() > this.#limits.queuedMs) {
      const queued = [...this.#streams].filter(stream => stream.queuedMs > 0)
      queued.sort((a, b) => a.spokeAtMs - b.spokeAtMs)[0]?.dropOldest()
    }
  }
}
