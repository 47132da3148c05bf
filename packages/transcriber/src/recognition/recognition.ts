import type { Engine } from '../engines/port.ts'
import { Voice, type VoiceListener } from './voice.ts'

export interface RecognitionLimits {
  /** Voices that are being recognised in the same moment. */
  threads: number
  /** Voices that an engine listens to; others wait until one of these is quiet. */
  voices: number
  /** Audio that waits, of all voices together. */
  waitingMs: number
}

/** How much at once: less would only cost more. */
const PIECE_MS = 200
const PIECE_MAX_MS = 1_000
/** Who waits so long gets no partial texts. */
const LATE_MS = 1_500
/** Who has said nothing for so long may lose the place to somebody who speaks. */
const QUIET_MS = 1_000

/**
 * Shares an engine among voices. When there is more than it can do, partial texts are left out first; then audio
 * waits; and when too much waits, that of who has said least lately is skipped.
 */
export class Recognition {
  readonly #engine: Engine
  readonly #limits: RecognitionLimits
  readonly #voices = new Set<Voice>()
  #running = 0

  constructor(engine: Engine, limits: RecognitionLimits) {
    this.#engine = engine
    this.#limits = limits
  }

  open(listener: VoiceListener): Voice {
    const voice = new Voice(listener)
    this.#voices.add(voice)
    return voice
  }

  push(voice: Voice, samples: Int16Array): void {
    if (voice.onEnd || voice.failure) return
    voice.push(samples, performance.now())
    this.#skipTooMuch()
    this.#serve()
  }

  /** Resolves when everything was recognised, and told. Rejects when the engine failed at this voice. */
  end(voice: Voice): Promise<void> {
    return new Promise((resolve, reject) => {
      voice.onEnd = () => (voice.failure ? reject(voice.failure.error) : resolve())
      if (voice.failure) voice.onEnd()
      else this.#serve()
    })
  }

  #serve(): void {
    while (this.#running < this.#limits.threads) {
      const voice = this.#next()
      if (!voice) return
      void this.#run(voice)
    }
  }

  /** Who waited longest among those for whom there is something to do, and a place. */
  #next(): Voice | undefined {
    const ready = [...this.#voices].filter(
      voice => !voice.isBusy && (voice.onEnd !== null || voice.waitingMs >= PIECE_MS),
    )
    ready.sort((a, b) => a.servedAtMs - b.servedAtMs)
    const [next] = ready.filter(voice => voice.stream || voice.waitingMs === 0 || this.#hasPlace())
    return next ?? (ready.length > 0 ? this.#quietest() : undefined)
  }

  #hasPlace = () => this.#listening().length < this.#limits.voices

  #listening = () => [...this.#voices].filter(voice => voice.stream || voice.isBusy)

  /** Who has a place and does not need it. */
  #quietest(): Voice | undefined {
    const quietSince = performance.now() - QUIET_MS
    return this.#listening()
      .filter(voice => !voice.isBusy && voice.waitingMs < PIECE_MS && voice.pushedAtMs < quietSince)
      .sort((a, b) => a.spokeAtMs - b.spokeAtMs)[0]
  }

  async #run(voice: Voice): Promise<void> {
    this.#running += 1
    voice.isBusy = true
    try {
      if (voice.waitingMs >= (voice.onEnd ? 1 : PIECE_MS)) await this.#recognise(voice)
      else await this.#finish(voice)
    } catch (error) {
      voice.failure = { error }
      this.#drop(voice)
    } finally {
      voice.isBusy = false
      voice.servedAtMs = performance.now()
      this.#running -= 1
      this.#serve()
    }
  }

  async #recognise(voice: Voice): Promise<void> {
    voice.stream ??= await this.#engine.stream()
    const { final, partial } = await voice.stream.accept(voice.take(PIECE_MAX_MS))
    const nowMs = performance.now()
    if (final === null) voice.hearPartial(partial, nowMs, voice.waitingMs > LATE_MS)
    else voice.hearFinal(final, nowMs)
  }

  async #finish(voice: Voice): Promise<void> {
    if (voice.stream && voice.waitingMs > 0) await this.#recognise(voice)
    const { stream } = voice
    voice.stream = null
    if (stream) voice.hearFinal(await stream.finish(), performance.now(), voice.onEnd !== null)
    if (voice.onEnd && voice.waitingMs === 0) this.#drop(voice)
  }

  #drop(voice: Voice): void {
    this.#voices.delete(voice)
    voice.onEnd?.()
  }

  #skipTooMuch(): void {
    const waitingMs = () => [...this.#voices].reduce((sum, voice) => sum + voice.waitingMs, 0)
    while (waitingMs() > this.#limits.waitingMs) {
      const waiting = [...this.#voices].filter(voice => voice.waitingMs > 0)
      waiting.sort((a, b) => a.spokeAtMs - b.spokeAtMs)[0]?.skip()
    }
  }
}
