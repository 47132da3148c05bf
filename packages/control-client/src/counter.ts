/** Counters are unsigned 64-bit integers as canonical decimal strings (docs/control-protocol.md). */

export const isAfter = (a: string, b: string) => (a.length === b.length ? a > b : a.length > b.length)

export const next = (counter: string) => (BigInt(counter) + 1n).toString()
