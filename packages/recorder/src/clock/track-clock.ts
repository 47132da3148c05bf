/** What arrives this much later may still say when something was sent. */
export const LOOKAHEAD_MS = 2000

/** Beyond this the RTP clock was not a clock, e.g. while the sender had no track: it starts anew. */
const REANCHOR_MS = 300

const BUCKET_MS = 100
const MEMORY_MS = 30_000

/** How the clock follows the sender's drift, and how it mends a bad first guess: per millisecond. */
const FOLLOW = 0.0005
const MEND = 0.02
const BAD_GUESS_MS = 40

const WRAP = 2 ** 32

/**
 * Maps RTP times of one track to Unix time. A packet is never early: of all that was heard around it, the least
 * difference between its arrival (or what a sender report says of it) and its RTP time is the true one. So jitter
 * and stalls do not show, while drift is followed and a leap of the RTP clock is noticed.
 */
export class TrackClock {
  readonly #msPerTick: number
  #highest: number | null = null
  readonly #least = new Map<number, number>()
  #oldest = 0
  #offset: number | null = null
  #since = 0
  #lastAtMs = 0
  #memory: { bucket: number; least: number | undefined } = { bucket: -1, least: undefined }
  #firstOffset: number | null = null
  /** How often the RTP clock started anew. */
  leaps = 0

  constructor(clockRate: number) {
    this.#msPerTick = 1000 / clockRate
  }

  /** The RTP time was not sent later than `atMs`: it arrived then, or a report says so. */
  hear(rtpTimestamp: number, atMs: number) {
    const offset = atMs - this.#extend(rtpTimestamp) * this.#msPerTick
    const bucket = Math.floor(atMs / BUCKET_MS)
    const least = this.#least.get(bucket)
    if (least === undefined || offset < least) this.#least.set(bucket, offset)
    if (this.#oldest === 0) this.#oldest = bucket
    for (; this.#oldest < bucket - (2 * MEMORY_MS) / BUCKET_MS; this.#oldest++)
      this.#least.delete(this.#oldest)
  }

  /** To be asked about one packet after another, when everything until LOOKAHEAD_MS after it was heard. */
  sentAtMs(rtpTimestamp: number, arrivedAtMs: number): number {
    const time = this.#extend(rtpTimestamp) * this.#msPerTick
    const bucket = Math.floor(arrivedAtMs / BUCKET_MS)
    const ahead = this.#leastFrom(bucket) ?? arrivedAtMs - time
    if (this.#offset === null || Math.abs(ahead - this.#offset) > REANCHOR_MS) {
      if (this.#offset !== null) this.leaps += 1
      this.#since = bucket
      this.#offset = ahead
      this.#firstOffset = ahead
    } else {
      const off = (this.#remembered(bucket) ?? ahead) - this.#offset
      const speed = Math.abs(off) > BAD_GUESS_MS ? MEND : FOLLOW
      const most = Math.max(0, arrivedAtMs - this.#lastAtMs) * speed
      this.#offset += Math.min(most, Math.max(-most, off))
    }
    this.#lastAtMs = arrivedAtMs
    return time + this.#offset
  }

  /** How much the sender's clock has gone wrong since it started (anew), in milliseconds. */
  get driftMs(): number {
    return (this.#offset ?? 0) - (this.#firstOffset ?? 0)
  }

  /** The least of a long time; looked up once for each bucket. */
  #remembered(bucket: number): number | undefined {
    if (this.#memory.bucket !== bucket) {
      const from = Math.max(this.#since, bucket - MEMORY_MS / BUCKET_MS)
      this.#memory = { bucket, least: this.#leastFrom(from, bucket) }
    }
    return this.#memory.least
  }

  #leastFrom(bucket: number, at = bucket): number | undefined {
    let least: number | undefined
    for (let each = bucket; each < at + LOOKAHEAD_MS / BUCKET_MS; each++) {
      const offset = this.#least.get(each)
      if (offset !== undefined && (least === undefined || offset < least)) least = offset
    }
    return least
  }

  /** RTP time without its wrap at 32 bits. */
  #extend(rtpTimestamp: number): number {
    if (this.#highest === null) {
      this.#highest = rtpTimestamp
      return rtpTimestamp
    }
    const extended = this.#highest + ((rtpTimestamp - (this.#highest % WRAP)) | 0)
    if (extended > this.#highest) this.#highest = extended
    return extended
  }
}
