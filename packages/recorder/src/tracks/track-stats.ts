import type { Span } from './spans.ts'

/** Minimum length of a gap: no packets although the sender had not paused. */
export const GAP_MS = { audio: 2000, video: 1000 }

const GAPS_MAX = 200

/** Statistics of a track in the report (docs/recording.md). */
export class TrackStats {
  packets = 0
  bytes = 0
  reports = 0
  frames = 0
  keyFrames = 0
  misplaced = 0
  unwritten = 0
  unknown = 0
  firstMs: number | null = null
  lastMs: number | null = null
  readonly gaps: Span[] = []
  gapCount = 0
  readonly #gapMs: number

  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  /** Media was sent at that time for that duration. */
  onMedia(atMs: number, durationMs: number) {
    this.firstMs ??= atMs
    if (this.lastMs !== null && atMs - this.lastMs >= this.#gapMs) {
      this.gapCount += 1
      if (this.gaps.length < GAPS_MAX) this.gaps.push({ fromMs: this.lastMs, toMs: atMs })
    }
    this.lastMs = Math.max(this.lastMs ?? 0, atMs + durationMs)
  }
}
