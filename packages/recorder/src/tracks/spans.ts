/** A half-open interval in Unix milliseconds. */
export interface Span {
  fromMs: number
  /** Infinity while open. */
  toMs: number
}

/** A set of intervals, ordered and disjoint. */
export class Spans {
  readonly all: Span[] = []

  begin(atMs: number) {
    const last = this.all.at(-1)
    if (last && last.toMs >= atMs) last.toMs = Number.POSITIVE_INFINITY
    else this.all.push({ fromMs: atMs, toMs: Number.POSITIVE_INFINITY })
  }

  end(atMs: number) {
    const last = this.all.at(-1)
    if (last && last.toMs === Number.POSITIVE_INFINITY) last.toMs = Math.max(atMs, last.fromMs)
  }

  get isOpen() {
    return this.all.at(-1)?.toMs === Number.POSITIVE_INFINITY
  }

  includes(atMs: number) {
    return this.all.some(span => span.fromMs <= atMs && atMs < span.toMs)
  }
}
