/** Clocks that differ by more than this belong to different media workers. */
const SAME_CLOCK_MS = 1000

/** Maximum drift between two healthy clocks. */
const DRIFT_PER_MS = 1e-4

interface Anchor {
  /** Unix time minus NTP time, in milliseconds. */
  offsetMs: number
  atMs: number
}

const FRACTIONS = 2 ** 32

/** 32.32 fixed point seconds (RFC 3550 section 4) in milliseconds. */
export const ntpToMs = (ntp: bigint) =>
  Number(ntp >> 32n) * 1000 + (Number(ntp & 0xffff_ffffn) / FRACTIONS) * 1000

/**
 * Maps the NTP time of sender reports to Unix time, shared by all tracks so that they stay in sync. A report never
 * arrives early, so the minimum of arrival time minus NTP time is the best estimate.
 */
export class SenderClock {
  readonly #anchors: Anchor[] = []

  unixMs(ntp: bigint, arrivedAtMs: number): number {
    const own = ntpToMs(ntp)
    const offsetMs = arrivedAtMs - own
    const anchor = this.#anchors.find(each => Math.abs(each.offsetMs - offsetMs) < SAME_CLOCK_MS)
    if (!anchor) {
      this.#anchors.push({ offsetMs, atMs: arrivedAtMs })
      return arrivedAtMs
    }
    const drifted = anchor.offsetMs + Math.max(0, arrivedAtMs - anchor.atMs) * DRIFT_PER_MS
    anchor.offsetMs = Math.min(offsetMs, drifted)
    anchor.atMs = arrivedAtMs
    return own + anchor.offsetMs
  }
}
