/** What a network does to the datagrams of one direction. */
export interface Impairment {
  /** The share of datagrams that are lost, 0 to 1. */
  loss?: number
  delayMs?: number
  /** Bits per second; a queue of `queueMs` forms before the bottleneck, and what does not fit is dropped. */
  rateBps?: number
  queueMs?: number
}

/** Of home routers: longer than audio tolerates. */
const DEFAULT_QUEUE_MS = 400
/** IP and UDP. */
const HEADER_BYTES = 28

/**
 * One direction of a slow or lossy path. It does what `tc netem` does, without root and on kernels that lack it. The
 * pattern of losses is the same in every run.
 */
export class ImpairedLink {
  #impairment: Impairment = {}
  #random = 1
  /** When the bottleneck is free again. */
  #freeAtMs = 0
  readonly #queue: { atMs: number; deliver: () => void }[] = []
  #timer: NodeJS.Timeout | undefined

  impair(impairment: Impairment): void {
    this.#impairment = impairment
  }

  send(bytes: number, deliver: () => void): void {
    const { loss = 0, delayMs = 0, rateBps, queueMs = DEFAULT_QUEUE_MS } = this.#impairment
    if (this.#next() < loss) return
    const now = performance.now()
    let leavesAtMs = now
    if (rateBps) {
      const beginsAtMs = Math.max(now, this.#freeAtMs)
      if (beginsAtMs - now > queueMs) return
      this.#freeAtMs = leavesAtMs = beginsAtMs + ((bytes + HEADER_BYTES) * 8_000) / rateBps
    }
    const atMs = leavesAtMs + delayMs
    if (atMs <= now && this.#queue.length === 0) {
      deliver()
      return
    }
    this.#queue.push({ atMs, deliver })
    this.#timer ??= setTimeout(this.#deliver, atMs - now)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#queue.length = 0
  }

  /** In the order of arrival, also when the impairment has changed meanwhile. */
  readonly #deliver = (): void => {
    this.#timer = undefined
    while (this.#queue[0] && this.#queue[0].atMs <= performance.now()) this.#queue.shift()?.deliver()
    const next = this.#queue[0]
    if (next) this.#timer = setTimeout(this.#deliver, Math.max(1, next.atMs - performance.now()))
  }

  /** A linear congruential generator (Numerical Recipes), 0 to 1. */
  #next(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0
    return this.#random / 2 ** 32
  }
}
