/** Reports whose clocks differ by more than this are of different media workers. */
const SAME_CLOCK_MS = 1000

/** How fast two good clocks may drift apart. */
const DRIFT_PER_MS = 1e-4

interface Anchor {
  /** Unix time minus the clock's own, in milliseconds. */
  offsetMs: number
  atMs: number
}

const FRACTIONS = 2 ** 32

/** 32.32 fixed point seconds (RFC 3550 section 4) in milliseconds. */
export const ntpToMs = (ntp: bigint) =>
  Number(ntp >> 32n) * 1000 + (Number(ntp & 0xffff_ffffn) / FRACTIONS) * 1000

/**
 * What sender reports call the time, as Unix time: one for all tracks, so that these stay together. A report is
 * never early, so the least difference between its arrival and its own time is the true one.
 */
export class SharedClock {
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
