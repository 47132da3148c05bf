import { joined, msOf } from '../audio/samples.ts'
import type { EngineStream } from '../engines/port.ts'

/** Who wants to know what a voice says. */
export interface VoiceListener {
  /** What there is of the phrase that goes on; empty: nothing after all. */
  partial(text: string): void
  /** `isCut`: it ended because nothing more was pushed, and not with a pause of the speaker. */
  final(text: string, isCut: boolean): void
}

/** What was left out, because there was more to recognise than could be. */
export interface Shortfall {
  skippedMs: number
  heldBackPartials: number
}

/** One speaker's audio on its way to an engine. */
export class Voice {
  readonly listener: VoiceListener
  readonly shortfall: Shortfall = { skippedMs: 0, heldBackPartials: 0 }
  /** Null while nobody speaks, or while there is no place for one. */
  stream: EngineStream | null = null
  isBusy = false
  /** The engine broke down over it. */
  failure: { error: unknown } | null = null
  servedAtMs = 0
  pushedAtMs = 0
  /** When it was heard to say words. */
  spokeAtMs = 0
  #waiting: Int16Array[] = []
  #waitingMs = 0
  #partial = ''
  #partialAtMs = 0
  /** Called when all was recognised; null while the voice goes on. */
  onEnd: (() => void) | null = null

  constructor(listener: VoiceListener) {
    this.listener = listener
  }

  get waitingMs(): number {
    return this.#waitingMs
  }

  push(samples: Int16Array, nowMs: number): void {
    this.#waiting.push(samples)
    this.#waitingMs += msOf(samples)
    this.pushedAtMs = nowMs
  }

  /** The next, in pieces as large as may be. */
  take(maxMs: number): Int16Array {
    const taken: Int16Array[] = []
    for (let ms = 0; ms < maxMs && this.#waiting.length > 0; ) {
      const samples = this.#waiting.shift() as Int16Array
      taken.push(samples)
      ms += msOf(samples)
      this.#waitingMs -= msOf(samples)
    }
    return joined(taken)
  }

  /** Gives up what waits longest. */
  skip(): void {
    this.shortfall.skippedMs += msOf(this.take(1))
  }

  /** Tells it now and then, and not at all when it comes late: then the phrase itself is what is needed. */
  hearPartial(text: string, nowMs: number, isLate: boolean): void {
    if (text === this.#partial) return
    if (isLate) this.shortfall.heldBackPartials += 1
    else if (nowMs - this.#partialAtMs >= PARTIAL_EVERY_MS) this.#tellPartial(text, nowMs)
  }

  hearFinal(text: string, nowMs: number, isCut = false): void {
    if (text !== '') {
      this.spokeAtMs = nowMs
      this.#partial = ''
      this.listener.final(text, isCut)
    } else if (this.#partial !== '') this.#tellPartial('', nowMs)
  }

  #tellPartial(text: string, nowMs: number): void {
    this.#partial = text
    this.#partialAtMs = nowMs
    if (text !== '') this.spokeAtMs = nowMs
    this.listener.partial(text)
  }
}

const PARTIAL_EVERY_MS = 300
