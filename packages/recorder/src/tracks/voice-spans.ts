import type { Span } from './spans.ts'

/** A shorter pause belongs to the speech around it. */
const PAUSE_MS = 1000
/** Bounds memory: beyond it, longer pauses are bridged. Hours of conversation have fewer. */
const SPANS_MAX = 5000

/** When a microphone sent speech, added in order of time. */
export class VoiceSpans {
  #spans: Span[] = []
  #pauseMs = PAUSE_MS
  #talkMs = 0

  get all(): readonly Span[] {
    return this.#spans
  }

  /** The length of all speech; bridging for the sake of memory does not count. */
  get talkMs(): number {
    return this.#talkMs
  }

  add(fromMs: number, toMs: number): void {
    const last = this.#spans.at(-1)
    if (!last || fromMs - last.toMs > this.#pauseMs) {
      this.#talkMs += toMs - fromMs
      this.#spans.push({ fromMs, toMs })
      if (this.#spans.length > SPANS_MAX) this.#bridge()
      return
    }
    const startMs = fromMs - last.toMs > PAUSE_MS ? fromMs : last.toMs
    this.#talkMs += Math.max(0, toMs - startMs)
    last.toMs = Math.max(last.toMs, toMs)
  }

  #bridge(): void {
    this.#pauseMs *= 2
    const [first, ...others] = this.#spans
    const bridged = first ? [first] : []
    for (const span of others) {
      const last = bridged.at(-1) as Span
      if (span.fromMs - last.toMs > this.#pauseMs) bridged.push(span)
      else last.toMs = span.toMs
    }
    this.#spans = bridged
  }
}
