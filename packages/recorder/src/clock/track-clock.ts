/** Packets within this window contribute to the estimate of a send time. */
export const LOOKAHEAD_MS = 2000

/** A larger deviation means that the RTP clock stopped, e.g. without a track: re-anchor. */
const REANCHOR_MS = 300

const BUCKET_MS = 100
const MEMORY_MS = 30_000

/** Correction rates per millisecond, for drift and for a poor initial estimate. */
const FOLLOW = 0.0005
const CATCH_UP = 0.02
const BAD_GUESS_MS = 40

const WRAP = 2 ** 32

/**
 * Maps the RTP time of one track to Unix time. A packet never arrives early, so the minimum of arrival (or reported send
 * time) minus RTP time over a window is the best estimate. Jitter and stalls are filtered out, drift is followed, and
 * jumps of the RTP clock are detected.
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
  /** How often the clock was re-anchored. */
  leaps = 0

  constructor(clockRate: number) {
    this.#msPerTick = 1000 / clockRate
  }

  /** Adds an observation: this RTP time was sent at `atMs` at the latest, by its arrival or by a report. */
  observe(rtpTimestamp: number, atMs: number) {
    const offset = atMs - this.#extend(rtpTimestamp) * this.#msPerTick
    const bucket = Math.floor(atMs / BUCKET_MS)
    const least = this.#least.get(bucket)
    if (least === undefined || offset < least) this.#least.set(bucket, offset)
    if (this.#oldest === 0) this.#oldest = bucket
    for (; this.#oldest < bucket - (2 * MEMORY_MS) / BUCKET_MS; this.#oldest++)
      this.#least.delete(this.#oldest)
  }

  /**
   * Returns the send time, never much after the arrival. Call in packet order, after observing LOOKAHEAD_MS beyond the packet.
   */
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
      const speed = Math.abs(off) > BAD_GUESS_MS ? CATCH_UP : FOLLOW
      const most = Math.max(0, arrivedAtMs - this.#lastAtMs) * speed
      this.#offset += Math.min(most, Math.max(-most, off))
    }
    this.#lastAtMs = arrivedAtMs
    // RTP time that leaps about may be unwrapped into another cycle, which is most of a day ahead.
    return Math.min(time + this.#offset, arrivedAtMs + REANCHOR_MS)
  }

  /** The track has ended: only the statistics are kept, because a session has many tracks. */
  close(): void {
    this.#least.clear()
  }

  /** Accumulated drift of the sender clock since it was anchored, in milliseconds. */
  get driftMs(): number {
    return (this.#offset ?? 0) - (this.#firstOffset ?? 0)
  }

  /** The minimum over MEMORY_MS, cached per bucket. */
  #remembered(bucket: number): number | undefined {
    if (this.#memory.bucket !== bucket) {
      const from = Math.max(this.#since, bucket - MEMORY_MS / BUCKET_MS)
      this.#memory = { bucket, least: this.#leastFrom(from, bucket) }
    }
    return this.#memory.least
  }

  #leastFrom(bucket: number, at = bucket): number | undefined {
    let least: number | undefined
    for (let next = bucket; next < at + LOOKAHEAD_MS / BUCKET_MS; next++) {
      const offset = this.#least.get(next)
      if (offset !== undefined && (least === undefined || offset < least)) least = offset
    }
    return least
  }

  /** Unwrapped RTP time. */
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
