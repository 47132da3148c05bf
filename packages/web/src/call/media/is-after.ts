/** Counters are unsigned 64-bit integers as canonical decimal strings (contract §2.9 "counter"). */
export const isAfter = (a: string, b: string) => (a.length === b.length ? a > b : a.length > b.length)
