/** The header has whole seconds, and an answer takes a while: less says nothing about the clock of this machine. */
const CERTAIN_MS = 60_000

let aheadMs = 0

/** An answer of the server has come, with this `Date`. */
export function noteServerTime(date: string | null, nowMs = Date.now()): void {
  const ms = Date.parse(date ?? '') - nowMs
  if (!Number.isNaN(ms)) aheadMs = Math.abs(ms) < CERTAIN_MS ? 0 : ms
}

/** The time of the server when it is this time on this machine: the clocks of many machines are wrong. Unix milliseconds. */
export const serverTime = (nowMs: number): number => nowMs + aheadMs
